import type { Language } from "../language.js";
import { openByRules } from "../open-by-rules.js";
import { createPhpResolver } from "./create-php-resolver.js";

/**
 * PHP: a namespace is a space, wherever its files lie; `require` names a file. Properties and variables go by their `$`, so
 * that a method may have the same name.
 */
export const php: Language = {
  name: "php",
  extensions: ["php"],
  open: async () => openByRules(async () => (await import("./php-rules.js")).phpRules),
  testFiles: /[a-z](?:Tests?|IT)\.php$/,
  createResolver: createPhpResolver,
  layout: {
    manifests: /(?:^|\/)composer\.json$/,
    isScript: true,
    preamble: /^(?:<\?php\b|declare\(strict_types=1\);)/,
  },
};
