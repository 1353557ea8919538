import { expect, it } from "vitest";
import { isTestFile } from "./is-test-file.js";

it.each([
  [
    "any file called so",
    ["a.test.ts", "src/a.spec.tsx", "a.test-d.ts", "__tests__/a.js", "test/a.css", "x/tests/a.md"],
  ],
  ["Python", ["test_a.py", "pkg/a_test.py", "conftest.py"]],
  ["C and C++", ["test-a.c", "src/a_test.cc", "a-unittests.cpp"]],
  ["Go", ["store/a_test.go"]],
  ["Ruby", ["a_spec.rb", "test_a.rb", "spec/deep/a.rb"]],
  ["Java, C# and PHP", ["StoreTest.java", "StoreTests.cs", "StoreIT.php"]],
  ["Rust", ["src/tests.rs", "src/store_test.rs"]],
])("tells a test of %s by its path", (_language, paths) => {
  expect(paths.filter((path) => !isTestFile(path))).toEqual([]);
});

it("takes no file for a test that another language would call so", () => {
  const paths = ["test_a.ts", "conftest.rs", "src/a_test.js", "StoreTest.py", "a_spec.go", "contest.py", "latest/a.ts"];

  expect(paths.filter((path) => isTestFile(path))).toEqual([]);
});
