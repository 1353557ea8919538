import { keepsToKnownMembers, type Language } from "./code-members.js";

/**
 * Whether a short program that an agent types shows no more than its own words, what it is fed and files that it names: it
 * starts nothing, asks nobody, and knows each file that it opens by its name. Those files are judged by themselves. Not a
 * parser: what it does not understand is not such a program.
 */
export function isPlainCode(code: string, program = ""): boolean {
  if (code.length > longestCode) return false;
  for (const [, module] of modulesOf(code)) {
    const name = (module ?? "").replace(/^node:/, "");
    // A module of the folder is judged by its file.
    if (/^\.{1,2}\//.test(name)) continue;
    if (!plainModules.has(name) && !plainModules.has(name.split(".")[0] ?? "")) return false;
  }
  // What is only quoted does nothing, as long as nothing evaluates it; a template holds code of its own.
  // A longer one stays as it is: a quote that is never closed would be followed to the end, and so would the next.
  const bare = code.replace(/(?<![rbf])(["'])(?:(?!\1)[^\\\n]|\\.){0,1000}\1/gi, '""');
  if (reaching.test(bare) || !keepsToKnownMembers(bare, code, languageOf(program))) return false;
  // Where a file is opened by something else than its name, it may be any.
  for (const { index, 0: opener } of code.matchAll(openers)) {
    if (!opened.test(code.slice(index + opener.length, index + opener.length + 320))) return false;
  }
  return true;
}

const longestCode = 20_000;

function languageOf(program: string): Language | undefined {
  if (/^(?:py|pypy|python)[\d.]*$/.test(program)) return "python";
  if (/^(?:node|nodejs|deno|bun|tsx|ts-node|vite-node|jiti)$/.test(program)) return "javascript";
  return /^(?:ruby|perl|php)/.exec(program)?.[0] as Language | undefined;
}

function* modulesOf(code: string): Generator<readonly [string, string | undefined]> {
  for (const [all, list = ""] of code.matchAll(
    /(?:^|[;\n])[ \t]*import[ \t]+([\w., \t]{1,300}?)(?=[ \t]*(?:$|[;\n#]|\bas\b))/gm,
  )) {
    for (const name of list.split(",")) yield [all, name.trim().replace(/\s+as\s.*$/, "")];
  }
  for (const [all, name] of code.matchAll(/(?:^|[;\n])[ \t]*from[ \t]+([\w.]{1,100})[ \t]+import\b/gm))
    yield [all, name];
  for (const [all, name] of code.matchAll(/\b(?:require|import)\s*\(?\s*["'`]([^"'`\n]{1,200})["'`]/g))
    yield [all, name];
  for (const [all, name] of code.matchAll(/\bfrom\s+["'`]([^"'`\n]{1,200})["'`]/g)) yield [all, name];
  for (const [all, name] of code.matchAll(/(?:^|[;\n])[ \t]*use[ \t]+([\w:]{1,100})/gm)) yield [all, name];
}

const plainModules: ReadonlySet<string> = new Set(
  `json sys re os pathlib collections itertools functools math datetime time string textwrap csv io typing dataclasses ast
  tokenize difflib hashlib base64 struct random statistics decimal fractions operator pprint copy enum uuid fnmatch shutil
  tomllib tomli toml yaml html unicodedata argparse xml fs path url util assert crypto events buffer perf_hooks
  strict warnings JSON JSON::PP utf8`.split(/\s+/),
);

const reaching =
  /\b(?:subprocess|popen|posix\w*|environb|__builtins__|__dict__|breakpoint|setattr|vars|locals|system|spawn\w*|child_process|eval|compile|__import__|importlib|import_module|environ|getenv|ENV|fetch|XMLHttpRequest|WebSocket|urlopen|requests|socket|globalThis|Function|getattr|globals|qx|proc_open|shell_exec|passthru|glob|rglob|iterdir|listdir|(?<!\bast\.)walk|scandir|readdir\w*)\b|(?<![.\w])exec\w*\s*\(|process\.(?:env|binding|dlopen)|\bimport\s*\(\s*[^"'`\s]|\brequire\s*\(\s*[^"'`\s]|%x|<%|\bargv\b/i;

// Its name and nothing added to it.
const opened = /^\s{0,9}(?:\)|open\s*\(|[rbu]?(["'])(?:(?!\1)[^\\\n]){0,300}\1\s{0,9}[,)]|0\s{0,9}[,)])/;
const openers =
  /\bopen\w*\s*\(|\bPath\s*\(|\breadFile(?:Sync)?\s*\(|\bcreateReadStream\s*\(|\bFile\.(?:read|readlines|binread|open|foreach)\s*\(?|\b(?:load_file|iterparse)\s*\(|\b(?:ET|E|etree|ElementTree|minidom|sax)\.parse\s*\(|\btoml\.load\s*\(|\bfile_get_contents\s*\(|\breadTextFile(?:Sync)?\s*\(/g;
