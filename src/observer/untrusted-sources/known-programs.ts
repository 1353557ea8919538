/**
 * The programs whose words are known to be the project's, the agent's or the language's own. This list is what is inside:
 * whatever is not on it shows words from elsewhere.
 */
export interface KnownProgram {
  /**
   * - `names`: prints names, numbers and states, or nothing.
   * - `filter`: prints what it is fed and what the files say that it is given; those are judged by themselves.
   * - `speaker`: prints its own arguments.
   * - `builds`: builds, tests or checks the code of the folder that it runs in.
   */
  as: "names" | "filter" | "speaker" | "builds";
  /** Only with these words behind it; with others it is unknown. */
  only?: RegExp;
  /** The files of a project one of which says what it runs. */
  by?: readonly string[];
}

/** What is known of a program, by its name without folders. */
export function findKnownProgram(program: string): KnownProgram | undefined {
  return known.get(program);
}

const known = new Map<string, KnownProgram>();

function add(as: KnownProgram["as"], names: string, more: Omit<KnownProgram, "as"> = {}): void {
  for (const name of names.split(/\s+/)) known.set(name, { as, ...more });
}

add(
  "names",
  `cd pushd popd mkdir rmdir rm touch chmod chown chgrp ln cp mv true false : sleep wait exit return break continue shift
  unset shopt ulimit umask trap local readonly read getopts pwd basename dirname realpath readlink mktemp kill killall
  pkill date wc stat file du df tree ls find fd fdfind which whereis type command hash nproc uname arch whoami id groups
  hostname tty seq uuidgen sum md5 md5sum sha1sum sha256sum shasum cksum cmp expr let clear tput jobs disown fg bg bc tar gzip
  gunzip zip bzip2 xz split truncate sync rsync install mkfifo install_name_tool codesign ditto venv virtualenv test
  export set declare typeset alias unalias tacit tacit-memory open xdg-open`,
);
add("speaker", "echo printf print");
add(
  "filter",
  `cat head tail less more bat batcat nl strings xxd od hexdump tac rev fold paste comm join column base64 sort uniq cut
  diff sdiff colordiff delta zcat gzcat zless bzcat xzcat iconv pr expand shuf tr tee sed awk gawk mawk jq yq grep egrep
  fgrep zgrep rg ag ack sponge dos2unix unix2dos json.tool`,
);
add(
  "builds",
  `vitest jest mocha ava tap karma jasmine pytest py.test tox nox unittest nose2 doctest coverage rspec minitest phpunit pest
  ctest bats gotestsum busted wdio tsc tsx ts-node eslint eslint_d prettier biome oxlint oxfmt stylelint knip rollup esbuild
  parcel tsup swc babel rspack webpack ruff black isort mypy pyright flake8 pylint bandit golangci-lint gofmt goimports gofumpt
  staticcheck shellcheck shfmt hadolint actionlint yamllint markdownlint markdownlint-cli2 clang-format clang-tidy cppcheck
  rubocop rustfmt ktlint swiftlint swiftformat checkstyle phpstan psalm php-cs-fixer standard xo dprint cspell typos
  commitlint lint-staged depcheck madge size-limit publint attw svelte-check vue-tsc tsd api-extractor cmake gcc g++ clang
  clang++ cc c++ ld ar nm rustc javac kotlinc protoc buf compileall py_compile ast-grep sg comby scc cloc tokei typedoc
  license-checker dependency-cruiser gitleaks gosec lychee`,
);
add("builds", "npm pnpm yarn bun", { by: ["package.json"] });
add("builds", "make gmake", { by: ["Makefile", "makefile", "GNUmakefile"] });
add("builds", "just", { by: ["justfile", "Justfile", ".justfile"] });
add("builds", "task", { by: ["Taskfile.yml", "Taskfile.yaml", "taskfile.yml"] });
add("builds", "rake", { by: ["Rakefile", "rakefile", "Rakefile.rb"] });
add("builds", "gradle gradlew", {
  by: ["build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"],
});
add("builds", "mvn mvnw", { by: ["pom.xml"] });
add("builds", "ant", { by: ["build.xml"] });
add("builds", "bazel bazelisk", { by: ["WORKSPACE", "MODULE.bazel", "WORKSPACE.bazel"] });
add("builds", "nx turbo lerna", { by: ["package.json"] });
add("builds", "ninja meson invoke inv sbt scons", {
  by: ["build.ninja", "meson.build", "CMakeLists.txt", "tasks.py", "build.sbt", "SConstruct"],
});
add("builds", "mise", {
  only: /^(?:run|r|tasks|fmt|current|which|where|trust)\b/,
  by: ["mise.toml", ".mise.toml", "mise/config.toml", ".config/mise.toml", "mise-tasks", ".mise"],
});
add("builds", "composer", {
  only: /^(?:run|run-script|test|validate|check|lint|dump-autoload)\b/,
  by: ["composer.json"],
});
add("builds", "go", { only: /^(?:test|build|vet|fmt|run|generate|list|env|version|tool|clean|mod|work|fix)\b/ });
add("builds", "cargo", {
  only: /^(?:build|b|test|t|check|c|clippy|fmt|run|r|bench|doc|metadata|tree|nextest|clean|new|init|fix|llvm-cov|machete|expand)\b/,
});
add("builds", "dotnet", { only: /^(?:build|test|run|publish|clean|format|pack|sln)\b/ });
add("builds", "swift flutter dart", { only: /^(?:build|test|run|analyze|format|package|compile|fix)\b/ });
add("builds", "mix", { only: /^(?:compile|test|format|credo|dialyzer|run|phx\.routes)\b/ });
add("builds", "deno", { only: /^(?:test|lint|fmt|check|run|bench|task|compile|doc)\b/ });
add("builds", "vite next nuxt ng astro remix svelte-kit storybook", {
  only: /^(?:$|build|lint|test|check|sync|generate|preview|dev|typegen)/,
});
add("builds", "playwright cypress", { only: /^(?:test|run|verify)\b/ });
add("builds", "prisma drizzle-kit", { only: /^(?:generate|format|validate|check|migrate)\b/ });
add("builds", "pre-commit", { only: /^(?:run|validate-config)\b/ });
add("builds", "husky changeset", { only: /^(?:$|install|init|add|status|version)/ });
add("builds", "terraform tofu", { only: /^(?:fmt|validate)\b/ });
add("builds", "rails", { only: /^(?:test|routes|zeitwerk)\b/ });
add("builds", "uv poetry pipenv hatch rye pdm", { only: /^(?:run|build|check|format|version|fmt|test)\b/ });
add("builds", "pip pip3", { only: /^(?:list|freeze|check)\b/ });
add("builds", "goreleaser", { only: /^(?:check|build)\b/ });
