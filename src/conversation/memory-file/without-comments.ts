/** A MEMORY.md without what Tacit notes in it: comments that begin a line. In a memory's text no line of the file begins so. */
export function withoutComments(text: string): string {
  return text.replace(/^<!--.*?-->\n*/gms, "");
}
