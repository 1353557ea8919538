import { plainWords } from "./shell-program.js";

/** Files that a script of sed or jq names: `sed '1r notes.md'`, `yq 'load("a.yaml")'`. */
export function loadedBy(program: string, args: readonly string[]): string[] {
  if (program === "sed")
    return args.flatMap((word) =>
      [...word.matchAll(/(?:^|[\d$/;{}!\s])[rR]\s+([^\s;}]+)/g)].map(([, path = ""]) => path),
    );
  if (!/^[jy]q$/.test(program)) return [];
  const named = args.flatMap((word) => [...word.matchAll(/\bload\w*\("([^"]+)"\)/g)].map(([, path = ""]) => path));
  const files = args.flatMap((word, at) => (/^--(?:slurpfile|rawfile)$/.test(word) ? (args[at + 2] ?? []) : []));
  return [...named, ...files];
}

/** Files that hold what a program is to look at, which it quotes where it finds nothing: `date -f`, `wc --files0-from=`. */
export function listsRead(program: string, args: readonly string[]): string[] {
  return args.flatMap((word, at) => {
    const [, joined] = /^--(?:files0-from|file|files-from)=(.+)$/.exec(word) ?? [];
    if (joined !== undefined && (word.startsWith("--files0") || /^(?:date|file)$/.test(program))) return joined;
    return /^(?:date|file)$/.test(program) && /^(?:-f|--file|--files-from)$/.test(word) ? (args[at + 1] ?? []) : [];
  });
}

/** Files that git reads without tracking them: `git diff --no-index`, `git blame --contents FILE`, `git config -f FILE`. */
export function filesOfGit(args: readonly string[]): string[] {
  const [verb = ""] = plainWords(args, ["-C", "-c"]);
  const plain = plainWords(args, ["-C", "-c"]).slice(1);
  if (args.includes("--no-index")) return plain;
  // Of two paths, one of which it can't know, git compares the files.
  if (verb === "diff" && plain.length === 2 && plain.some((path) => /^(?:\/|~|\.\.\/)/.test(path)))
    return plain.filter((path) => path !== "/dev/null" && /[/.]/.test(path));
  if (/^(?:merge-file|hash-object|interpret-trailers|patch-id|mailinfo|column|stripspace)$/.test(verb)) return plain;
  return args.flatMap((word, at) => {
    const [, , joined] = /^(--contents|--file)=(.+)$/.exec(word) ?? [];
    if (joined !== undefined) return joined;
    const takes = word === "--contents" || (verb === "config" && (word === "-f" || word === "--file"));
    return takes ? (args[at + 1] ?? []) : [];
  });
}
