import { recordOf } from "../../hook/hook.js";
import { isOfToolCall, startedWith, type Environment } from "./tool-call.js";

/**
 * What a hook was told, without the transcript where an agent is behind it: what an agent types to another Claude Code, or
 * writes into a file and calls a transcript, no person has said. What a person said becomes what is known.
 */
export function withOwnTranscript(
  document: unknown,
  environments: () => readonly Environment[] = startedWith,
): unknown {
  const { transcript_path: transcript, ...hook } = recordOf(document);
  if (transcript === undefined || !telling.has(hook["hook_event_name"])) return document;
  return isOfToolCall(environments()) ? hook : document;
}

// The others are told of it too, and nobody reads it then: at every call of a tool there is no time to look around.
const telling = new Set<unknown>(["SessionStart", "PreCompact", "SessionEnd"]);
