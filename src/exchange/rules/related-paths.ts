import { markdownLines } from "../formats/markdown-lines.js";

/** Endings of files that projects are made of; a dot alone would take `console.log` for a file. */
const endings = new Set(
  (
    "astro bash c cc cfg cjs clj cmake conf cpp cs css csv cts dart env ex exs fish gql go gradle graphql h hpp hs html ini " +
    "ipynb java jl js json json5 jsonc jsx kt kts less lock lua m md mdc mdx mjs ml mts nix php pl prisma properties proto " +
    "ps1 py pyi r rb rs rst sass scala scss sh sql svelte swift tf toml ts tsx txt vue xml yaml yml zig zsh"
  ).split(" "),
);
const path = /^(?:\.\/)?((?:[\w@.()[\]-]+\/)*[\w@.()[\]-]*\.(\w+))(?::\d+(?:[:-]\d+)?)?$/;
/** Names of programs that look like files. */
const programs = /^(?:alpine|d3|express|next|node|nuxt|p5|react|three|vue)\.js$/i;

/** The files that a text names in backticks, outside of code, each once: `src/http.ts`, `./package.json`, `a.ts:12`. */
export function relatedPaths(text: string): string[] {
  const prose = markdownLines(text).filter(({ code }) => code === undefined);
  const spoken = prose.map((line) => line.text).join("\n");
  const found = [...spoken.matchAll(/(?<!`)`([^`\n]{1,255})`(?!`)/g)].flatMap(([, code = ""]) => {
    const [, file, ending = ""] = path.exec(code.trim()) ?? [];
    const isFile = file !== undefined && endings.has(ending.toLowerCase()) && !programs.test(file);
    return isFile && !file.startsWith("../") ? [file] : [];
  });
  return [...new Set(found)];
}
