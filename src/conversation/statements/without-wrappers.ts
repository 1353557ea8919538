// More than any program puts around a prompt. Each is looked for once, so that a text of nothing but tags costs no more.
const maxWrappers = 50;

/**
 * A message without what an agent's program puts around it, in tags of names that no document has: `<system-reminder>`. That is
 * nobody's word, and it may be long.
 */
export function withoutWrappers(content: string): string {
  const left: string[] = [];
  let [from, seen] = [0, 0];
  for (const { 0: tag, 1: name = "", index } of content.matchAll(/<([a-z][\w-]{1,40})(?: [^<>]{0,200})?>/gi)) {
    if (index < from || !/[-_]/.test(name)) continue;
    seen += 1;
    if (seen > maxWrappers) break;
    const close = `</${name}>`;
    const end = content.indexOf(close, index + tag.length);
    if (end === -1) continue;
    left.push(content.slice(from, index));
    from = end + close.length;
  }
  return [...left, content.slice(from)].join("");
}
