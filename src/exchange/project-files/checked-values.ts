import { dropPrivateParts } from "../../hygiene/private-parts.js";

/** A table of a foreign file; empty where it is none. */
export function tableOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** What stands under a key itself, and not under one that every object has. */
export function entryOf(value: unknown, ...keys: string[]): unknown {
  let found = value;
  for (const key of keys) found = Object.hasOwn(tableOf(found), key) ? tableOf(found)[key] : undefined;
  return found;
}

/** A range of versions that is one: no word fits into it. */
export function versionsOf(value: unknown): string | undefined {
  if (typeof value !== "string" || value.length > 60) return undefined;
  const range = value.trim();
  return /\d/.test(range) && /^[\d\s.x*<>=~^|!,v-]+$/i.test(range) ? range : undefined;
}

/** The name of a package, in the characters that registries allow. */
export function packageNameOf(value: unknown): string | undefined {
  return typeof value === "string" && value.length <= 80 && /^(?:@[\w.-]+\/)?[\w][\w.-]*$/.test(value)
    ? value
    : undefined;
}

/** One or two sentences of a text that people wrote, without marks; undefined where hardly anything is left. */
export function sentencesOf(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  // Before the marks go: they say what is private. Whatever follows is not read, so that no pattern below takes long.
  const text = dropPrivateParts(value.slice(0, 4000))
    .slice(0, 2000)
    .replace(/!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])/g, " ")
    .replace(/\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, "$1")
    .replace(/<[^>]*>/g, " ")
    .replace(/[`*]|(?<!\w)_|_(?!\w)/g, "")
    .replaceAll('"', "'")
    .replace(/\s+/g, " ")
    .trim();
  const [, short = text] = /^(.{1,300}?[.!?](?: .{1,200}?[.!?])?)(?= |$)/.exec(text) ?? [];
  const cut = short.length <= maxCharacters ? short : `${short.slice(0, maxCharacters).replace(/\s\S*$/, "")} …`;
  return (cut.match(/\p{L}/gu)?.length ?? 0) < leastLetters ? undefined : cut;
}

const maxCharacters = 400;
const leastLetters = 12;

/**
 * A command line that is nothing but one: programs, words, flags and files that are in our lists. Flags and paths of
 * somebody's own could be strung together to a sentence, and this one is told as Tacit's own words.
 */
export function isPlainCommand(value: unknown): value is string {
  if (typeof value !== "string" || value.length > 80) return false;
  return value.split(" && ").every((part) => {
    const [program = "", ...words] = part.trim().split(/ +/);
    return programs.has(program) && words.length <= 8 && words.every((word) => usualWords.has(word));
  });
}

const programs = new Set(
  (
    "ava astro babel biome bun bunx c8 cargo cypress deno docusaurus esbuild eslint expo gulp jasmine jest karma lerna make mocha " +
    "next ng node nodemon npm npx nuxt nx nyc oxfmt oxlint parcel playwright pnpm prettier pytest react-scripts rollup rolldown rspack " +
    "rsbuild stylelint svelte-kit tap tape tsc tsdown tsgo tsup tsx turbo uvu vite vitepress vitest vue-tsc webpack wireit wrangler " +
    "xo yarn"
  ).split(" "),
);
const usualWords = new Set(
  (
    ". all build check dev exec export format generate lint preview run serve start test test:unit tests typecheck types watch " +
    "-b -c -p -r -w --bail --build --cache --check --ci --config --coverage --deny-warnings --fix --max-warnings --max-warnings=0 --mode --noEmit " +
    "--parallel --pretty --production --project --quiet --recursive --run --runInBand --silent --test --type-aware --verbose --watch " +
    "--workspaces --write 0 development production " +
    "dist lib src src/ test/ tests/ ./src ./test app.js index.js main.js server.js dist/index.js dist/main.js src/index.js " +
    "src/index.ts src/main.ts src/server.ts tsconfig.json tsconfig.build.json"
  ).split(" "),
);
