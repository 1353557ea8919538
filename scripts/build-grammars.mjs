// Makes dist/grammars/: what parses each language, as the grammars' own packages ship it, and nothing else of them.
import { copyFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const packages = join(dirname(dirname(fileURLToPath(import.meta.url))), "node_modules");

const grammars = [
  ["tree-sitter-c", "tree-sitter-c.wasm"],
  ["tree-sitter-c-sharp", "tree-sitter-c_sharp.wasm"],
  ["tree-sitter-cpp", "tree-sitter-cpp.wasm"],
  ["tree-sitter-go", "tree-sitter-go.wasm"],
  ["tree-sitter-java", "tree-sitter-java.wasm"],
  ["tree-sitter-javascript", "tree-sitter-javascript.wasm"],
  ["tree-sitter-php", "tree-sitter-php.wasm"],
  ["tree-sitter-python", "tree-sitter-python.wasm"],
  ["tree-sitter-ruby", "tree-sitter-ruby.wasm"],
  ["tree-sitter-rust", "tree-sitter-rust.wasm"],
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
