import type { Shell } from "./shell.js";

/** Tells what a reader should know where the answer itself has no place for it: beside it, so that a pipe gets the answer alone. */
export async function printNotes({ flags }: Shell, notes: readonly string[]): Promise<void> {
  if (notes.length === 0 || flags.json || flags.quiet) return;
  const { neutralise } = await import("../../index.js");
  process.stderr.write(notes.map((note) => `tacit: ${neutralise(note)}\n`).join(""));
}
