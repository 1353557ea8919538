import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";

/**
 * The packages that are in the bundles, with the file of their licence. Only those that every command loads and that load no
 * others: opened as files of their own they take 9 of 130 ms of a recall (processor time, Node 20, 2026-11).
 */
const licences = {
  commander: "LICENSE",
  stemmer: "license",
};

/** Whether the bundler leaves an import to whoever loads the bundle. */
export function isOutside(id) {
  return !id.startsWith(".") && !isAbsolute(id) && !(id in licences);
}

/** Their licences ask to be where they are. */
export function copyLicences(root) {
  const folder = join(root, "dist", "licenses");
  mkdirSync(folder, { recursive: true });
  for (const [name, file] of Object.entries(licences)) {
    writeFileSync(join(folder, `${name}.txt`), readFileSync(join(root, "node_modules", name, file)));
  }
}
