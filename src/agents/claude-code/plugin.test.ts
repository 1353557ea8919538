import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..", "..", "..");
const plugin = join(root, "plugins", "claude-code");

describe("the plug-in for Claude Code", () => {
  it("has the version of the package, comes with it, and is found in its marketplace", () => {
    const { version, license, files } = read(root, "package.json") as {
      version: string;
      license: string;
      files: string[];
    };
    const market = read(root, ".claude-plugin", "marketplace.json");

    expect(read(plugin, ".claude-plugin", "plugin.json")).toMatchObject({ name: "tacit", version, license });
    expect(files).toEqual(expect.arrayContaining([".claude-plugin", "plugins"]));
    expect(market).toMatchObject({ name: "tacit", plugins: [{ name: "tacit", source: "./plugins/claude-code" }] });
  });

  it("calls the command without a shell, so that no name of a folder can break the line", () => {
    const { hooks } = read(plugin, "hooks", "hooks.json") as { hooks: Record<string, { hooks: unknown[] }[]> };
    const calls = Object.values(hooks).flatMap((groups) => groups.flatMap((group) => group.hooks));

    expect(Object.keys(hooks).toSorted()).toEqual([
      "PostToolUse",
      "PostToolUseFailure",
      "PreCompact",
      "PreToolUse",
      "SessionEnd",
      "SessionStart",
      "Stop",
      "SubagentStart",
      "SubagentStop",
      "UserPromptSubmit",
    ]);
    expect(new Set(calls.map((call) => JSON.stringify(call)))).toEqual(
      new Set([JSON.stringify({ type: "command", command: "tacit", args: ["hook", "claude-code"], timeout: 10 })]),
    );
    expect(read(plugin, ".mcp.json")).toEqual({ mcpServers: { tacit: { command: "tacit", args: ["mcp"] } } });
  });

  it("has a command for each thing that a person asks of a memory", () => {
    expect(readdirSync(join(plugin, "commands")).toSorted()).toEqual([
      "forget.md",
      "memory-review.md",
      "recall.md",
      "remember.md",
    ]);
  });
});

function read(...path: string[]): unknown {
  return JSON.parse(readFileSync(join(...path), "utf8"));
}
