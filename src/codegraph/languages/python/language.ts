import { createPythonResolver } from "./resolve-python-modules.js";
import type { Language } from "../language.js";

/** Python, which has a folder of its own: what a name means there only running tells, so much is inferred. */
export const python: Language = {
  name: "python",
  extensions: ["py", "pyi"],
  settings: /(?:^|\/)(?:pyproject\.toml|setup\.(?:py|cfg))$/,
  open: async () => (await import("./python.js")).openPython(),
  createResolver: createPythonResolver,
};
