import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { readAnswerMarks } from "../../base/files/files.js";
import { readProject, type ProjectContext } from "../../project/project.js";
import { shareLimits } from "../../base/git/git.js";
import { findSession, listSpans } from "../cross-session/session-queries.js";
import { listLastLeft } from "../cross-session/left-file-queries.js";
import { listWritten } from "../cross-session/statistics-queries.js";
import type { UntrustedSource } from "../observer.js";
import type { Scratchpad } from "../scratchpad/session-view.js";
import type { Origin } from "./folder-origins.js";
import { findLifted, spansOf, type Span, type VouchedFiles } from "./lifted-files.js";
import { openTaint, type Taint } from "./taint.js";
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
  const findVouchedFor = openVouchedFor(context, { ...session, tracked });
  const again = readAgain(pads, ownFiles);
  const { lifted, committed } = await findVouchedFor(
    again,
    await readProject(context, new Map<string, string[]>(), (reader, of) => listLastLeft(reader, of, again)),
  );
  const taint = openTaint({
    pads,
    root,
    tracked,
    ownFiles: new Map([...ownFiles].filter(([path]) => !lifted.has(path))),
    committed,
    exists: (path) => existsSync(resolve(root, path)),
    ownAnswers: readAnswerMarks(),
  });
  // What a person has committed meanwhile, as this session wrote it: whatever was there before says nothing of that.
  const vouched = await findVouchedFor([...taint.written].flatMap(([path, by]) => (by === "tainted" ? [path] : [])));
  for (const path of vouched.lifted) taint.written.set(path, "clean");
  const outside = before?.record.outside ?? session.outside;
  return outside ? fromTheStart(outside, taint) : taint;
}

/** Of files that git tracks and a tainted session wrote those that somebody vouches for since. */
function openVouchedFor(
  context: ProjectContext,
  {
    sessionId,
    root,
    pads,
    tracked,
  }: { sessionId: string; root: string; pads: readonly Scratchpad[]; tracked: TrackedFiles },
): (files: readonly string[], left?: ReadonlyMap<string, readonly string[]>) => Promise<VouchedFiles> {
  const limits = shareLimits({ timeoutMs: gitMs });
  let spans: Promise<Span[]> | undefined;
  return async (files, left = new Map()) => {
    if (files.length === 0 || tracked === undefined) return { lifted: new Set(), committed: new Set() };
    spans ??= readProject(context, [], (reader, project) => listSpans(reader, project, sessionId));
    return findLifted(root, files, { spans: [...(await spans), ...spansOf(pads)], left }, limits);
  };
}

/** What earlier sessions wrote after they had read something untrusted, as far as this one may have seen it. */
function readAgain(pads: readonly Scratchpad[], ownFiles: ReadonlyMap<string, Origin>): string[] {
  const tainted = [...ownFiles].flatMap(([path, origin]) => (origin === "tainted" ? [path] : []));
  return pads.some(({ actions }) => actions.length > 0) ? tainted : [];
}

/** Asks git what it had when a session began while the rest of the session is still being read. */
export function prefetchTrackedFiles(root: string, commit: string): void {
  void listTrackedFiles(root, commit, { timeoutMs: gitMs });
}

function fromTheStart(outside: UntrustedSource, { written }: Taint): Taint {
  return {
    of: () => outside,
    since: () => ({ order: 0, outside }),
    written: outside.from === "written" ? written : new Map([...written.keys()].map((path) => [path, "tainted"])),
  };
}
