import type { Extraction } from "../facts/facts.js";
import type { LanguageLayout } from "./language-layout.js";
import type { LanguageLinking } from "./language-linking.js";
import type { ModuleResolver, ModuleTree, ResolveSpace } from "./module-resolver.js";

/**
 * A language that the graph knows, with all that is peculiar to it: nothing outside of this folder goes by an extension.
 * docs/adding-a-language.md tells how to add one.
 */
export interface Language {
  name: string;
  /** In small letters, without the dot. */
  extensions: readonly string[];
  /** Opens what reads its files. Once a thread, so loading a grammar there is cheap. */
  open: () => Promise<Extract>;
  /** Paths of files that are there to test others, beside those that every language calls so (`isTestFile`). */
  testFiles?: RegExp;
  /** The files that decide where an import leads: `go.mod`. */
  settings?: RegExp;
  /** What of such a file decides that; absent: all of it. When it changes, every file is linked anew. */
  settingsThatCount?: (path: string, text: string) => string;
  /** The paths that a file adds to those whose coming and going has every file linked anew, as settings do. */
  landmarksOf?: (path: string) => readonly string[];
  /** Tells which file a specifier leads to, where imports name files. */
  createResolver?: (tree: ModuleTree) => ModuleResolver;
  /** What a file answers to, when its resolver looks for one, beside its path without extension. */
  stemsOf?: (path: string) => readonly string[];
  /** Tells which space of the tree a file means, where that is not the one it names. */
  createSpaceResolver?: (tree: ModuleTree) => ResolveSpace;
  linking?: LanguageLinking;
  layout?: LanguageLayout;
}

/** Makes facts of a file. What cannot be parsed is left out; nothing makes it throw. */
export type Extract = (path: string, source: string) => Extraction;
