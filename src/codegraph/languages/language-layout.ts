/** How programs of a language are laid out: what makes a folder a package, where a program begins, where it is described. */
export interface LanguageLayout {
  /** The files that make their folder a package. JSON and TOML are read by their keys. */
  manifests?: RegExp;
  /** The name of the package, where its manifest is neither. */
  packageName?: (file: string, text: string) => string | undefined;
  /** The file that a manifest in a folder means by what it lets others begin with, as `bin`, `main`, `exports`, `script`. */
  findTarget?: (named: ManifestTarget, folder: string, files: ReadonlySet<string>) => string | undefined;
  /** Files that are run by their name. */
  mainFiles?: RegExp;
  /** Whether `main` is a name like any other. */
  isScript?: true;
  /** What its constructors are called, where each is a method that overrides that of the class above. */
  constructorName?: string;
  /** A text at the beginning of a file that is its description; the first group is what it says. */
  docString?: RegExp;
  /** What has to come before the comment that opens a file. */
  preamble?: RegExp;
}

/** A file as a manifest names it, and what for. */
export interface ManifestTarget {
  target: string;
  as: string;
}
