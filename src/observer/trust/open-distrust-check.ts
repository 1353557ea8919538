import { readProject, type ProjectContext } from "../../project/project.js";
import { findSession } from "../cross-session/session-queries.js";
import type { UntrustedSource } from "../observer.js";
import type { Scratchpad } from "../scratchpad/session-view.js";
import { describeUntrustedSource } from "../untrusted-sources/describe-untrusted-source.js";
import { repeatsInstruction } from "../untrusted-sources/instructions.js";
import { openSessionTaint } from "./session-taint.js";

/** Gives the reason why a text is not to be trusted yet; undefined where nothing speaks against it. */
export type DistrustCheck = (content: string) => string | undefined;

/**
 * Judges what a running session asks to remember: it has read from outside, or the text repeats an instruction that stood
 * in what it read.
 */
export async function openDistrustCheck(
  context: ProjectContext,
  session: { sessionId: string; root: string; pads: readonly Scratchpad[]; outside?: UntrustedSource },
): Promise<DistrustCheck> {
  const { pads, sessionId } = session;
  const before = await readProject(context, undefined, (reader, project) => findSession(reader, project, sessionId));
  const taint = pads.length > 0 ? await openSessionTaint(context, session) : undefined;
  const outside =
    before?.record.outside ??
    session.outside ??
    pads.map((pad) => taint?.since(pad)?.outside).find((found) => found !== undefined);
  if (outside) return () => describeUntrustedSource(outside);
  const marks = new Set(pads.flatMap(({ actions }) => actions.flatMap(({ instructions = [] }) => instructions)));
  return (content) =>
    marks.size > 0 && typeof content === "string" && repeatsInstruction(content, marks)
      ? describeUntrustedSource({ from: "instruction", what: "" })
      : undefined;
}
