import { bindMemory } from "./bind-memory.js";
import { checkCaller } from "./judge-caller.js";
import { checkOptions, type OpenOptions } from "./open-options.js";
import { openParts } from "./open-parts.js";
import type { TacitMemory } from "./tacit-memory.js";

/**
 * Opens the memory of a project. Creates no file: the first write does. Close it when done.
 *
 * @example
 * const memory = await openMemory();
 * await memory.remember({ content: "Deploys wait for the migration.", type: "gotcha" });
 * const [best] = await memory.recall("why do deploys wait?");
 * await memory.close();
 */
export async function openMemory(options: OpenOptions = {}): Promise<TacitMemory> {
  checkOptions(options);
  return bindMemory(await openParts(options), checkCaller(options.actor ?? { kind: "program" }));
}
