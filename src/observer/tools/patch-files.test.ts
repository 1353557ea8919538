import { expect, it } from "vitest";
import { patchFiles } from "./patch-files.js";

it("a patch that moves a file changes both paths", () => {
  const patch = "*** Begin Patch\n*** Update File: src/a.ts\n*** Move to: src/b.ts\n@@\n-x\n+y\n*** End Patch\n";

  expect(patchFiles(patch)).toEqual(["src/a.ts", "src/b.ts"]);
});
