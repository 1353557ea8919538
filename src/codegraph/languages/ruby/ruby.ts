import type { Language } from "../language.js";
import { openByRules } from "../open-by-rules.js";
import { createRubyResolver } from "./create-ruby-resolver.js";
import { requiredAs } from "./required-as.js";

/**
 * Ruby: a class or module is a space by the path of its constants, since any file may open it again: `ruby:App.Store` has
 * its constants and its own methods, `ruby:App.Store!` what its instances have. `require` names a file.
 */
export const ruby: Language = {
  name: "ruby",
  extensions: ["rb", "rake", "gemspec", "ru"],
  open: async () => openByRules(async () => (await import("./ruby-rules.js")).rubyRules),
  testFiles: /(?:_(?:test|spec)|(?:^|\/)(?:test_[^/]*|spec\/.*))\.rb$/,
  createResolver: createRubyResolver,
  stemsOf: (path) => {
    const required = requiredAs(path);
    return required === undefined ? [] : [`*/${required}`];
  },
  layout: {
    manifests: /(?:^|\/)[^/]+\.gemspec$/,
    packageName: (file) => file.replace(/\.[^.]+$/, ""),
    isScript: true,
  },
};
