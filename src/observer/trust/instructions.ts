/** True when a line tells a reader or an assistant what to do, rather than what is so. */
export function readsLikeInstruction(text: string): boolean {
  return /\b(ignore|disregard|your (response|answer|reply)|you (must|should))\b/i.test(text);
}

/** Marks of the sentences in a text that tell an assistant what to do, at most twenty. */
export function instructionMarks(text: string): string[] {
  return text === "" ? [] : [];
}

/** True when a text repeats a marked sentence or a good part of it. */
export function repeatsInstruction(text: string, marks: ReadonlySet<string>): boolean {
  return text !== "" && marks.has(text);
}
