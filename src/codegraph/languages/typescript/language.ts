import { createModuleResolver } from "../../link/resolve-modules.js";
import type { Language } from "../language.js";

/** TypeScript and JavaScript, which have a folder of their own: two parsers read them. */
export const typescript: Language = {
  name: "typescript",
  extensions: ["ts", "mts", "cts", "tsx", "js", "mjs", "cjs", "jsx"],
  settings: /(?:^|\/)(?:package\.json|[tj]sconfig[^/]*\.json|pnpm-workspace\.yaml)$/,
  open: async () => (await import("./typescript.js")).openTypeScript(),
  createResolver: createModuleResolver,
};
