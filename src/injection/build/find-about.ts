import { MemoryError } from "../../base/memory-error.js";
import type { Memory } from "../../memory/memory.js";
import { readProject, type ProjectContext } from "../../project/project.js";
import { recall } from "../../retrieval/recall.js";
import type { InjectionPorts } from "../injection.js";
import { recipientIn, isEligible, type Recipient } from "../eligibility/is-eligible.js";
import { recallEligible, type Ask } from "../selection/recall-eligible.js";
import { countDistinctive, countNeeded } from "../selection/distinctive-words.js";
import { toActiveFiles, findActiveFiles } from "../active-files/find-active-files.js";
import { listOfActiveFiles, listModules, type ActiveFiles } from "../active-files/active-files-queries.js";

/** A piece of work that somebody is about to begin. */
export interface Work {
  task?: string | undefined;
  modules?: readonly string[] | undefined;
  /** Absolute, or relative to the root. */
  files?: readonly string[] | undefined;
  sessionId?: string | undefined;
}

/** What a piece of work is about, and what is known there. */
export interface KnownAbout extends ActiveFiles {
  /** Each once; the nearest, surest and newest first. */
  memories: Memory[];
}

// Of each type more than any context tells, since the nearest of them come first.
const maxOfType = 50;
const maxRecalled = 5;

/**
 * What is known about a piece of work, of these types: about the modules and files that are given, else those that the task
 * names, else those of what its words recall. Only what may be told.
 */
export async function findAbout(
  { context, recall: ports }: Pick<InjectionPorts, "context" | "recall">,
  { task = "", modules = [], files = [], sessionId }: Work,
  { types, minConfidence }: { types: string[]; minConfidence: number },
): Promise<KnownAbout> {
  refuseUnless(typeof task === "string", "task", "a text");
  refuseUnless(areTexts(modules), "modules", "a list of names");
  refuseUnless(areTexts(files), "files", "a list of paths");
  const { root } = await context.folder();
  const listener = await recipientIn(context, { minConfidence }, { sessionId });
  const given = toActiveFiles(root, files, modules);
  if (!isEmpty(given) || task.trim() === "") return listAbout(context, given, types, listener);
  const known = await readProject(context, [], listModules);
  const named = await listAbout(context, findActiveFiles(task, { root, known }, { strictly: false }), types, listener);
  if (named.memories.length > 0) return named;

  const wanted = countNeeded(task);
  const ask: Ask = async (options) => (await recall(context, ports, task, options)).results;
  const results = await recallEligible(ask, { types, limit: maxRecalled, includeUser: false }, listener);
  const recalled = results.filter(({ matched }) => countDistinctive(matched) >= wanted).map(({ memory }) => memory);
  const around = toActiveFiles(
    root,
    recalled.flatMap(({ relatedFiles }) => relatedFiles),
    recalled.flatMap(({ relatedModules }) => relatedModules),
  );
  const { memories } = await listAbout(context, around, types, listener);
  return { ...around, memories: [...new Map([...recalled, ...memories].map((one) => [one.id, one])).values()] };
}

function refuseUnless(fits: boolean, name: string, what: string): void {
  if (!fits) throw new MemoryError("invalid-input", `${name} must be ${what}.`, `Give ${what}, or leave it out.`);
}

function areTexts(values: unknown): boolean {
  return Array.isArray(values) && values.every((value) => typeof value === "string");
}

async function listAbout(
  context: ProjectContext,
  about: ActiveFiles,
  types: string[],
  listener: Recipient,
): Promise<KnownAbout> {
  if (isEmpty(about)) return { ...about, memories: [] };
  const near = await readProject(context, [], (reader, project) =>
    listOfActiveFiles(reader, project, { types, ...about, most: maxOfType }, listener, context.now()),
  );
  const told = near.filter((memory) => isEligible(memory, listener));
  return { ...about, memories: nearestFirst(told, about) };
}

function isEmpty({ modules, files }: ActiveFiles): boolean {
  return modules.length === 0 && files.length === 0;
}

/** Those of a file in play before those of a module, then the surer, then the newer. */
function nearestFirst(memories: readonly Memory[], { files }: ActiveFiles): Memory[] {
  const isNear = ({ relatedFiles }: Memory) => Number(relatedFiles.some((file) => files.includes(file)));
  return memories.toSorted(
    (a, b) =>
      isNear(b) - isNear(a) ||
      b.currentConfidence - a.currentConfidence ||
      (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : 0),
  );
}
