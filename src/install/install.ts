/**
 * install: connects agents to Tacit through their own configuration files, and disconnects them again.
 *
 * It refuses to run an agent, to write into a work tree, and to keep a copy of anybody's configuration, because those hold
 * secrets: the journal has what was put in or taken out, where, and hashes of the rest.
 */
export { planInstall } from "./plan-install.js";
export type { AgentPlan, FileChange, Plan, Problem } from "./plan-install.js";
