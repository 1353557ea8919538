/**
 * Whether a build tool is asked for what its registry or its dependencies say of themselves: descriptions, advisories,
 * deprecations. What else it does is the project's own.
 */
export function asksRegistry(program: string, args: readonly string[]): boolean {
  return asking.get(program)?.test(args.join(" ").slice(0, 2000)) ?? false;
}

const listsLong = /^(?:ll|la)\b|^(?:ls|list|why)\b.*\s(?:--long|-l)\b|^pkg\b.*--prefix/;
const ofGradle =
  /\b(?:dependencyUpdates|dependencyCheck\w*|wrapper|publish\w*)\b|--(?:refresh-dependencies|scan|write-verification-metadata)\b/;
const ofMaven =
  /(?:^|\s)(?:\S*:)?(?:versions|help|archetype|dependency-check|dependency-check-maven|scm|release|site-deploy|wrapper)(?:-maven-plugin)?(?::\S*)?:\S+|(?:^|\s)deploy\b/;

const environmentOfMake = /(?:^|\s)(?:-[a-zA-Z]*p[a-zA-Z]*|--print-data-base)(?:\s|$)/;

const asking: ReadonlyMap<string, RegExp> = new Map([
  ["npm", listsLong],
  ["pnpm", listsLong],
  [
    "go",
    /^list\b.*\.(?:Doc|Synopsis)\b|^list\b(?=.*\s-json\b)(?=.*\s(?:-deps|all|std)\b)|^env\b.*\s-json\b|^tool pprof\b|^list\b.*\s-m\b.*\s-(?:u|versions|json|retracted|f)\b|^list\b.*\s-(?:u|versions|json|retracted)\b.*\s-m\b/,
  ],
  ["cargo", /^(?:deny|audit|outdated)\b|^metadata\b(?!.*--no-deps)|^tree\b.*\s(?:-f|--format)|--explain/],
  ["rustc", /--explain/],
  // What make knows besides its rules is the environment.
  ["make", environmentOfMake],
  ["gmake", environmentOfMake],
  [
    "cmake",
    /(?:^|\s)-E (?!(?:copy|make_directory|remove|rm|touch|rename|create_symlink|echo|true|false|sleep|time)\w*\b)/,
  ],
  ["pipenv", /^(?:check|audit|scan)\b/],
  ["gradle", ofGradle],
  ["gradlew", ofGradle],
  ["mvn", ofMaven],
  ["mvnw", ofMaven],
  ["sbt", /\b(?:dependencyUpdates|dependencyCheck|publish\w*)\b/],
]);
