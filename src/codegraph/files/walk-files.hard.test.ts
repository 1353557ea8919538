import { rmSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { git, gitRepository, writeFiles } from "../../../test/support/git-repository.js";
import { walkFiles } from "./walk-files.js";

it("finds the files that git finds, whatever the .gitignore files say", async () => {
  const root = gitRepository();
  let [kept, ignored] = [0, 0];

  await fc.assert(
    fc.asyncProperty(tree(), async (files) => {
      for (const name of ["a", "b", "foo", ".gitignore"]) rmSync(join(root, name), { recursive: true, force: true });
      writeFiles(root, files);
      const expected = git(root, "ls-files", "-z", "--others", "--exclude-standard").split("\0").filter(Boolean);

      const { paths, problems } = await walkFiles(root);

      expect(paths.toSorted()).toEqual(expected.toSorted());
      expect(problems).toEqual([]);
      kept += expected.length;
      ignored += Object.keys(files).length - expected.length;
    }),
    { numRuns: 60 },
  );
  // Otherwise nothing would have been compared.
  expect(Math.min(kept, ignored)).toBeGreaterThan(50);
});

const patterns =
  `*.log|!*.log|a|/a|a/|!a/|foo/*|!foo/a|**/b|b/**|!b/1.ts|/foo/|*|!*/|[ab]|?.ts|!?.ts|\\[q]|[q]1|x y|x y/|y z|# a|1.ts |
foo/**/1.ts|B.TS|/|!.gitignore`.split(/[|\n]/);

/** Contents by path. */
function tree(): fc.Arbitrary<Record<string, string>> {
  const folder = fc.constantFrom("", "a/", "b/", "foo/", "foo/a/", "a/foo/b/", "foo/x y/", "a/[q]/");
  const file = fc.tuple(folder, fc.constantFrom("1.ts", "2.log", "B.ts", "y z", "[q]1")).map((parts) => parts.join(""));
  const pattern = fc.constantFrom(...patterns);
  const ignoring = fc.tuple(folder, fc.array(pattern, { minLength: 1, maxLength: 4 }));
  return fc
    .tuple(fc.array(file, { minLength: 4, maxLength: 14 }), fc.array(ignoring, { maxLength: 4 }))
    .map(([files, rules]) => ({
      ...Object.fromEntries(files.map((path) => [path.startsWith("a") || path.includes("/") ? path : `a/${path}`, ""])),
      ...Object.fromEntries(rules.map(([at, lines]) => [`${at}.gitignore`, lines.join("\n")])),
    }));
}
