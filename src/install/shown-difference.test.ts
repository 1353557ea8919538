import { describe, expect, it } from "vitest";
import { newPlaces } from "../../test/install-place.js";
import { agents } from "./agents/agents.js";
import { putPart } from "./document.js";
import { shownDifference, type Hunk } from "./shown-difference.js";
import { applyEdits, type Edit } from "./text-edit.js";

describe("the difference that is shown", () => {
  it("[B8] has what comes and goes, and nothing of what stays, not even of the same line", () => {
    const server =
      '"tacit": {\n      "command": "/opt/node/bin/node",\n      "args": [\n        "/opt/lib/tacit-memory/dist/cli/main.js",\n        "mcp"\n      ]\n    }';
    const inline = '"tacit":{"command":"/opt/node/bin/node","args":["/opt/lib/tacit-memory/dist/cli/main.js","mcp"]}';

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
});

/** What would be shown of putting an agent's part into its first file. */
function shown(id: string, text: string): Hunk[] {
  const [target] = agents.find((agent) => agent.id === id)?.targets(newPlaces()()) ?? [];
  const edits: Edit[] = [];
  for (const part of target?.parts ?? []) {
    const put = putPart(target?.syntax ?? "jsonc", "file", applyEdits(text, edits), part, { mayReplace: false });
    if (put.kind === "put") edits.push(...put.edits);
  }
  return shownDifference(text, edits);
}
