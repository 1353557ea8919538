/**
 * Whether a build tool is asked for what its registry or its dependencies say of themselves: descriptions, advisories,
 * deprecations. What else it does is the project's own.
 */
export function asksRegistry(program: string, args: readonly string[]): boolean {
  return asking.get(program)?.test(args.join(" ").slice(0, 2000)) ?? false;
}

const listsLong = /^(?:ll|la)\b|^(?:ls|list)\b.*\s(?:--long|-l)\b/;
const ofGradle =
  /\b(?:dependencyUpdates|dependencyCheck\w*|wrapper|publish\w*)\b|--(?:refresh-dependencies|scan|write-verification-metadata)\b/;
const ofMaven =
  /(?:^|\s)(?:\S*:)?(?:versions|help|archetype|dependency-check|dependency-check-maven|scm|release|site-deploy|wrapper)(?:-maven-plugin)?(?::\S*)?:\S+|(?:^|\s)deploy\b/;

const asking: ReadonlyMap<string, RegExp> = new Map([
  ["npm", listsLong],
  ["pnpm", listsLong],
  ["go", /^list\b.*\s-m\b.*\s-(?:u|versions|json|retracted|f)\b|^list\b.*\s-(?:u|versions|json|retracted)\b.*\s-m\b/],
  ["cargo", /^(?:deny|audit|outdated)\b/],
  ["pipenv", /^(?:check|audit|scan)\b/],
  ["gradle", ofGradle],
  ["gradlew", ofGradle],
  ["mvn", ofMaven],
  ["mvnw", ofMaven],
  ["sbt", /\b(?:dependencyUpdates|dependencyCheck|publish\w*)\b/],
]);
