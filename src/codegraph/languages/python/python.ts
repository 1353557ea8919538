import type { Language } from "../language.js";
import { builtinTypes } from "./builtin-types.js";
import { findScript } from "./find-script.js";
import { landmarksOf } from "./landmarks-of.js";
import { createPythonResolver } from "./resolve-python-modules.js";
import { stemsOf } from "./stems-of.js";

/** Python, which has a folder of its own: what a name means there only running tells, so much is inferred. */
export const python: Language = {
  name: "python",
  extensions: ["py", "pyi"],
  open: async () => (await import("./open-python.js")).openPython(),
  testFiles: /(?:^|\/)(?:test_[^/]*|[^/]*_test|conftest)\.py$/,
  settings: /(?:^|\/)(?:pyproject\.toml|setup\.(?:py|cfg))$/,
  landmarksOf,
  createResolver: createPythonResolver,
  stemsOf,
  linking: {
    packages: {
      isPackage: (path) => path.endsWith("__init__.py"),
      submodule: (specifier, name) => (specifier.endsWith(".") ? specifier + name : `${specifier}.${name}`),
    },
    builtins: builtinTypes,
  },
  layout: {
    manifests: /(?:^|\/)(?:pyproject\.toml|setup\.(?:py|cfg))$/,
    findTarget: findScript,
    mainFiles: /(?:^|\/)__main__\.py$/,
    isScript: true,
    constructorName: "__init__",
    docString: /^[rRuU]?(?:"""|''')([^]*?)(?:"""|''')/,
  },
};
