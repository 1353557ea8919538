import type { Language } from "../language.js";
import { openByRules } from "../open-by-rules.js";
import { builtinTypes } from "./builtin-types.js";

/**
 * C#: a namespace is a space, and several files may add to it. Types of one name differ by how many types they take, so
 * `Store<T>` is looked for as `` Store`1 ``.
 */
export const csharp: Language = {
  name: "csharp",
  extensions: ["cs"],
  open: async () => openByRules(async () => (await import("./csharp-rules.js")).csharpRules),
  testFiles: /[a-z](?:Tests?|IT)\.cs$/,
  linking: { builtins: builtinTypes },
  layout: {
    manifests: /(?:^|\/)[^/]+\.csproj$/,
    packageName: (file) => file.replace(/\.[^.]+$/, ""),
  },
};
