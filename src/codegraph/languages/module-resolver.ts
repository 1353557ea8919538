/** What module resolution knows of a tree. */
export interface ModuleTree {
  files: ReadonlySet<string>;
  /** The texts of the files that languages name as their settings, by path. */
  settings: ReadonlyMap<string, string>;
}

/** Which file a specifier leads to. */
export interface ModuleResolver {
  resolve(from: string, specifier: string): Resolution;
}

export interface Resolution {
  /** Of the tree; absent for what lies outside, and for what is not there. */
  file?: string;
  /**
   * What the answer depends on: the paths without extension that were looked at. A file that appears or goes away
   * concerns whoever looked at a stem of it (`stemsOf`).
   */
  stems: readonly string[];
  /** Belongs to the tree by its name, but there is no such file. */
  isMissing?: true;
}

/** The space of the tree that a file means by one that it names; undefined for one that lies outside. */
export type ResolveSpace = (from: string, space: string) => string | undefined;
