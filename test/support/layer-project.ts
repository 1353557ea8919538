import type { MemoryContext } from "../../src/memory/change/change.js";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { defaultSettings } from "../../src/config/settings.js";
import type { Settings } from "../../src/config/config.js";
import { list } from "../../src/memory/read/list.js";
import type { FolderIdentity } from "../../src/project/folder/identify-folder.js";
import type { MemoryInput, RememberedMemory, Status } from "../../src/memory/memory.js";
import { remember, type RememberOptions } from "../../src/memory/remember/remember-memories.js";
import { Store } from "../../src/storage/storage.js";
import { movableClock } from "./open-memories.js";
import { temporaryFolder } from "./temporary-folder.js";
import { unfollowed } from "./unfollowed.js";

/** A project with a MEMORY.md in a folder of its own. */
export function layerProject(options: { settings?: Partial<Settings>; remoteKey?: string; db?: string } = {}) {
  const store = new Store({ db: options.db ?? ":memory:", timeoutMs: 5000 });
  onTestFinished(() => store.close());
  const clock = movableClock("2026-03-01T12:00:00.000Z");
  const root = temporaryFolder();
  const tree: FolderIdentity = {
    root,
    name: "shop",
    pathKey: `path:${root}`,
    ...(options.remoteKey !== undefined && { remoteKey: options.remoteKey }),
  };
  const context: MemoryContext = {
    store,
    project: { id: "shop" },
    folder: async () => tree,
    settings: async () => ({ ...defaultSettings(), ...options.settings }),
    ...unfollowed,
    now: clock.now,
  };
  const user: MemoryContext = { ...context, project: { id: "user" } };
  const folder = join(root, "layer");
  const file = join(folder, "MEMORY.md");
  return {
    context,
    user,
    clock,
    tree,
    folder,
    file,
    keep: async (input: MemoryInput | string, keeping: RememberOptions = {}) => {
      clock.moveTo(new Date(clock.now().getTime() + 1000).toISOString());
      const [kept] = await remember(context, [typeof input === "string" ? { content: input } : input], keeping);
      return kept as RememberedMemory;
    },
    read: () => readFileSync(file, "utf8"),
    write: (text: string) => writeFileSync(file, text),
    /** As a person does it in an editor. */
    edit: (before: string | RegExp, after: string) => {
      const text = readFileSync(file, "utf8");
      if (typeof before === "string" ? !text.includes(before) : !before.test(text))
        throw new Error(`MEMORY.md does not hold ${String(before)}`);
      writeFileSync(
        file,
        text.replace(before, () => after),
      );
    },
    texts: async (status: Status = "active", of = context) =>
      (await list(of, { status })).map(({ content }) => content).toSorted(),
  };
}

/** For lists of lists, in an order that does not matter. */
export function byText(a: unknown, b: unknown): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}
