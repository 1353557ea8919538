import { expect, it } from "vitest";
import { codeTree } from "../../../test/support/code-tree.js";
import { listKnownFiles, touchFiles } from "./file-queries.js";

it("notes when a file was read, unless another process has put it in anew since", async () => {
  const { store, tree } = await codeTree({ nodes: ["same.ts#a", "other.ts#b"] });
  await store.write((writer) => writer.run("UPDATE code_files SET hash = 'new' WHERE path = 'other.ts'"));

  const seen = { hash: "", size: 7, modifiedMs: 1000, readMs: 9000 };
  await store.write((writer) =>
    touchFiles(writer, tree, [
      { path: "same.ts", ...seen },
      { path: "other.ts", ...seen },
    ]),
  );

  const files = await store.read((reader) => listKnownFiles(reader, tree));
  expect(files.get("same.ts")).toMatchObject(seen);
  expect(files.get("other.ts")).toMatchObject({ hash: "new", size: 0, modifiedMs: 0, readMs: 0 });
});
