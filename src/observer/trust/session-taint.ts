import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { readAnswerMarks } from "../../base/files/files.js";
import { readProject, type ProjectContext } from "../../project/project.js";
import { shareLimits } from "../../base/git/git.js";
import { findSession } from "../cross-session/session-queries.js";
import { listLastLeft, type LastLeft } from "../cross-session/left-file-queries.js";
import { listWritten } from "../cross-session/statistics-queries.js";
import type { UntrustedSource } from "../observer.js";
import type { Scratchpad } from "../scratchpad/session-view.js";
import type { Origin } from "./folder-origins.js";
import { findLifted, type LiftedFiles } from "./lifted-files.js";
import { firstTimeFrom, openTaint, type Taint } from "./taint.js";
import { listTrackedFiles, type TrackedFiles } from "./tracked-files.js";

const gitMs = 2000;

/**
 * What came from outside in a session, by what git had when it began, what earlier sessions wrote, and what an earlier
 * part of the same session had read.
 */
export async function openSessionTaint(
  context: ProjectContext,
  session: { sessionId: string; root: string; pads: readonly Scratchpad[]; outside?: UntrustedSource },
): Promise<Taint> {
  const { sessionId, root, pads } = session;
  const [tracked, ownFiles, before] = await Promise.all([
    listTrackedFiles(root, pads[0]?.start?.commit, { timeoutMs: gitMs }),
    readProject(context, new Map<string, Origin>(), listWritten),
    readProject(context, undefined, (reader, project) => findSession(reader, project, sessionId)),
  ]);
  const { lifted, putAway } = await findLiftedFor(context, session, { tracked, ownFiles });
  const taint = openTaint({
    pads,
    root,
    tracked,
    ownFiles: new Map([...ownFiles].filter(([path]) => !lifted.has(path))),
    putAway,
    exists: (path) => existsSync(resolve(root, path)),
    ownAnswers: readAnswerMarks(),
  });
  const sources = [before?.record.outside, session.outside].filter((source) => source !== undefined);
  const outside = sources.find(({ from }) => from !== "written") ?? sources[0];
  return outside ? fromTheStart(outside, taint, pads) : taint;
}

/** Of tracked files that tainted sessions wrote those that were committed before this one began. */
async function findLiftedFor(
  context: ProjectContext,
  { root, pads }: { root: string; pads: readonly Scratchpad[] },
  { tracked, ownFiles }: { tracked: TrackedFiles; ownFiles: ReadonlyMap<string, Origin> },
): Promise<LiftedFiles> {
  const { start } = pads[0] ?? {};
  const isTracked = (path: string) => typeof tracked === "object" && tracked.has(path);
  const paths = [...ownFiles].flatMap(([path, origin]) => (origin === "tainted" && isTracked(path) ? [path] : []));
  const hasSeen = pads.some(({ actions }) => actions.length > 0);
  if (!hasSeen || paths.length === 0 || start?.commit === undefined) return { lifted: new Set(), putAway: new Set() };
  const left = await readProject(context, new Map<string, LastLeft>(), (reader, of) =>
    listLastLeft(reader, of, { root, paths }),
  );
  const doubtful = { commit: start.commit, startedAt: start.at, paths, left };
  return findLifted(root, doubtful, shareLimits({ timeoutMs: gitMs }));
}

/** Asks git what it had when a session began while the rest of the session is still being read. */
export function prefetchTrackedFiles(root: string, commit: string): void {
  void listTrackedFiles(root, commit, { timeoutMs: gitMs });
}

function fromTheStart(outside: UntrustedSource, taint: Taint, pads: readonly Scratchpad[]): Taint {
  const isSpreading = outside.from !== "written";
  return {
    of: () => outside,
    since: () => ({ order: 0, outside }),
    spreading: (pad) => (isSpreading ? outside : taint.spreading(pad)),
    spreadsSince: () => (isSpreading ? Math.min(...pads.map((pad) => firstTimeFrom(pad, 0))) : taint.spreadsSince()),
    written: isSpreading ? new Map([...taint.written.keys()].map((path) => [path, "tainted"])) : taint.written,
  };
}
