/**
 * True for a file of the project that says how it is built, checked, run or deployed. Lock files are none, because tools
 * write them; nor is anything outside the project or below a folder of other people's or generated files.
 *
 * @example
 * isConfigFile("packages/core/tsconfig.build.json") // true
 * isConfigFile("package-lock.json")                 // false
 */
export function isConfigFile(path: string): boolean {
  if (typeof path !== "string" || path.length > longestPath) return false;
  const before = known.get(path);
  if (before !== undefined) return before;
  const is = saysHow(path);
  if (known.size >= maxKnown) known.clear();
  known.set(path, is);
  return is;
}

// A session names the same few hundred files thousands of times.
const known = new Map<string, boolean>();
const maxKnown = 5000;

function saysHow(path: string): boolean {
  const parts = path.replaceAll("\\", "/").replace(/^\.\//, "").split("/");
  const name = parts.pop() ?? "";
  const isOutside = parts[0] === "" || parts[0] === ".." || /^[a-z]:$/i.test(parts[0] ?? "");
  if (isOutside || lockFile.test(name) || parts.some((part) => notOurs.has(part))) return false;
  if (names.has(name.toLowerCase()) || shapes.some((shape) => shape.test(name))) return true;
  return dataAtTheTop.test(name) && (parts.length === 0 || places.has(parts[0] ?? ""));
}

// Longer is no path of a project but something odd, and not worth looking at.
const longestPath = 1000;

const lockFile =
  /(?:[-.]lock(?:\.(?:json|ya?ml|hcl))?|\.lockb|\.lockfile)$|^(?:npm-shrinkwrap\.json|go\.(?:work\.)?sum)$/i;

const notOurs = new Set(["node_modules", "dist", "vendor", "target", ".git", ".venv", "venv", "site-packages"]);

// Where YAML and TOML are configuration whatever their names. Elsewhere they are as often data, so that names decide.
const places = new Set([".github", ".circleci", ".gitlab", ".husky", ".config", "config"]);
const dataAtTheTop = /\.(?:ya?ml|toml)$/i;

const shapes: readonly RegExp[] = [
  /^[tj]sconfig\b.*\.json$/i,
  /\.config\.(?:[cm]?[jt]s|jsonc?|ya?ml|toml)$/i,
  /^\.env(?:\..+|rc)?$/i,
  // .eslintrc.json, .prettierrc, .npmrc, .babelrc.js, .pylintrc
  /^\.[a-z][a-z-]*rc(?:\.(?:jsonc?|ya?ml|toml|[cm]?[jt]s))?$/i,
  /^(?:dockerfile|containerfile)(?:\..+)?$|\.dockerfile$/i,
  /^(?:docker-)?compose(?:[.-].+)?\.ya?ml$/i,
  /^requirements(?:[-_.].+)?\.(?:txt|in)$/i,
  /\.(?:gradle|gradle\.kts|csproj|fsproj|vbproj|sln|gemspec|podspec|cabal)$/i,
  /^(?:vite|vitest|webpack|rollup|jest|karma|babel|gulpfile|gruntfile|playwright|cypress)(?:\.[\w-]+)*\.[cm]?[jt]s$/i,
  /^(?:appsettings|application|bootstrap)(?:[-.].+)?\.(?:json|properties|ya?ml)$/i,
  /^nginx(?:[-.].+)?\.conf$/i,
];

const names: ReadonlySet<string> = new Set(
  `package.json pnpm-workspace.yaml lerna.json nx.json turbo.json rush.json deno.json deno.jsonc biome.json biome.jsonc
  tslint.json angular.json nest-cli.json vercel.json firebase.json renovate.json composer.json manifest.in knip.json
  tsup.json .nvmrc .node-version .python-version .ruby-version .tool-versions .editorconfig .browserslistrc .flake8
  .coveragerc .gitlab-ci.yml .travis.yml .pre-commit-config.yaml makefile gnumakefile justfile taskfile.yml rakefile
  procfile caddyfile jenkinsfile vagrantfile gemfile podfile pipfile cmakelists.txt cmakepresets.json meson.build
  build.bazel module.bazel workspace.bazel go.mod go.work cargo.toml clippy.toml rustfmt.toml pyproject.toml netlify.toml
  wrangler.toml setup.cfg setup.py tox.ini pytest.ini mypy.ini alembic.ini pom.xml build.sbt mix.exs gradle.properties
  directory.build.props global.json nuget.config pubspec.yaml chart.yaml serverless.yml`.split(/\s+/),
);
