import { readProject, type ProjectContext } from "../../project/project.js";
import { findSession } from "../cross-session/session-queries.js";
import { listWritten } from "../cross-session/statistics-queries.js";
import type { UntrustedSource } from "../observer.js";
import type { Scratchpad } from "../scratchpad/session-view.js";
import { openTaint, type Taint } from "./taint.js";
import { listTrackedFiles } from "./tracked-files.js";

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
    readProject(context, new Map<string, "clean" | "tainted">(), listWritten),
    readProject(context, undefined, (reader, project) => findSession(reader, project, sessionId)),
  ]);
  const taint = openTaint({ pads, root, tracked, ownFiles });
  const outside = before?.record.outside ?? session.outside;
  return outside ? fromTheStart(outside, taint) : taint;
}

/** Asks git what it had when a session began while the rest of the session is still being read. */
export function prefetchTrackedFiles(root: string, commit: string): void {
  void listTrackedFiles(root, commit, { timeoutMs: gitMs });
}

function fromTheStart(outside: UntrustedSource, { written }: Taint): Taint {
  return {
    of: () => outside,
    since: () => ({ order: 0, outside }),
    written: new Map([...written.keys()].map((path) => [path, "tainted"])),
  };
}
