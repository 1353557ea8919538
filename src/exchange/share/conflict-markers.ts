/**
 * The line, from 1, of the first merge conflict that git left in a text: `<<<<<<<`, `=======` and `>>>>>>>` at the
 * beginning of lines, in this order. A lone `=======` underlines a heading.
 */
export function findConflictMarkers(text: string): number | undefined {
  let begin: number | undefined;
  let divided = false;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (/^<{7} /.test(line)) {
      begin = index + 1;
      divided = false;
    } else if (begin !== undefined && line === "=======") {
      divided = true;
    } else if (divided && /^>{7} /.test(line)) {
      return begin;
    }
  }
  return undefined;
}
