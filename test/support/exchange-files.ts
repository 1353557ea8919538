import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { TacitMemory } from "../../src/index.js";
import { openTestMemory } from "./open-memories.js";
import { temporaryFolder } from "./temporary-folder.js";

export async function openFile(): Promise<TacitMemory> {
  return openTestMemory({ db: join(temporaryFolder(), "memory.db") });
}

export function contentsOf(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder)
      .toSorted()
      .map((name) => [name, readFileSync(join(folder, name), "utf8")]),
  );
}
