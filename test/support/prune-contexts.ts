import { onTestFinished } from "vitest";
import { defaultSettings } from "../../src/config/settings.js";
import { Store } from "../../src/storage/storage.js";
import { identifyFolder } from "../../src/project/folder/identify-folder.js";
import type { MemoryContext } from "../../src/memory/change/change.js";
import { unfollowed } from "./unfollowed.js";

export const dayMs = 86_400_000;

export function inMemory(now: () => Date): MemoryContext {
  const context = inFile(":memory:", now);
  onTestFinished(() => context.store.close());
  return context;
}

export function inFile(db: string, now: () => Date): MemoryContext {
  return {
    store: new Store({ db, timeoutMs: 1000 }),
    project: { id: "test" },
    folder: () => identifyFolder("/"),
    settings: async () => defaultSettings(),
    ...unfollowed,
    now,
  };
}
