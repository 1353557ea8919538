import { estimateTokens } from "../../base/tokens/tokens.js";
import { MemoryError } from "../../base/memory-error.js";
import { listLinkedMemories } from "../links/list-linked-memories.js";
import type { Code } from "../code-memory.js";
import {
  chooseSections,
  type CodeDigest,
  openDigesting,
  readDigest,
  readModules,
  readShortPurpose,
} from "../../codegraph/modules/modules.js";
import type { FolderIdentity } from "../../project/folder/identify-folder.js";
import { listMemories } from "../../memory/read/read.js";
import type { Project, ProjectContext } from "../../project/project.js";
import { sectionsOf } from "./module-sections.js";
import type { ModuleDigest, ModuleList, ModuleOptions } from "./module.js";
import { openCurrentTree } from "../tree/current-tree.js";
import type { Reader } from "../../storage/storage.js";

/** Where modules are asked about. */
export interface ModulesSource {
  context: ProjectContext;
  here: FolderIdentity | undefined;
  code: Code;
}

// Two screens, and a small part of what a session may be told.
const usualTokens = 1500;
const maxMemories = 50;

export async function listModules({ context, here, code }: ModulesSource): Promise<ModuleList> {
  const notes = await code.notes();
  return openCurrentTree(context, here).ask(async (reader, tree, project) => {
    const digesting = await openDigesting(reader, project.number, await readModules(reader, tree));
    const modules = [];
    for (const module of digesting.modules.list) {
      const { files, tests, ...rest } = module;
      const purpose = await readShortPurpose(digesting, module);
      modules.push({ ...rest, files: files.length, tests: tests.length, purpose });
    }
    return { modules, notes };
  });
}

export async function readModule(
  { context, here, code }: ModulesSource,
  name: string,
  { budgetTokens = usualTokens }: ModuleOptions = {},
): Promise<ModuleDigest> {
  if (typeof name !== "string" || name.trim() === "") {
    throw new MemoryError("invalid-input", "Which module is not said.", "tacit module lists them all.");
  }
  const notes = await code.notes();
  const own = openCurrentTree(context, here);
  const [wanted = ""] = own.fromRoot([name]);
  return own.ask(async (reader, tree, project) => {
    const digesting = await openDigesting(reader, project.number, await readModules(reader, tree));
    const digest = await readDigest(digesting, wanted);
    const memories = await listModuleMemories(reader, project, digest, context.now());
    const sections = chooseSections(sectionsOf(digest, memories), budgetTokens, estimateTokens);
    return { ...digest, memories, sections, notes };
  });
}

/** What is linked to its files, and what says that it is about the module, by whatever name. */
async function listModuleMemories(
  reader: Reader,
  project: Project,
  { name, folder, packageName, files, tests, parts }: CodeDigest,
  now: Date,
): Promise<ModuleDigest["memories"]> {
  const all = [...files, ...tests];
  // A decision may be about a folder of it.
  const folders = new Set(all.map((file) => file.slice(0, Math.max(0, file.lastIndexOf("/")))));
  folders.delete("");
  const nodes = [...all, ...folders].map((file) => ({ id: file, file }));
  const names = [
    name,
    ...parts,
    ...(folder === "" ? [] : [folder]),
    ...(packageName === undefined ? [] : [packageName]),
  ];
  const modules = [...new Set([...names, ...names.map((one) => `module:${one}`)])];
  const stated = await listMemories(reader, project, { modules, includeTainted: false, limit: maxMemories }, now);
  const linked = await listLinkedMemories(reader, project, nodes, now);
  const known = new Set(stated.map(({ id }) => id));
  return [
    ...stated.map((memory) => ({ memory, on: name })),
    ...linked.filter(({ memory }) => !known.has(memory.id)).map(({ memory, on }) => ({ memory, on })),
  ].slice(0, maxMemories);
}
