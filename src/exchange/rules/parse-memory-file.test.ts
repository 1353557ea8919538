import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { byText } from "../../../test/support/layer-project.js";
import { openTestMemory } from "../../../test/support/open-memories.js";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import { recognise } from "../import/recognise.js";

describe("a MEMORY.md", () => {
  it("[D6] is taken in statement by statement, by the types that its headings name", async () => {
    const folder = join(temporaryFolder(), "memory");
    mkdirSync(folder);
    writeFileSync(
      join(folder, "MEMORY.md"),
      `# Memory

<!-- Change, add or take away lines: the memory follows. -->

## Facts

- Prices are in cents

## Coding style

- Use nouns

## Staging server

- Port 8080

… and 12 more: \`tacit list\`

<!-- tacit 1 8f3a2c1d:4b2e9a -->
`,
    );
    const memory = await openTestMemory();

    expect(await memory.exchange.import(join(folder, "MEMORY.md"))).toMatchObject({ kinds: ["rules"], added: 3 });
    expect(await memory.exchange.import(folder)).toMatchObject({ added: 0, updated: 0 });
    expect(
      (await memory.list()).map(({ type, content, tags, source }) => [type, content, tags, source]).toSorted(byText),
    ).toEqual([
      ["convention", "Use nouns", ["coding-style"], "user_taught"],
      ["fact", "Prices are in cents", [], "user_taught"],
      ["note", "Port 8080", ["staging-server"], "user_taught"],
    ]);
  });

  it("is one by this very name: a document about memory is a document", () => {
    expect(recognise("# Memory\n\n- a\n", "x/MEMORY.md")).toBe("rules");
    expect(recognise("# Memory\n\n- a\n", "docs/memory.md")).toBe("markdown");
  });
});
