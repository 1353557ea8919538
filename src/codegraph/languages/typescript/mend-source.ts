/** What newer TypeScript writes and the grammar takes for something else, written in the same place as it knows it. */
export function mendDeclarations(source: string): string {
  if (!source.includes("using ")) return source;
  const using = /\b(?:await[ \t]+)?using(?=[ \t]+[\w$]+(?:[ \t]*:[^=\n]+)?[ \t]*=[^=>])/g;
  return source.replaceAll(using, (text) => "const".padEnd(text.length));
}

/**
 * What the grammar fails at although it is right: signatures of calls that are generic and stand below one another without
 * a semicolon, and `export type *`. Every character stays where it is. Only for a file that did not parse: elsewhere a line
 * that begins with `<` means something else.
 */
export function mendErrors(source: string): string {
  return source
    .replaceAll(/^([ \t]*)[ \t](?=<(?:[ \t]*\r?\n|[A-Za-z_$][\w$]*[\s,>]))/gm, "$1;")
    .replaceAll(/\bexport([ \t]+)type(?=[ \t]*\*)/g, "export$1    ");
}
