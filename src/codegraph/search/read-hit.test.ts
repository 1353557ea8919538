import { describe, expect, it } from "vitest";
import { chunkTree } from "../../../test/support/chunk-tree.js";
import { readHit } from "./read-hit.js";

describe("reading a hit", () => {
  it("gives its lines without secrets", async () => {
    const { tree } = await chunkTree({ "a.txt": "one\npassword=hunter2hunter2\nthree\nfour\n" });

    expect(await readHit(tree.root, { file: "a.txt", startLine: 2, endLine: 3 })).toBe(
      "password=[redacted:password]\nthree",
    );
  });

  it("gives nothing of a file that is gone or shorter now, or lies outside", async () => {
    const made = await chunkTree({ "a.txt": "one\ntwo\n", "b.txt": "one\n" });
    const { root } = made.tree;
    await made.put({ "a.txt": "one\n", "b.txt": undefined }, { isIndexed: false });

    expect(await readHit(root, { file: "a.txt", startLine: 1, endLine: 2 })).toBeUndefined();
    expect(await readHit(root, { file: "b.txt", startLine: 1, endLine: 1 })).toBeUndefined();
    expect(await readHit(root, { file: "../../etc/hosts", startLine: 1, endLine: 1 })).toBeUndefined();
  });
});
