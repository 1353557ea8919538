const maxImports = 40;
// Imports stand at the top of a file, but for a long comment before them.
const looksAt = 12_000;

/**
 * What a file of code says it imports, as written, in its order. `file` tells the language; without it all are tried. The
 * numbers that tools put before lines do not matter.
 */
export function importsOf(text: string, file = ""): string[] {
  const patterns = patternsFor(/\.(\w+)$/.exec(file)?.[1]?.toLowerCase());
  const start = text.slice(0, looksAt);
  const found: { at: number; name: string }[] = [];
  for (const [hint, pattern] of patterns) {
    if (!start.includes(hint)) continue;
    for (const match of start.matchAll(pattern)) {
      const name = match.slice(1).find((group) => group !== undefined);
      if (name !== undefined) found.push({ at: match.index, name });
      if (found.length > 4 * maxImports) break;
    }
  }
  const names = found.toSorted((a, b) => a.at - b.at).map(({ name }) => name.trim());
  return [...new Set(names)].slice(0, maxImports);
}

type Pattern = [hint: string, pattern: RegExp];

// A number, then a tab, an arrow or a bar: what `cat -n` and the tools of agents write before a line.
const lineStart = "^(?:[ \\t]{0,8}\\d{1,6}(?:[\\t→|:]|: ))?[ \\t]{0,12}";

const javascript: Pattern[] = [
  ["from", /\bfrom\s{0,4}["']([^"'\n]{1,200})["']/g],
  ["import", /\bimport\s{0,4}\(?\s{0,4}["']([^"'\n]{1,200})["']/g],
  ["require(", /\brequire\(\s{0,4}["']([^"'\n]{1,200})["']/g],
];
const python: Pattern[] = [
  ["import", new RegExp(`${lineStart}from[ \\t]{1,4}([\\w.]{1,200})[ \\t]{1,4}import\\b`, "gm")],
  ["import", new RegExp(`${lineStart}import[ \\t]{1,4}([\\w.]{1,200})`, "gm")],
];
const rust: Pattern[] = [
  ["use ", new RegExp(`${lineStart}(?:pub(?:\\(\\w{1,20}\\))? )?use ([\\w:]{1,200}\\w)`, "gm")],
  ["mod ", new RegExp(`${lineStart}(?:pub(?:\\(\\w{1,20}\\))? )?mod (\\w{1,100});`, "gm")],
];
const go: Pattern[] = [
  ["import", new RegExp(`${lineStart}import (?:\\w{1,40} )?"([^"\\n]{1,200})"`, "gm")],
  ["import (", new RegExp(`${lineStart}(?:[\\w.]{1,40} )?"([\\w./@-]{1,200})"$`, "gm")],
];
const c: Pattern[] = [["#include", /#\s{0,4}include\s{0,4}[<"]([^>"\n]{1,200})[>"]/g]];
const java: Pattern[] = [["import ", new RegExp(`${lineStart}import (?:static )?([\\w.]{1,200}(?:\\.\\*)?)`, "gm")]];
const ruby: Pattern[] = [
  ["require", new RegExp(`${lineStart}require(?:_relative)? ?\\(?["']([^"'\\n]{1,200})["']`, "gm")],
];
const php: Pattern[] = [
  ["use ", new RegExp(`${lineStart}use ([\\w\\\\]{1,200})`, "gm")],
  ["require", /\b(?:require|include)(?:_once)?\s{0,4}\(?\s{0,4}["']([^"'\n]{1,200})["']/g],
];
const styles: Pattern[] = [["@", /@(?:import|use|forward)\s{1,4}(?:url\()?["']([^"'\n]{1,200})["']/g]];

const byEnding: [endings: string, patterns: Pattern[]][] = [
  ["ts tsx js jsx mjs cjs mts cts vue svelte astro", javascript],
  ["py pyi", python],
  ["rs", rust],
  ["go", go],
  ["c h cc cpp cxx hpp hh m mm", c],
  ["java kt kts scala groovy swift dart", java],
  ["rb", ruby],
  ["php", php],
  ["css scss sass less", styles],
];

function patternsFor(ending: string | undefined): Pattern[] {
  if (ending === undefined) return [...javascript, ...c];
  return byEnding.find(([endings]) => endings.split(" ").includes(ending))?.[1] ?? [];
}
