/**
 * Whether a text is what a glob says: `*` stands for any characters, `?` for one. In time that grows with both lengths alone,
 * whatever the pattern: it may come with a clone.
 *
 * @example
 * globMatches("vault * secret/*", "vault kv get secret/db") // true
 */
export function globMatches(glob: string, text: string): boolean {
  let [at, inGlob] = [0, 0];
  let star: { at: number; inGlob: number } | undefined;
  while (at < text.length) {
    if (glob[inGlob] === "*") {
      star = { at, inGlob };
      inGlob += 1;
    } else if (inGlob < glob.length && (glob[inGlob] === "?" || glob[inGlob] === text[at])) {
      at += 1;
      inGlob += 1;
    } else if (star) {
      star.at += 1;
      at = star.at;
      inGlob = star.inGlob + 1;
    } else return false;
  }
  while (glob[inGlob] === "*") inGlob += 1;
  return inGlob === glob.length;
}
