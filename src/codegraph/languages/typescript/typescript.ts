import { createModuleResolver } from "./resolve-modules.js";
import type { Language } from "../language.js";
import { builtinTypes } from "./builtin-types.js";
import { findManifestTarget } from "./find-manifest-target.js";
import { settingsThatCount } from "./settings-that-count.js";
import { stemsOf } from "./stems-of.js";

/** TypeScript and JavaScript, which have a folder of their own: two parsers read them. */
export const typescript: Language = {
  name: "typescript",
  extensions: ["ts", "mts", "cts", "tsx", "js", "mjs", "cjs", "jsx"],
  open: async () => (await import("./open-typescript.js")).openTypeScript(),
  settings: /(?:^|\/)(?:package\.json|[tj]sconfig[^/]*\.json|pnpm-workspace\.yaml)$/,
  settingsThatCount,
  createResolver: createModuleResolver,
  stemsOf,
  linking: {
    // The first language of the graph: its votes are kept without any.
    votePrefix: "",
    builtins: builtinTypes,
  },
  layout: {
    manifests: /(?:^|\/)package\.json$/,
    findTarget: findManifestTarget,
    isScript: true,
    constructorName: "constructor",
    preamble: /^(?:"use \w+"|'use \w+');/,
  },
};
