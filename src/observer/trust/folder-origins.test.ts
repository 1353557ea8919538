import { describe, expect, it } from "vitest";
import { foldersOf, markFolders, type Origin } from "./folder-origins.js";

describe("a folder", () => {
  it("is clean while every file below it is, and tainted by one that is not", () => {
    const folders = foldersOf([
      ["src/ui/a.ts", "clean"],
      ["src/b.ts", "tainted"],
      ["c.ts", "tainted"],
    ]);

    expect([...folders]).toEqual([
      ["src/ui", "clean"],
      ["src", "tainted"],
    ]);
  });

  it("stays tainted whatever is written to it later", () => {
    const folders = new Map<string, Origin>();

    markFolders(folders, "src/ui/a.ts", "tainted");
    markFolders(folders, "src/ui/a.ts", "clean");

    expect([...folders.values()]).toEqual(["tainted", "tainted"]);
  });
});
