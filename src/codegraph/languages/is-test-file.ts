import { languageOf } from "./language-of.js";

/** Whether a file is there to test others, going by how it is called. */
export function isTestFile(path: string): boolean {
  return everywhere.test(path) || languageOf(path)?.testFiles?.test(path) === true;
}

const everywhere = /\.(?:test|spec)(?:-d)?\.[^./]+$|(?:^|\/)(?:__tests__|tests?)\//;
