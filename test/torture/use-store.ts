import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Diagnosis, Memory } from "../../src/index.js";
import { callVerbs, temporaryFolder, type ProgramOptions } from "./programs.js";
import { randomFrom, sentence } from "./sentence.mjs";

export type Call = [verb: string, ...args: unknown[]];

/** What a verb gave or threw in a process of its own. */
export interface Outcome {
  verb: string;
  value?: unknown;
  error?: { name: string; code: string; message: string; hint: string; isMemoryError: boolean };
}

/** A store that no process has open, and what is in it: contents by id. */
export interface ClosedStore {
  folder: string;
  db: string;
  contents: Map<string, string>;
}

/** Calls verbs of the library in another process, so that afterwards nobody has the store open. */
export async function useStore(db: string, calls: Call[], options: ProgramOptions = {}): Promise<Outcome[]> {
  const lines = await callVerbs({ db, project: "p", timeoutMs: 3000, calls: [...calls, ["close"]] }, options);
  return lines.map(({ call, ...rest }) => ({ verb: (call as Call)[0], ...rest }));
}

export function outcomeOf(outcomes: Outcome[], verb: string): Outcome {
  const found = outcomes.find((outcome) => outcome.verb === verb);
  if (!found) throw new Error(`${verb} was never reached: ${JSON.stringify(outcomes)}`);
  return found;
}

export function diagnosisIn(outcomes: Outcome[]): Diagnosis {
  return outcomeOf(outcomes, "store.diagnose").value as Diagnosis;
}

/** What `list` gave: contents by id. */
export function contentsIn(outcomes: Outcome[]): Map<string, string> {
  return new Map((outcomeOf(outcomes, "list").value as Memory[]).map(({ id, content }) => [id, content]));
}

/** Those of the verbs that did not throw a MemoryError with one of these codes and a hint. */
export function notRefused(outcomes: Outcome[], verbs: string[], codes: string[]): unknown[] {
  return verbs.flatMap((verb) => {
    const { error, value } = outcomes.find((outcome) => outcome.verb === verb) ?? outcomeOf(outcomes, "open");
    return error?.isMemoryError === true && codes.includes(error.code) && error.hint !== ""
      ? []
      : [{ verb, error, value }];
  });
}

export async function closedStore(count: number): Promise<ClosedStore> {
  const folder = temporaryFolder();
  const db = join(folder, "memory.db");
  const random = randomFrom(count);
  const inputs = Array.from({ length: count }, (_, index) => ({
    content: sentence(random, `memory ${index}`),
    tags: [`tag${index % 7}`],
    relatedFiles: [`src/file${index % 11}.ts`],
  }));
  const kept = outcomeOf(await useStore(db, [["rememberMany", inputs]]), "rememberMany").value as Memory[];
  expect(readdirSync(folder)).toEqual(["memory.db"]);
  return { folder, db, contents: new Map(kept.map(({ id }, index) => [id, inputs[index]?.content ?? ""])) };
}

/** Every file below a folder, by its hash. */
export function picture(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const file = join(parentPath, name);
      return [file.slice(folder.length + 1), hashOf(readFileSync(file))];
    }),
  );
}

/** What is no longer the same byte for byte, and what came to be with a byte in it. */
export function changesSince(before: Record<string, string>, folder: string): string[] {
  const after = picture(folder);
  const changed = Object.keys(before).filter((file) => after[file] !== before[file]);
  const created = Object.keys(after).filter((file) => !(file in before) && after[file] !== hashOf(Buffer.alloc(0)));
  return [...changed.map((file) => `${file} was changed`), ...created.map((file) => `${file} was created`)];
}

function hashOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
