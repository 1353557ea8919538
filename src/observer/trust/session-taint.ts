import { readProject, type ProjectStore } from "../../memory/project-store.js";
import { listWritten } from "../across/statistics-queries.js";
import type { Scratchpad } from "../scratchpad/session-view.js";
import { openTaint, type Taint } from "./taint.js";
import { listTracked } from "./tracked-files.js";

const gitMs = 2000;

/** What came from outside in a session, by what git had when it began and what earlier sessions wrote. */
export async function openSessionTaint(from: ProjectStore, root: string, pads: readonly Scratchpad[]): Promise<Taint> {
  const [tracked, ownFiles] = await Promise.all([
    listTracked(root, pads[0]?.start?.commit, { timeoutMs: gitMs }),
    readProject(from, new Map<string, "clean" | "tainted">(), listWritten),
  ]);
  return openTaint({ pads, root, tracked, ownFiles });
}
