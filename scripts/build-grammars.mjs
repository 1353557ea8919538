// Makes dist/grammars/: what parses each language, as the grammars' own packages ship it, and nothing else of them.
import { copyFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const packages = join(dirname(dirname(fileURLToPath(import.meta.url))), "node_modules");

const grammars = [
  ["tree-sitter-javascript", "tree-sitter-javascript.wasm"],
  ["tree-sitter-python", "tree-sitter-python.wasm"],
  ["tree-sitter-typescript", "tree-sitter-tsx.wasm"],
  ["tree-sitter-typescript", "tree-sitter-typescript.wasm"],
];

export function buildGrammars(folder) {
  mkdirSync(folder, { recursive: true });
  for (const [name, file] of grammars) {
    copyFileSync(join(packages, name, file), join(folder, file.replace("tree-sitter-", "")));
    copyFileSync(join(packages, name, "LICENSE"), join(folder, `LICENSE-${name}`));
  }
}
