// Real code in each language, from registries that anybody can ask. `source`: a source package of Debian 12, as its authors
// packed it and without Debian's patches; `binary`: a package of Debian 12 that carries sources; `npm`: one of npm. `keep` is
// what counts of it, `strip` the folder in which all of it is; `crates` is what rustc needs to compile it.
const gems = "usr/share/rubygems-integration/all/gems";

export const packages = [
  { language: "go", name: "gin", version: "1.8.1", source: "golang-github-gin-gonic-gin" },
  { language: "go", name: "cobra", version: "1.6.1", source: "golang-github-spf13-cobra" },
  { language: "rust", name: "clap", version: "4.0.32", source: "rust-clap" },
  {
    language: "rust",
    name: "regex",
    version: "1.7.1",
    binary: "librust-regex-dev",
    strip: "usr/share/cargo/registry/regex-1.7.1",
    crates: ["librust-aho-corasick-dev", "librust-memchr-dev", "librust-regex-syntax-dev"],
  },
  { language: "java", name: "jackson-core", version: "2.14.1", source: "jackson-core", keep: ["src"] },
  { language: "java", name: "commons-lang3", version: "3.12.0", source: "libcommons-lang3-java", keep: ["src"] },
  {
    language: "csharp",
    name: "newtonsoft-json",
    version: "6.0.8",
    source: "newtonsoft-json",
    strip: "Src/Newtonsoft.Json",
  },
  { language: "csharp", name: "unitask", version: "2.2.5", npm: "com.cysharp.unitask" },
  { language: "c", name: "curl", version: "7.88.1", source: "curl", keep: ["include", "lib", "src"] },
  { language: "c", name: "lua", version: "5.4.4", source: "lua5.4", keep: ["src"] },
  { language: "cpp", name: "leveldb", version: "1.23", source: "leveldb" },
  { language: "cpp", name: "fmt", version: "9.1.0", source: "fmtlib", keep: ["include", "src", "test"] },
  { language: "ruby", name: "rack", version: "2.2.22", binary: "ruby-rack", strip: `${gems}/rack-2.2.22` },
  { language: "ruby", name: "jekyll", version: "4.3.1", binary: "jekyll", strip: `${gems}/jekyll-4.3.1` },
  { language: "php", name: "monolog", version: "2.9.1", source: "php-monolog" },
  { language: "php", name: "twig", version: "3.5.1", source: "php-twig" },
];

/** What counts as a source of a language, as Tacit has it. */
export const extensions = {
  go: ["go"],
  rust: ["rs"],
  java: ["java"],
  csharp: ["cs"],
  c: ["c", "h"],
  cpp: ["cc", "cpp", "cxx", "c", "h", "hh", "hpp", "hxx", "inl"],
  ruby: ["rb", "rake", "ru", "gemspec"],
  php: ["php"],
};
