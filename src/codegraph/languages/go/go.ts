import type { Language } from "../language.js";
import { openByRules } from "../open-by-rules.js";
import { createGoSpaceResolver } from "./create-go-space-resolver.js";

/** Go: a folder is a package, whose files know each other's names. `go:./internal/store` is the one in that folder. */
export const go: Language = {
  name: "go",
  extensions: ["go"],
  open: async () => openByRules(async () => (await import("./go-rules.js")).goRules),
  testFiles: /_test\.go$/,
  settings: /(?:^|\/)go\.(?:mod|work)$/,
  createSpaceResolver: createGoSpaceResolver,
  linking: { builtins: { maps: ["map"] } },
  layout: {
    manifests: /(?:^|\/)go\.mod$/,
    packageName: (_file, text) => /^module\s+"?([^\s"]+)/m.exec(text)?.[1],
  },
};
