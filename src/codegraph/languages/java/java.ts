import type { Language } from "../language.js";
import { openByRules } from "../open-by-rules.js";
import { builtinTypes } from "./builtin-types.js";

/** Java: a package is a space whose types know each other, wherever their files lie. */
export const java: Language = {
  name: "java",
  extensions: ["java"],
  open: async () => openByRules(async () => (await import("./java-rules.js")).javaRules),
  testFiles: /[a-z](?:Tests?|IT)\.java$/,
  linking: { builtins: builtinTypes },
  layout: { manifests: /(?:^|\/)(?:pom\.xml|build\.gradle(?:\.kts)?)$/, packageName },
};

function packageName(file: string, text: string): string | undefined {
  if (file !== "pom.xml") return undefined;
  // The first one belongs to the parent where there is one.
  return /<artifactId>\s*([^<\s]+)/.exec(text.replace(/<parent>[^]*?<\/parent>/, ""))?.[1];
}
