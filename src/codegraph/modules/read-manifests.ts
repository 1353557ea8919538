import { parse } from "jsonc-parser";
import { readSource } from "../files/read-source.js";
import { folderOf } from "../tree/paths.js";
import { isTestFile } from "../languages/is-test-file.js";
import type { LanguageLayout, ManifestTarget } from "../languages/language-layout.js";
import { languages } from "../languages/languages.js";

/** What makes a folder a package, and what it says of it. */
export interface Manifest {
  folder: string;
  name?: string;
  description?: string;
  /** Files that it lets others begin with, as it names them, and what for: `bin`, `main`, `exports`. */
  targets: ManifestTarget[];
}

const samples = /(?:^|\/)(?:__fixtures__|fixtures?|testdata|samples?)\//;

// As many as may be open at once everywhere.
const readAtOnce = 64;

/** The packages among the files of a tree; not what only tests and samples have. Texts are read as they are now. */
export async function readManifests(root: string, paths: readonly string[]): Promise<Manifest[]> {
  const found = paths.filter((path) => layoutOf(path) && !samples.test(path) && !isTestFile(path)).toSorted();
  const manifests = new Map<string, Manifest>();
  for (let at = 0; at < found.length; at += readAtOnce) {
    const page = found.slice(at, at + readAtOnce);
    const sources = await Promise.all(page.map((path) => readSource(root, path)));
    page.forEach((path, n) => {
      const source = sources[n];
      const manifest = readManifest(path, source && "text" in source ? source.text : "");
      // A folder may have several. What one does not say, another may.
      if (manifest) manifests.set(manifest.folder, { ...manifest, ...manifests.get(manifest.folder) });
    });
  }
  return [...manifests.values()];
}

/** The language that says of a file that it makes its folder a package. */
function layoutOf(path: string): LanguageLayout | undefined {
  return languages.find(({ layout }) => layout?.manifests?.test(path))?.layout;
}

/** Undefined for what has the name of a manifest and makes no package, such as one that only says what kind of files it has. */
function readManifest(path: string, text: string): Manifest | undefined {
  const folder = folderOf(path);
  const file = path.slice(folder === "" ? 0 : folder.length + 1);
  if (file.endsWith(".json")) return readJson(folder, text);
  if (file.endsWith(".toml")) return readToml(folder, text);
  const name = layoutOf(path)?.packageName?.(file, text);
  return { folder, targets: [], ...(name !== undefined && { name }) };
}

function readJson(folder: string, text: string): Manifest | undefined {
  const manifest = (parse(text, [], { allowTrailingComma: true }) ?? {}) as Record<string, unknown>;
  if (typeof manifest["name"] !== "string" || manifest["name"] === "") return undefined;
  const { name, description, main, module, bin, exports } = manifest;
  return {
    folder,
    name,
    ...(typeof description === "string" && { description }),
    targets: [
      ...leaves(bin).map((target) => ({ target, as: "bin" })),
      ...leaves(exports).map((target) => ({ target, as: "exports" })),
      ...leaves([main, module]).map((target) => ({ target, as: "main" })),
    ],
  };
}

/** Every text in it, however deep it stands. */
function leaves(value: unknown, depth = 0): string[] {
  if (typeof value === "string") return [value];
  if (depth > 8 || typeof value !== "object" || value === null) return [];
  return [...new Set(Object.values(value).flatMap((inner) => leaves(inner, depth + 1)))];
}

/** Of TOML what stands on one line: names, descriptions and scripts do. */
function readToml(folder: string, text: string): Manifest {
  const manifest: Manifest = { folder, targets: [] };
  let section = "";
  for (const line of text.split(/\r?\n/)) {
    section = /^\s*\[+\s*([^\]]+?)\s*\]+/.exec(line)?.[1] ?? section;
    const [, key = "", value = ""] = /^\s*["']?([\w.-]+)["']?\s*=\s*["']([^"']*)["']/.exec(line) ?? [];
    if (/^(?:package|project|tool\.poetry)$/.test(section)) {
      if (key === "name" && value !== "") manifest.name ??= value;
      if (key === "description" && value !== "") manifest.description ??= value;
    }
    if (/^(?:project\.scripts|tool\.poetry\.scripts)$/.test(section) && value !== "") {
      manifest.targets.push({ target: value, as: "script" });
    }
  }
  return manifest;
}
