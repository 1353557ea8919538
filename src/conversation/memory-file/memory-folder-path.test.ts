import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { memoryFolderPath } from "./memory-folder-path.js";

const place = { home: "/h/.tacit", root: "/w/shop", memoryFolder: null, projectId: "shop" };

describe("the folder of MEMORY.md", () => {
  it("[D5] is below Tacit's own, below the project, or one of many elsewhere", () => {
    expect(memoryFolderPath(place)).toBe(join("/h/.tacit", "layers", "shop"));
    expect(memoryFolderPath({ ...place, memoryFolder: "docs/memory" })).toBe(join("/w/shop", "docs/memory"));
    expect(memoryFolderPath({ ...place, memoryFolder: "." })).toBe("/w/shop");
    expect(memoryFolderPath({ ...place, memoryFolder: "/m" })).toBe(join("/m", "shop"));
    expect(memoryFolderPath({ ...place, memoryFolder: "~/m" })).toBe(join(homedir(), "m", "shop"));
    expect(() => memoryFolderPath({ ...place, memoryFolder: "a/../../other" })).toThrow("leads out of the project");
  });

  it("has a name of its own for every project, whatever that is called", () => {
    const ids = [
      "..",
      ".",
      "",
      "a/b",
      "a-b",
      "A-b",
      "a b",
      "ä/ü",
      "con",
      "../../etc",
      "x".repeat(300),
      "x".repeat(299),
      "a\\b",
    ];
    const uuid = "0198c0de-0000-7000-8000-0123456789ab";
    const names = ids.map((projectId) => memoryFolderPath({ ...place, projectId }).slice("/h/.tacit/layers/".length));

    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(ids.length);
    expect(names.filter((name) => !/^[a-z0-9][a-z0-9-]{0,63}$/.test(name) || name === "con")).toEqual([]);
    expect(memoryFolderPath({ ...place, projectId: uuid })).toBe(`/h/.tacit/layers/${uuid}`);
    // An id that looks like the name that another one was given.
    expect(memoryFolderPath({ ...place, projectId: names[3] ?? "" })).not.toBe(
      memoryFolderPath({ ...place, projectId: "a/b" }),
    );
    expect(memoryFolderPath({ ...place, db: "/other.db" })).not.toBe(memoryFolderPath(place));
  });
});
