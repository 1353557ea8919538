/**
 * project: which project a folder belongs to, and what holds in it.
 *
 * A folder is identified by its git remote, its git directory or its path, without a git process. What a project's own file
 * sets counts only as far as its user trusts it: a clone may switch Tacit off, and limits what is stored only once it was
 * accepted. A folder cannot say who it is: one that is new for a known project waits until a person confirms it, and gets
 * no project before. It refuses to merge two projects by itself, to take a home folder or a whole disk for a project, and to know
 * what a project remembers (memory).
 */
export {
  findPendingNotice,
  type ProjectContext,
  readProject,
  refuseWhenDisabled,
  writeProject,
} from "./project-context.js";
export { type Acceptance, acceptFolder, areRulesAccepted, isAccepted, openAcceptance } from "./folder-trust.js";
export {
  type Project,
  type ProjectHint,
  type ProjectSummary,
  confirmFolder,
  ensureProject,
  findProject,
  hasNewKeys,
  joinProject,
  keysOf,
  listProjectKeys,
  listProjects,
  userProject,
} from "./projects.js";
