import { stemOf } from "../../tree/paths.js";
import type { Extract, Language } from "../language.js";
import { openByRules } from "../open-by-rules.js";
import { createIncludeResolver } from "./create-include-resolver.js";
import { isIncludable } from "./is-includable.js";

/** What C and C++ share: each includes files of the other. */
const ofBoth = {
  testFiles: /(?:^|\/)(?:tests?[-_][^/]*|[^/]*[-_](?:unit)?tests?)\.(?:c|cc|cpp|cxx)$/,
  createResolver: createIncludeResolver,
  stemsOf,
  linking: {
    isIncludable,
    hasClosedLists: (path) => /\.(?:h|hh|hpp|hxx|cc|cpp|cxx)$/.test(path),
    builtins: { maps: ["map"] },
  },
  layout: { preamble: /^#pragma once/ },
} satisfies Partial<Language>;

/** C: what a file defines and does not keep to itself, every other can link with. */
export const c: Language = {
  ...ofBoth,
  name: "c",
  extensions: ["c", "h"],
  async open() {
    const asC = await openByRules(async () => (await import("./c-rules.js")).cRules);
    const asCpp = await openCpp();
    return (path, source) => (/\.h$/i.test(path) && isCpp(source) ? asCpp : asC)(path, source);
  },
};

export const cpp: Language = {
  ...ofBoth,
  name: "cpp",
  extensions: ["cc", "cpp", "cxx", "c++", "hpp", "hh", "hxx", "h++", "inl", "ipp", "tpp"],
  open: openCpp,
};

async function openCpp(): Promise<Extract> {
  return openByRules(async () => (await import("./cpp-rules.js")).cppRules);
}

/** A file may be included from wherever a compiler is told to look. */
function stemsOf(path: string): string[] {
  const own = stemOf(path);
  const isIncluded = /\.(?:[ch](?:c|h|pp|xx|\+\+)?|hh|cc|in[cl]|[it]pp|def)$/i.test(path);
  return isIncluded ? [`*/${own.slice(own.lastIndexOf("/") + 1)}`] : [];
}

/**
 * Whether a header is one of C++, which its name does not tell. What stands in a branch for C++ alone does not make it one:
 * most headers of C let it in with `extern "C"`.
 */
function isCpp(source: string): boolean {
  let isApart = false;
  return source.split("\n").some((line) => {
    if (/^[ \t]*#/.test(line))
      isApart = /^[ \t]*#[ \t]*if.*__cplusplus/.test(line) || (isApart && !/^[ \t]*#[ \t]*e/.test(line));
    return !isApart && ofCpp.test(line);
  });
}

const ofCpp =
  /^[ \t]*(?:namespace\b[^;=]*$|template[ \t]*<|class[ \t]+(?:\w+[ \t]+)?\w+[ \t]*(?:final[ \t]*)?[:{;]|using[ \t]+\w|(?:public|private|protected)[ \t]*:)|\bconstexpr\b|^[^/*]*\w::\w/;
