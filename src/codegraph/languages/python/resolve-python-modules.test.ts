import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stemsOf } from "../stems-of.js";
import { createPythonResolver } from "./resolve-python-modules.js";

describe("modules of a Python tree", () => {
  it("are found from the package that imports them, and from the root", () => {
    const resolve = resolverOf(
      "app/__init__.py",
      "app/main.py",
      "app/db/__init__.py",
      "app/db/store.py",
      "scripts/run.py",
    );

    expect(resolve("app/main.py", "app.db.store")).toBe("app/db/store.py");
    expect(resolve("app/main.py", "app.db")).toBe("app/db/__init__.py");
    expect(resolve("scripts/run.py", "app.main")).toBe("app/main.py");
    expect(resolve("app/main.py", "app.gone")).toBe("missing");
    expect(resolve("app/main.py", "numpy.linalg")).toBe("outside");
  });

  it("are found relative to a file, also from __init__.py", () => {
    const resolve = resolverOf("app/__init__.py", "app/a.py", "app/db/__init__.py", "app/db/store.py");

    expect(resolve("app/db/store.py", ".")).toBe("app/db/__init__.py");
    expect(resolve("app/db/store.py", "..a")).toBe("app/a.py");
    expect(resolve("app/db/__init__.py", ".store")).toBe("app/db/store.py");
    expect(resolve("app/db/store.py", "..gone")).toBe("missing");
    expect(resolve("app/a.py", "....a")).toBe("outside");
  });

  it("are found below src/, in another project of the tree, and beside a script", () => {
    const resolve = resolverOf(
      "libs/one/pyproject.toml",
      "libs/one/src/one/__init__.py",
      "libs/one/tests/helpers.py",
      "libs/one/tests/test_one.py",
      "libs/two/setup.py",
      "libs/two/two/__init__.py",
      "libs/two/two/deep.py",
    );

    expect(resolve("libs/one/tests/test_one.py", "one")).toBe("libs/one/src/one/__init__.py");
    expect(resolve("libs/one/tests/test_one.py", "helpers")).toBe("libs/one/tests/helpers.py");
    expect(resolve("libs/one/src/one/__init__.py", "two.deep")).toBe("libs/two/two/deep.py");
    expect(resolve("libs/two/two/deep.py", "helpers")).toBe("outside");
  });

  it("are those of the own project, where two have one of that name", () => {
    const resolve = resolverOf(
      ...["a", "b"].flatMap((name) => [
        `${name}/pyproject.toml`,
        `${name}/src/app/__init__.py`,
        `${name}/tests/test_it.py`,
      ]),
    );

    expect(resolve("a/tests/test_it.py", "app")).toBe("a/src/app/__init__.py");
    expect(resolve("b/tests/test_it.py", "app")).toBe("b/src/app/__init__.py");
  });

  it("may be in packages without __init__.py", () => {
    const resolve = resolverOf("src/space/tools/cut.py", "space/other.py", "run.py");

    expect(resolve("run.py", "space.tools.cut")).toBe("src/space/tools/cut.py");
    expect(resolve("run.py", "space.other")).toBe("space/other.py");
    expect(resolve("src/space/tools/cut.py", ".")).toBe("outside");
  });

  it("run before they state types, and a package comes before a module", () => {
    const resolve = resolverOf("a.pyi", "a.py", "b.pyi", "c/__init__.py", "c.py", "run.py");

    expect(resolve("run.py", "a")).toBe("a.py");
    expect(resolve("run.py", "b")).toBe("b.pyi");
    expect(resolve("run.py", "c")).toBe("c/__init__.py");
  });

  it("are not of the tree where Python brings them, unless they lie beside the script", () => {
    const resolve = resolverOf(
      "app/__init__.py",
      "app/logging.py",
      "app/main.py",
      "json/x.py",
      "tools/types.py",
      "tools/run.py",
    );

    expect(resolve("app/main.py", "logging")).toBe("outside");
    expect(resolve("app/main.py", "app.logging")).toBe("app/logging.py");
    expect(resolve("tools/run.py", "json")).toBe("outside");
    expect(resolve("tools/run.py", "types")).toBe("tools/types.py");
  });

  it("depend on stems such that a file which changes an answer has one of them", () => {
    const folder = fc.constantFrom("", "src/", "app/", "src/app/", "app/db/", "tests/", "lib/app/");
    const file = fc
      .tuple(folder, fc.constantFrom("__init__.py", "app.py", "db.py", "store.py"))
      .map((parts) => parts.join(""));
    const specifier = fc.constantFrom("app", "app.db", "app.db.store", "store", ".", ".db", "..store", "db.store");
    fc.assert(
      fc.property(fc.uniqueArray(file, { maxLength: 8 }), file, file, specifier, (files, added, from, wanted) => {
        const before = createPythonResolver({ files: new Set(files) }).resolve(from, wanted);
        const after = createPythonResolver({ files: new Set([...files, added]) }).resolve(from, wanted);

        if (before.file === after.file) return;
        expect(stemsOf(added).some((stem) => before.stems.includes(stem))).toBe(true);
      }),
    );
  });
});

function resolverOf(...files: string[]): (from: string, specifier: string) => string {
  const resolver = createPythonResolver({ files: new Set(files) });
  return (from, specifier) => {
    const { file, isMissing } = resolver.resolve(from, specifier);
    return file ?? (isMissing ? "missing" : "outside");
  };
}
