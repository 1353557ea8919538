import { describe, expect, it } from "vitest";
import { parseRules } from "./parse-rules.js";

describe("the rules of a file", () => {
  it("are its list items and paragraphs, under the tags of their headings", async () => {
    const rules = await rulesOf(`# CLAUDE.md

Guides agents in this repository.

## Testing

- Use vitest
- Never mock the clock

Tests sit beside
what they test.
`);

    expect(rules).toEqual([
      { line: 3, type: "convention", tags: [], content: "Guides agents in this repository." },
      { line: 7, type: "convention", tags: ["testing"], content: "Use vitest" },
      { line: 8, type: "convention", tags: ["testing"], content: "Never mock the clock" },
      { line: 10, type: "convention", tags: ["testing"], content: "Tests sit beside\nwhat they test." },
    ]);
  });

  it("hold what is nested in them, and the code that follows", async () => {
    const contents = await contentsOf(`* Run it so
  - once
    * or twice

  and look:

  \`\`\`sh
    npm test

  \`\`\`
* Then stop
\`\`\`ts
  process.exit();
\`\`\`

Start again:

~~~
# not a heading
- not an item
~~~

\`\`\`
alone above, so it belongs to the paragraph
\`\`\`

1) numbered
\tby a tab
`);

    expect(contents).toEqual([
      "Run it so\n- once\n  * or twice\n\nand look:\n\n```sh\n  npm test\n\n```",
      "Then stop\n```ts\n  process.exit();\n```",
      "Start again:\n\n~~~\n# not a heading\n- not an item\n~~~\n\n```\nalone above, so it belongs to the paragraph\n```",
      "numbered\nby a tab",
    ]);
  });

  it.each([
    ["Gotchas", "gotcha"],
    ["⚠️ Known issues", "gotcha"],
    ["Common Pitfalls & Caveats", "gotcha"],
    ["Troubleshooting", "error_pattern"],
    ["Architecture decisions (ADRs)", "decision"],
    ["My preferences", "preference"],
    ["Requirements", "requirement"],
    ["Design patterns", "pattern"],
    ["Architecture", "module_insight"],
    ["Project Structure", "module_insight"],
    ["Overview", "context"],
    ["Tech stack", "context"],
    ["Build & test commands", "workflow_recipe"],
    ["How to release", "workflow_recipe"],
    ["Workflow rules", "convention"],
    ["Code style", "convention"],
    ["Rebuilding trust", "convention"],
    ["Anything else", "convention"],
  ])("under %s are of type %s", async (heading, type) => {
    const [rule] = await rulesOf(`## ${heading}\n\n- Never do this\n`);

    expect(rule).toMatchObject({ type, content: "Never do this" });
  });

  it("take their type from the nearest heading that tells one, and not from the title of the file", async () => {
    const rules = await rulesOf(`# Overview of the project
A shop.
## Known issues
### Windows
- Paths are long
## Naming
- Use nouns
`);

    expect(rules.map(({ type, tags }) => [type, tags])).toEqual([
      ["context", []],
      ["gotcha", ["known-issues", "windows"]],
      ["convention", ["naming"]],
    ]);
  });

  it("keep the only heading of a file, and headings in any script or form", async () => {
    expect(await tagsOf("# Testing\n- a\n")).toEqual([["testing"]]);
    expect(await tagsOf("# AGENTS.md\n- a\n")).toEqual([[]]);
    expect(await tagsOf("One\n===\n- a\n\n2.1 Größe & `Länge`\n---\n- b\n")).toEqual([[], ["größe-länge"]]);
    expect(await tagsOf("# One #\n- a\n# 二\n- b\n")).toEqual([["one"], ["二"]]);
  });

  it("take a short announcement of a list for a heading", async () => {
    const rules = await rulesOf("## API\nWhen testing:\n- use vitest\n\n**Known issues**\n\n- slow\n\n---\n\nAlone:\n");

    expect(rules.map(({ type, tags, content }) => [type, tags, content])).toEqual([
      ["convention", ["api", "when-testing"], "use vitest"],
      ["gotcha", ["api", "known-issues"], "slow"],
      ["convention", ["api"], "Alone:"],
    ]);
  });

  it("stay together where they are the steps of a recipe, and only there", async () => {
    const steps = await contentsOf(
      "## How to release\n\nEach Monday:\n\n1. `npm version`\n2. push\n   - tags too\n\nDone.\n",
    );
    const ended = await contentsOf("**Issue**: slow\n**Solution**:\n\n1. look\n2. wait\n- other\n");
    const rules = await contentsOf("## Principles\nAlways:\n1. be kind\n2. be brief\n");

    expect(ended).toEqual(["**Issue**: slow\n**Solution**:\n1. look\n2. wait", "other"]);
    expect(steps).toEqual(["Each Monday:\n1. `npm version`\n2. push\n   - tags too", "Done."]);
    expect(rules).toEqual(["be kind", "be brief"]);
  });

  it("do without comments, imports, badges, tables of contents and bare tags", async () => {
    const contents = await contentsOf(`<rules priority="high">
[![build](https://ci/badge.svg)](https://ci) ![cover](cover.png)

@docs/architecture.md
- @~/.claude/mine.md
- [Testing](#testing)
  - [Unit](#unit)

<!-- a comment
- over lines -->- Say \`<!-- why -->\` <!-- not this --> always
- [x] Ask @alice, see @docs/x.md
***
\`\`\`html
<!-- kept -->
<b>
@import
\`\`\`
</rules>
`);

    expect(contents).toEqual([
      "Say `<!-- why -->`  always",
      "Ask @alice, see @docs/x.md",
      "```html\n<!-- kept -->\n<b>\n@import\n```",
    ]);
  });

  it("belong to no rule before them when nothing announces them", async () => {
    expect(await contentsOf("## Steps\nDo:\n1. a\n---\n1. b\n")).toEqual(["Do:\n1. a", "1. b"]);
    expect(await contentsOf("x\n\n:\n\n1. a\n")).toEqual(["x", "a"]);
  });

  it("keep what stands behind a comment that never ends", async () => {
    expect(await contentsOf("- a\n<!-- b\n- c\n")).toEqual(["a\n<!-- b", "c"]);
  });

  it("never hold a private part, however many rules it reaches over", async () => {
    const contents = await contentsOf("- a\n<private>\n- b\n\n## C\n- d\n</private>\n- e\n");

    expect(contents.join()).toBe("a,e");
  });

  it("name their files", async () => {
    const [memory] = await parseRules(
      "- See `./src/http.ts:12`, `package.json`, `src/http.ts`, `app/[id]/page.tsx`; not `console.log`, `Node.js`, " +
        "`and/or`, `../x.ts`, `/etc/a.conf`, `npm test`, `*.ts`, `https://a.b/c.js`\n  ```\n  `a.ts`\n  ```\n",
      "AGENTS.md",
    );

    const [below] = await parseRules("## The server (`src/server.ts`)\n- Never blocks\n", "AGENTS.md");

    expect(memory?.record.relatedFiles).toEqual(["src/http.ts", "package.json", "app/[id]/page.tsx"]);
    expect(below?.record.relatedFiles).toEqual(["src/server.ts"]);
  });

  it("know the files that they hold for, though their front matter is no YAML", async () => {
    const [memory] = await parseRules(
      '---\ndescription: "API rules"\nglobs: *.ts,src/**/*.{js,tsx}\nalwaysApply: false\n---\n\n- Validate\n',
      ".cursor/rules/api.mdc",
    );
    const [other] = await parseRules("---\npaths:\n  - 'a/**'\n  - b.ts\n---\nText\n", ".claude/rules/x.md");

    expect(memory).toMatchObject({
      record: { content: "Validate", metadata: { description: "API rules", globs: ["*.ts", "src/**/*.{js,tsx}"] } },
      origin: ".cursor/rules/api.mdc:7",
    });
    expect(other).toMatchObject({ record: { content: "Text", metadata: { globs: ["a/**", "b.ts"] } } });
  });

  it("are cut between paragraphs above 8 KiB, never within code", async () => {
    const paragraph = "é".repeat(1500);
    const code = `\`\`\`\n${`${"x".repeat(98)}\n\n`.repeat(100)}\`\`\``;
    const contents = await contentsOf(`- ${paragraph}\n\n  ${paragraph}\n\n  ${paragraph}\n\n${code}\n`);

    expect(contents).toEqual([`${paragraph}\n\n${paragraph}`, paragraph, code]);
  });

  it("are the same with any line ends, and none in an empty file", async () => {
    const text = "# A\n\n- b\n  c\n\nd\n";

    expect(await rulesOf(text.replaceAll("\n", "\r\n"))).toEqual(await rulesOf(text));
    expect(await rulesOf(`\uFEFF${text}`)).toEqual(await rulesOf(text));
    expect(await rulesOf("")).toEqual([]);
  });
});

async function rulesOf(text: string): Promise<{ line: number; type?: string; tags?: string[]; content: string }[]> {
  return (await parseRules(text, "CLAUDE.md")).map(({ record: { type, tags, content }, origin }) => ({
    line: Number(origin.split(":")[1]),
    ...(type !== undefined && { type }),
    ...(tags && { tags }),
    content,
  }));
}

async function contentsOf(text: string): Promise<string[]> {
  return (await rulesOf(text)).map(({ content }) => content);
}

async function tagsOf(text: string): Promise<(string[] | undefined)[]> {
  return (await rulesOf(text)).map(({ tags }) => tags);
}
