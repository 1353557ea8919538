import { readFileSync } from "node:fs";
import path, { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newPlaces } from "../../../test/support/install-place.js";
import type { Json } from "../../base/base.js";
import type { Machine } from "./machine.js";
import { agents } from "./known-agents.js";
import type { Agent } from "./agent.js";

const windows = (env: Machine["env"]): Partial<Machine> => ({
  platform: "win32",
  path: path.win32,
  env,
  home: "C:\\Users\\Ada",
  tacitHome: "C:\\Users\\Ada\\.tacit",
});

describe("the files of agents", () => {
  it("[B7] are where each agent looks for them on Linux, macOS and Windows, and where its environment says", () => {
    const open = newPlaces();
    const files = (changes: Partial<Machine>) =>
      Object.fromEntries(agents.map((agent) => [agent.id, agent.targets(open(changes)).map(({ file }) => file)]));

    expect(files({ home: "/home/ada", path: path.posix })).toEqual({
      "claude-code": ["/home/ada/.claude/settings.json", "/home/ada/.claude.json"],
      opencode: ["/home/ada/.config/opencode/opencode.jsonc"],
      codex: ["/home/ada/.codex/config.toml"],
      cursor: ["/home/ada/.cursor/mcp.json"],
      vscode: ["/home/ada/.config/Code/User/mcp.json"],
      windsurf: ["/home/ada/.codeium/windsurf/mcp_config.json"],
      gemini: ["/home/ada/.gemini/settings.json"],
    });
    expect(files({ home: "/Users/ada", path: path.posix, platform: "darwin" })).toMatchObject({
      opencode: ["/Users/ada/.config/opencode/opencode.jsonc"],
      vscode: ["/Users/ada/Library/Application Support/Code/User/mcp.json"],
    });
    expect(files(windows({ APPDATA: "D:\\Roaming" }))).toEqual({
      "claude-code": ["C:\\Users\\Ada\\.claude\\settings.json", "C:\\Users\\Ada\\.claude.json"],
      opencode: ["C:\\Users\\Ada\\.config\\opencode\\opencode.jsonc"],
      codex: ["C:\\Users\\Ada\\.codex\\config.toml"],
      cursor: ["C:\\Users\\Ada\\.cursor\\mcp.json"],
      vscode: ["D:\\Roaming\\Code\\User\\mcp.json"],
      windsurf: ["C:\\Users\\Ada\\.codeium\\windsurf\\mcp_config.json"],
      gemini: ["C:\\Users\\Ada\\.gemini\\settings.json"],
    });
    expect(
      files({
        path: path.posix,
        env: { CLAUDE_CONFIG_DIR: "/c", CODEX_HOME: "/x", XDG_CONFIG_HOME: "/g", GEMINI_CLI_HOME: "/m" },
      }),
    ).toMatchObject({
      "claude-code": ["/c/settings.json", "/c/.claude.json"],
      opencode: ["/g/opencode/opencode.jsonc"],
      codex: ["/x/config.toml"],
      vscode: ["/g/Code/User/mcp.json"],
      gemini: ["/m/.gemini/settings.json"],
    });
  });

  it("[B7] get Tacit by whole paths, and Tacit's folder where it is not the usual one", () => {
    const open = newPlaces();
    const place = open({
      ...windows({}),
      installation: {
        node: "C:\\Node\\node.exe",
        main: "C:\\t\\dist\\cli\\main.js",
        plugin: "file:///C:/t/dist/agents/opencode/opencode.js",
      },
    });
    const moved = { ...place, tacitHome: "E:\\memories" };
    for (const agent of agents) {
      const values = (at: Machine) => agent.targets(at).flatMap(({ parts }) => parts.map(({ value }) => value));

      expect(JSON.stringify(values(place)), agent.id).not.toContain("TACIT_HOME");
      const isPlugin = agent.id === "opencode";
      const server = { command: "C:\\Node\\node.exe", args: ["C:\\t\\dist\\cli\\main.js", "mcp"] };
      expect({ last: values(place).at(-1) }).toMatchObject({ last: isPlugin ? place.installation.plugin : server });
      const told = isPlugin ? agent.remark?.(moved) : JSON.stringify(values(moved).at(-1));
      expect(told, agent.id).toContain(isPlugin ? "TACIT_HOME=E:\\memories" : '"env":{"TACIT_HOME":"E:\\\\memories"}');
      for (const part of agent.targets(moved).flatMap(({ parts }) => parts)) {
        const value = part.value as Json;
        const beside = { hooks: { Stop: [values(moved)[1]] } };
        expect(part.isOurs(value, beside)).toBe(true);
        expect(part.renew(value)).toEqual(value);
        expect(
          [undefined, null, 1, "x", [], {}, { command: "npx", args: ["mcp"] }].filter((each) => part.isOurs(each, {})),
        ).toEqual([]);
      }
    }
  });

  it("asks Claude Code for the hooks that the plug-in asks for, in the same way", () => {
    const root = join(import.meta.dirname, "..", "..", "..");
    const plugin = JSON.parse(readFileSync(join(root, "plugins/claude-code/hooks/hooks.json"), "utf8")) as {
      hooks: Record<string, unknown>;
    };
    const place = newPlaces()();
    const [settings] = (agents[0] as Agent).targets(place);
    const { node, main } = place.installation;

    const hooks = (settings?.parts ?? []).filter(({ at }) => at[0] === "hooks");
    const ours = Object.fromEntries(hooks.map(({ at, value }) => [at[1], [value]]));

    const byName = JSON.stringify(ours)
      .replaceAll(JSON.stringify(node), '"tacit"')
      .replaceAll(`${JSON.stringify(main)},`, "");
    expect(JSON.parse(byName)).toEqual(plugin.hooks);
    expect(Object.keys(ours)).toEqual(Object.keys(plugin.hooks));
  });
});
