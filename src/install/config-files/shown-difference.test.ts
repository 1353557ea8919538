import { describe, expect, it } from "vitest";
import { newPlaces } from "../../../test/support/install-place.js";
import { agents } from "../agents/known-agents.js";
import { putPart } from "./document.js";
import { shownDifference, type Hunk } from "./shown-difference.js";
import { applyEdits, type Edit } from "./text-edit.js";

describe("the difference that is shown", () => {
  it("[B8] has what comes and goes, and nothing of what stays, not even of the same line", () => {
    const server =
      '"tacit": {\n      "command": "/opt/node/bin/node",\n      "args": [\n        "/opt/lib/package/dist/cli/main.js",\n        "mcp"\n      ]\n    }';
    const inline = '"tacit":{"command":"/opt/node/bin/node","args":["/opt/lib/package/dist/cli/main.js","mcp"]}';

    expect(shown("cursor", '{\n  "mcpServers": {\n    "x": { "key": "s3cret" } // s3cret\n  }\n}\n')).toEqual([
      { line: 4, removed: [], added: `    ${server}`.split("\n") },
    ]);
    expect(shown("cursor", '{"key":"s3cret","mcpServers":{"x":{"key":"s3cret"}}}')).toEqual([
      { line: 1, removed: [], added: [`…,${inline}…`] },
    ]);
    expect(shown("codex", 'key = "s3cret"')).toMatchObject([
      { line: 3, added: ["[mcp_servers.tacit]", expect.stringMatching(/^command/), expect.stringMatching(/^args/)] },
    ]);

    const hooks = shown("claude-code", '{\n  "hooks": {\n    "Stop": [\n      { "key": "s3cret" }\n    ]\n  }\n}\n');
    expect(hooks.map(({ line, added }) => [line, added.length])).toEqual([
      [5, 14],
      [20, 16 * 9],
    ]);
    expect(JSON.stringify(hooks)).not.toContain("s3cret");
  });

  it("[B8] of a new file is the whole of it, and of somebody else's entry only that it is replaced", () => {
    for (const text of ["", "\n"]) {
      for (const id of ["claude-code", "cursor"]) {
        const [whole, ...others] = shown(id, text);
        expect(others).toEqual([]);
        expect(whole?.line).toBe(1);
        expect(JSON.parse(whole?.added.join("\n") ?? "")).toHaveProperty(
          id === "cursor" ? "mcpServers.tacit" : "hooks",
        );
      }
    }
    for (const [id, text] of [
      ["codex", '[mcp_servers.tacit]\nurl = "s3cret"\n[mcp_servers.tacit.env]\nKEY = "s3cret"\n'],
      ["cursor", '{ "mcpServers": { "tacit": { "url": "s3cret" } } }'],
    ] as const) {
      expect(JSON.stringify(shown(id, text, true))).toMatch(/an entry called tacit, which is not shown/);
      expect(JSON.stringify(shown(id, text, true))).not.toContain("s3cret");
    }
  });
});

/** What would be shown of putting an agent's part into its first file. */
function shown(id: string, text: string, mayReplace = false): Hunk[] {
  const [target] = agents.find((agent) => agent.id === id)?.targets(newPlaces()()) ?? [];
  const edits: Edit[] = [];
  const foreign: string[] = [];
  for (const part of target?.parts ?? []) {
    const put = putPart(target?.syntax ?? "jsonc", "file", applyEdits(text, edits), part, { mayReplace });
    if (put.kind === "put") edits.push(...put.edits);
    if (put.kind === "put" && put.replaced !== undefined) foreign.push(put.replaced);
  }
  return shownDifference(text, edits, foreign);
}
