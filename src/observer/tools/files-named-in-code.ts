// So much of a program that somebody types into a shell.
const longestCode = 8000;
const maxFiles = 20;

/**
 * The files that a short program reads, where it names them: `open("a.md")`, `require("./a.json")`. Modules that it loads
 * are not shown, nor is what it opens to write.
 */
export function filesNamedInCode(code: string): string[] {
  const files = new Set<string>();
  for (const { 1: opener = "", 3: path = "", 4: isWritten } of code.slice(0, longestCode).matchAll(literals)) {
    if (isWritten !== undefined || path.includes("://") || writers.test(opener)) continue;
    if (readers.test(opener) || texts.test(path)) files.add(path);
    if (files.size >= maxFiles) break;
  }
  return [...files];
}

// The function it is given to, the quoted text, and what tells that it is written.
const literals =
  /(?:\b([A-Za-z_.]{1,40})\(\s{0,9})?[rbu]?(["'`])((?:(?!\2)[^\\\n]){1,300})\2(\s{0,9},\s{0,9}["'][wax]|\)\.write)?/g;
const readers =
  /(?:^|\.)(?:f?open|Path|readFile\w*|readTextFile\w*|read_\w+|createReadStream|file_get_contents|File\.(?:read\w*|foreach|open|binread)|load_file|(?:ET|E|etree|ElementTree|minidom|sax)\.parse|iterparse|toml\.load|readfile)$/;
const writers = /(?:write|append|mkdir|rm|unlink|exists|log|print|puts|join)\w*$/i;
const texts = /^[^\s(){}=]*\.(?:md|txt|json|ya?ml|csv|tsv|html?|log|xml|toml|ini|rst|adoc)$/i;
