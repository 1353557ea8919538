import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** Removes every declaration that none of the package's own `types` leads to: four fifths of them describe inner modules. */
export function pruneDeclarations(root) {
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const needed = new Set();
  for (const { types } of Object.values(exports)) if (types) addWithImports(resolve(root, types), needed);
  removeOthers(join(root, "dist"), needed);
}

function addWithImports(file, needed) {
  if (needed.has(file)) return;
  if (!existsSync(file)) throw new Error(`A declaration that others import is missing: ${file}`);
  needed.add(file);
  const imports = readFileSync(file, "utf8").matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)\.js"/g);
  for (const [, path] of imports) addWithImports(resolve(dirname(file), `${path}.d.ts`), needed);
}

function removeOthers(folder, needed) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) removeOthers(path, needed);
    else if (!needed.has(path)) rmSync(path);
  }
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}
