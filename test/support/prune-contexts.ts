import { onTestFinished } from "vitest";
import { defaultSettings } from "../../src/config/settings.js";
import { Store } from "../../src/storage/storage.js";
import { identifyFolder } from "../../src/project/folder/identify-folder.js";
import type { ProjectContext } from "../../src/project/project-context.js";

export const dayMs = 86_400_000;

export function inMemory(now: () => Date): ProjectContext {
  const context = inFile(":memory:", now);
  onTestFinished(() => context.store.close());
  return context;
}

export function inFile(db: string, now: () => Date): ProjectContext {
  return {
    store: new Store({ db, timeoutMs: 1000 }),
    project: { id: "test" },
    folder: () => identifyFolder("/"),
    settings: async () => defaultSettings(),
    now,
  };
}
