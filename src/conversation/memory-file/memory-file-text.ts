import { renderMemoryFile } from "./render-memory-file.js";
import { listShown } from "./shown-memories.js";
import { renderMemory, type SyncReport } from "./sync-memory-file.js";
import { withoutComments } from "./without-comments.js";
import type { MemoryFile } from "../conversation.js";
import type { ProjectContext } from "../../project/project.js";

// A model that is to shorten what is known must see more of it than fits.
const timesTheSize = 4;

/** Everything that MEMORY.md could say, for a model that is to say it shorter where that is too much. */
export async function renderAllMemories(context: ProjectContext): Promise<string> {
  const maxBytes = timesTheSize * (await context.settings()).maxMemorySize;
  return renderMemoryFile(await listShown(context, maxBytes), { maxBytes });
}

/** Whether a text of it is longer than the file may be. */
export async function isTooLong(context: ProjectContext, text: string): Promise<boolean> {
  return Buffer.byteLength(withoutComments(text)) > (await context.settings()).maxMemorySize;
}

/**
 * What is known, for a prompt: what the file says where that is what the store says. Lines of a person that were not taken in
 * are not: they may hold a secret, or come from anybody.
 */
export async function readForPrompt(
  context: ProjectContext,
  synced?: Pick<SyncReport, "text" | "problems">,
): Promise<Pick<MemoryFile, "text" | "bytes">> {
  const whole = synced?.problems.length === 0 ? synced.text : undefined;
  const told = whole ?? (await renderMemory(context));
  return { text: withoutComments(told), bytes: Buffer.byteLength(told) };
}
