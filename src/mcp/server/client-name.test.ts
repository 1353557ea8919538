import { expect, it } from "vitest";
import { agentOf, onceAMinute } from "./client-name.js";

it("[A11] knows an agent by the name that its client gives itself, and leaves any other name as it is", () => {
  const names = [
    ["claude-code", "claude-code"],
    ["opencode", "opencode"],
    ["codex-mcp-client", "codex"],
    ["cursor-vscode", "cursor"],
    ["Cursor", "cursor"],
    ["Visual Studio Code", "vscode"],
    ["Visual Studio Code - Insiders", "vscode"],
    ["windsurf-client", "windsurf"],
    ["gemini-cli-mcp-client", "gemini"],
    ["cursory-reader", "cursory-reader"],
    ["", ""],
  ];

  expect(names.map(([name = ""]) => agentOf(name))).toEqual(names.map(([, agent]) => agent));
});

it("hands on that an agent has spoken once a minute, whoever else speaks", () => {
  const noted: string[] = [];
  let time = 0;
  const speak = onceAMinute(
    (agent) => noted.push(agent),
    () => time,
  );

  for (time of [0, 1000, 59_999, 60_000]) for (const agent of ["codex", "cursor"]) speak(agent);

  expect(noted).toEqual(["codex", "cursor", "codex", "cursor"]);
});
