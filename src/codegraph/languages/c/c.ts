import { cRules } from "./c-rules.js";
import { cppRules } from "./cpp-rules.js";
import { createIncludeResolver } from "./includes.js";
import type { Language } from "../language.js";
import { readByRules } from "../read-by-rules.js";

/** C: what a file defines and does not keep to itself, every other can link with. */
export const c: Language = {
  name: "c",
  extensions: ["c", "h"],
  async open() {
    const [asC, asCpp] = [await readByRules(cRules), await readByRules(cppRules)];
    return (path, source) => (/\.h$/i.test(path) && isCpp(source) ? asCpp : asC)(path, source);
  },
  createResolver: createIncludeResolver,
};

export const cpp: Language = {
  name: "cpp",
  extensions: ["cc", "cpp", "cxx", "c++", "hpp", "hh", "hxx", "h++", "inl", "ipp", "tpp"],
  open: async () => readByRules(cppRules),
  createResolver: createIncludeResolver,
};

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
