import type { Language } from "../language.js";
import { openByRules } from "../open-by-rules.js";
import { containers } from "./containers.js";
import { createSpaceResolver } from "./spaces.js";

/** Rust: a module is a space, be it a file or written in one. `rust:./crates/x/src.a` is the file `a.rs` there. */
export const rust: Language = {
  name: "rust",
  extensions: ["rs"],
  open: async () => openByRules(async () => (await import("./rust-rules.js")).rustRules),
  testFiles: /(?:^|[/_])tests?\.rs$/,
  settings: /(?:^|\/)Cargo\.toml$/,
  createSpaceResolver,
  linking: { containers },
  layout: {
    manifests: /(?:^|\/)Cargo\.toml$/,
    mainFiles: /(?:^|\/)src\/(?:main|bin\/[^/]+)\.rs$/,
    preamble: /^#!?\[.*\](?=\r?\n|$)/,
  },
};
