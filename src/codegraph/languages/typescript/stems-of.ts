import { stemOf } from "../../tree/paths.js";

/** An index answers to its folder, and `src/a.d.ts` to `src/a.d`: that is how a specifier may name its output. */
export function stemsOf(path: string): string[] {
  const own = stemOf(path);
  const folder = own === "index" ? "" : /^(.*)\/index$/.exec(own)?.[1];
  const declared = /\.d(?=\.[^./]+$)/.test(path) ? [`${own}.d`] : [];
  return folder === undefined ? declared : [folder, ...declared];
}
