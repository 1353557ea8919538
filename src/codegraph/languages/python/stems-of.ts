import { stemOf } from "../../tree/paths.js";

/** A package answers to its folder, and to its bare name from wherever it lies. */
export function stemsOf(path: string): string[] {
  const own = stemOf(path);
  if (own === "__init__") return [""];
  const folder = /^(.*)\/__init__$/.exec(own)?.[1];
  return folder === undefined ? [] : [folder, `*/${folder.slice(folder.lastIndexOf("/") + 1)}`];
}
