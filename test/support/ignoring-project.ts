import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { vi } from "vitest";
import type { IgnoreSetting } from "../../src/index.js";
import { commitFiles, git, gitRepository } from "./git-repository.js";
import { temporaryFolder } from "./temporary-folder.js";

/** Stands in names, contents, commands and answers of what is ignored, and in nothing else. No stem of another word. */
export const mark = "zqxjkvw";
export const secretFile = `vaulted/${mark}.ts`;

/** What one tool was given and answered. */
export interface Use {
  tool: "read" | "edit" | "bash" | "grep";
  input: Record<string, string>;
  answer: string;
  failed?: boolean;
}

/** How somebody says that it is to be ignored. */
export interface Way {
  name: string;
  files?: Record<string, string>;
  setting?: (root: string) => Partial<IgnoreSetting>;
  uses: Use[];
  prompt: string;
}

export interface IgnoringProject {
  root: string;
  home: string;
  db: string;
  /** A folder that Tacit does not write to. */
  aside: string;
  way: Way;
}

/** A repository with something to ignore, and a Tacit of its own. */
export function ignoringProject(way: Way): IgnoringProject {
  const [root, home] = [gitRepository(), temporaryFolder()];
  commitFiles(root, {
    "src/cart.ts": "export const cart = [];\n",
    "src/tax.ts": "export const tax = 0.2;\n",
    "README.md": "# Shop\n\nA shop that sells books.\n",
    [secretFile]: `export const ${mark} = "${mark}-1234";\nexport function open_${mark}() { return ${mark}; }\n`,
    ...way.files,
  });
  git(root, "remote", "add", "origin", "https://github.com/acme/shop.git");
  const ignore = way.setting?.(root);
  mkdirSync(home, { recursive: true });
  if (ignore) writeFileSync(join(home, "tacit.config.json"), JSON.stringify({ ignore }));
  vi.stubEnv("TACIT_HOME", home);
  return { root, home, db: join(home, "memory.db"), aside: temporaryFolder(), way };
}

/** The files of a folder that hold the mark in any of their bytes or in their names. */
export function filesWithMark(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => {
    const path = join(folder, name);
    if (name.toLowerCase().includes(mark)) return true;
    return statSync(path).isFile() && readFileSync(path).toString("latin1").toLowerCase().includes(mark);
  });
}

const red = ` FAIL  test/cart.test.ts\nTypeError: ${mark} is not a function\n ❯ ${secretFile}:2:14\n      Tests  1 failed (1)`;

const touching: Use[] = [
  { tool: "read", input: { path: "src/cart.ts" }, answer: "export const cart = [];" },
  { tool: "read", input: { path: secretFile }, answer: `export const ${mark} = 1;` },
  { tool: "edit", input: { path: secretFile, old: mark, new: `${mark}2` }, answer: `Updated ${secretFile}` },
  { tool: "grep", input: { pattern: "open", path: "vaulted" }, answer: `${secretFile}:2: open_${mark}` },
  { tool: "grep", input: { pattern: "export", path: "." }, answer: `src/tax.ts:1:a\n${secretFile}:1:${mark}` },
  { tool: "bash", input: { command: `cat ${secretFile} | head` }, answer: mark },
  { tool: "bash", input: { command: `cd vaulted && grep -n '${mark}' *.ts` }, answer: `1:${mark}` },
  { tool: "bash", input: { command: `for f in vault*/*; do wc -l $f; echo ${mark}; done` }, answer: mark },
  { tool: "bash", input: { command: `python3 -c "print(open('${secretFile}').read())"` }, answer: mark },
  { tool: "bash", input: { command: `git show HEAD:${secretFile}` }, answer: mark },
  { tool: "bash", input: { command: "npm test" }, answer: red, failed: true },
  { tool: "edit", input: { path: "src/cart.ts", old: "[]", new: "{}" }, answer: "Updated src/cart.ts" },
  { tool: "bash", input: { command: "npm test" }, answer: "      Tests  1 passed (1)" },
];

const running: Use[] = [
  { tool: "read", input: { path: "src/cart.ts" }, answer: "export const cart = [];" },
  { tool: "bash", input: { command: `hushtool get ${mark}` }, answer: `${mark}=1` },
  { tool: "bash", input: { command: `A=1 timeout 9 hushtool read ${mark} | jq .` }, answer: `{"${mark}": 1}` },
  { tool: "bash", input: { command: `export T=$(hushtool get ${mark}); echo ok` }, answer: mark },
  { tool: "bash", input: { command: `bash -lc "cd src && hushtool get ${mark}"` }, answer: mark, failed: true },
  { tool: "edit", input: { path: "src/cart.ts", old: "[]", new: "{}" }, answer: "Updated src/cart.ts" },
  { tool: "bash", input: { command: "npm test" }, answer: "      Tests  1 passed (1)" },
];

const byPath = {
  uses: touching,
  prompt: `Look at @${secretFile}, \`${secretFile}\` and ${secretFile}:2, then mend it.`,
};
const byCommand = { uses: running, prompt: "Mend the cart." };
const everything = { uses: [...touching, ...running], prompt: `Mend ${mark} in ${secretFile}.` };

export const ways: Way[] = [
  { name: "a path in .tacitignore", files: { ".tacitignore": "# ours\nvaulted/\n" }, ...byPath },
  { name: "a pattern in a nested .tacitignore", files: { "vaulted/.tacitignore": "*.ts\n" }, ...byPath },
  { name: "a path in the setting", setting: () => ({ paths: ["vaulted/**"] }), ...byPath },
  { name: "a command in the setting", setting: () => ({ commands: ["hushtool *"] }), ...byCommand },
  { name: "a project by its folder", setting: (root) => ({ projects: [root] }), ...everything },
  { name: "a project by its remote", setting: () => ({ projects: ["github.com/acme/*"] }), ...everything },
];

/** The same without anybody saying so: all of it is noted. */
export const notIgnored: Way[] = [
  { name: "paths", ...byPath },
  { name: "commands", ...byCommand },
];
