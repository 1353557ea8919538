import * as fc from "fast-check";
import { expect, it } from "vitest";
import { checkPath } from "../../src/agents/ai-sdk/anthropic-memory/memory-path.js";
import type { MemoryCommand } from "../../src/agents/ai-sdk/anthropic-memory/memory-tool.js";
import type { TacitMemory } from "../../src/index.js";
import { toldProject } from "../support/told-project.js";
import { asker, watched, textsIn } from "../support/memory-tool-files.js";

it("[F10] whatever is asked, only files of this tool in this project are read or written", async () => {
  const { memory } = await toldProject({
    content: "The canary sings.",
    type: "decision",
    metadata: { path: "/memories/p" },
  });
  const ask = asker(memory, watched(memory, "s1"));
  const before = await others(memory);
  const part = fc.oneof(
    fc.constantFrom("..", ".", "", "a", "b.md", "%2e%2e", "..\\", "canary", "p"),
    fc.string({ maxLength: 6, unit: "binary" }),
  );
  const path = fc
    .tuple(
      fc.constantFrom("/memories/", "/memories", "", "/", "//", "/Memories/", "file:///memories/"),
      fc.array(part, { maxLength: 3 }),
    )
    .map(([start, parts]) => start + parts.join("/"));
  const text = fc.string({ maxLength: 12, unit: "binary" });
  const command = fc.oneof(
    fc.record({ command: fc.constant("view"), path }),
    fc.record({ command: fc.constant("create"), path, file_text: text }),
    fc.record({ command: fc.constant("str_replace"), path, old_str: text, new_str: text }),
    fc.record({ command: fc.constant("insert"), path, insert_line: fc.nat(3), insert_text: text }),
    fc.record({ command: fc.constant("delete"), path }),
    fc.record({ command: fc.constant("rename"), old_path: path, new_path: path }),
    fc.anything(),
  );

  fc.assert(
    fc.property(path, (one) => {
      const checked = checkPath(one);
      return "refusal" in checked || /^\/memories(?:\/(?!\.*(?:\/|$))[^/\\%:\0]+)*$/.test(checked.path);
    }),
    { numRuns: 2000 },
  );
  await fc.assert(
    fc.asyncProperty(command, async (one) => {
      expect(await ask(one as MemoryCommand)).not.toContain("canary sings");
    }),
    { numRuns: 150 },
  );
  expect(await others(memory)).toEqual(before);
});

it("[F8] a file holds what its edits make of it, whatever they change, and stays one memory", async () => {
  const { memory } = await toldProject();
  const ask = asker(memory, watched(memory, "s1"));
  const text = fc.string({ maxLength: 4, unit: fc.constantFrom("a", "b", " ", "\n", "\r\n", "\t") });
  const edit = fc.oneof(
    fc.record({ at: fc.nat(6), length: fc.nat(4), by: text }),
    fc.record({ line: fc.nat(6), by: text }),
  );
  let number = 0;

  await fc.assert(
    fc.asyncProperty(text, fc.array(edit, { maxLength: 5 }), async (start, edits) => {
      const path = `/memories/f${(number += 1)}.md`;
      await ask({ command: "create", path, file_text: start });
      let model = start;
      for (const one of edits) {
        if ("line" in one) {
          const lines = model.split("\n");
          await ask({ command: "insert", path, insert_line: one.line, insert_text: one.by });
          if (one.line > lines.length - (lines.at(-1) === "" ? 1 : 0)) continue;
          lines.splice(one.line, 0, one.by.replace(/\n$/, ""));
          model = lines.join("\n");
        } else {
          const before = model.slice(one.at, one.at + one.length);
          if (before === "" || model.split(before).length !== 2) continue;
          await ask({ command: "str_replace", path, old_str: before, new_str: one.by });
          model = model.slice(0, one.at) + one.by + model.slice(one.at + before.length);
        }
      }
      expect((await textsIn(memory))[path.slice(10)]).toBe(model);
      expect(await memory.list({ status: "any", metadata: { path } })).toHaveLength(1);
    }),
    { numRuns: 25 },
  );
});

async function others(memory: TacitMemory): Promise<unknown[]> {
  return (await memory.list({ status: "any", excludeTypes: ["memory_file"] })).map(({ id, content, updatedAt }) => [
    id,
    content,
    updatedAt,
  ]);
}
