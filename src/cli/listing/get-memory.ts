import type { Memory, TacitMemory } from "../../index.js";
import { brief } from "../terminal/brief.js";

/** The memory that a reference names, a forgotten one too, or the error that says there is none. */
export async function getMemory(memory: TacitMemory, reference: string): Promise<Memory> {
  const found = await memory.get(reference, { forgotten: true });
  if (found) return found;
  const { MemoryError } = await import("../../index.js");
  throw new MemoryError(
    "memory-not-found",
    `There is no memory ${JSON.stringify(brief(reference))} in this project.`,
    "tacit list shows what is kept; --project ID looks into another project, and tacit project list names them.",
  );
}
