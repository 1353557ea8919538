import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { addInstall } from "../../src/cli/agents/install.js";
import { addUninstall } from "../../src/cli/agents/uninstall.js";
import { agents } from "../../src/install/agents/known-agents.js";
import type { TacitMemory } from "../../src/index.js";
import { runLine, textOf } from "../support/run-line.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const main = join(import.meta.dirname, "..", "..", "dist", "cli", "main.js");
const servers = '{\n\t"mcpServers": {\n\t\t"x": { "key": "s3cret" }\n\t}\n}';

describe("tacit install and tacit uninstall", () => {
  it("[B10] write nothing that nobody agreed to, then connect what is found, and give it back", () => {
    const { home, file } = openHome();
    const tacit = (...args: string[]) => run(home, args);

    const first = tacit("install");
    expect(first).toMatchObject({ code: 1, stderr: "" });
    expect(first.stdout).toContain("The same line with --yes connects Cursor.");
    expect(first.stdout).toContain('+\t\t"tacit": {');
    expect(first.stdout).not.toContain("s3cret");
    expect(readFileSync(file, "utf8")).toBe(servers);

    expect(tacit("install", "--yes").code).toBe(0);
    const { command, args } = (JSON.parse(readFileSync(file, "utf8")) as typeof shape).mcpServers.tacit;
    // What was written is there, and is what runs now.
    expect(spawnSync(command, [args[0] as string, "--version"], { encoding: "utf8" }).stdout).toMatch(/^\d+\.\d+/);

    expect(tacit("uninstall")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`${file}: as it was, byte for byte`),
    });
    expect(readFileSync(file, "utf8")).toBe(servers);
  });

  it("[B10] answer programs, and whoever mistypes a name", async () => {
    const { file } = openHome({ isOwn: true });
    const install = async (...line: string[]) =>
      (await runLine({ actor: { kind: "person" } } as TacitMemory, addInstall, ["install", ...line])).answer;
    const uninstall = async (...line: string[]) =>
      (await runLine({ actor: { kind: "person" } } as TacitMemory, addUninstall, ["uninstall", ...line])).answer;

    await expect(install("vscod")).rejects.toMatchObject({
      code: "usage",
      hint: expect.stringMatching(
        /^Did you mean: tacit install vscode\nThere are: claude-code, opencode, codex, cursor, vscode, windsurf, gemini\./,
      ),
    });
    await expect(uninstall("claude")).rejects.toMatchObject({ hint: expect.stringContaining("claude-code\n") });

    const dry = await install("--dry-run");
    expect([dry.ok, dry.ids, textOf(dry).includes("without --dry-run connects Cursor")]).toEqual([
      true,
      ["cursor"],
      true,
    ]);
    expect(await install("--yes")).toMatchObject({
      ok: true,
      ids: ["cursor"],
      document: {
        written: true,
        agents: [{ agent: "cursor", state: "connected", files: [{ file, difference: [{ line: 4 }] }] }],
      },
    });
    const again = await install("--yes");
    expect([again.ok, again.ids]).toEqual([true, []]);
    expect(textOf(again)).toContain("Cursor: connected, nothing to do");

    writeFileSync(file, `// mine\n${readFileSync(file, "utf8")}`);
    expect(textOf(await uninstall("--dry-run"))).toContain("Tacit's part would go; the rest stays");
    expect(await uninstall()).toMatchObject({
      ok: true,
      document: { agents: [{ files: [{ file, how: "taken-out" }] }] },
    });
    expect(readFileSync(file, "utf8")).toBe(`// mine\n${servers}`);
    expect(textOf(await uninstall())).toBe("No agent is connected to Tacit here.");

    writeFileSync(file, "{");
    const refused = await install("--yes");
    expect(refused.ok).toBe(false);
    expect(textOf(refused)).toMatch(
      /Cursor: cannot be connected\n {2}.*mcp\.json:1: this is no JSON: .*\n {2}Nothing was changed there/,
    );
  });

  it("[B10] name every agent in their help", async () => {
    const { Command } = await import("commander");
    const program = new Command();
    addInstall(program, {} as never);
    let help = "";
    program.commands[0]?.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
    expect(help).toContain(`Agents: ${agents.map(({ id }) => id).join(", ")}.`);
  });
});

declare const shape: { mcpServers: { tacit: { command: string; args: string[] } } };

/** A home with Cursor in it and nothing else; with `isOwn` that of this very process, until the test ends. */
function openHome({ isOwn = false } = {}): { home: string; file: string } {
  const home = temporaryFolder();
  mkdirSync(join(home, ".cursor"));
  const file = join(home, ".cursor", "mcp.json");
  writeFileSync(file, servers);
  if (isOwn) {
    for (const [name, value] of Object.entries(environment(home))) {
      const before = process.env[name];
      process.env[name] = value;
      onTestFinished(() => {
        if (before === undefined) delete process.env[name];
        else process.env[name] = before;
      });
    }
  }
  return { home, file };
}

function environment(home: string): Record<string, string> {
  return {
    HOME: home,
    USERPROFILE: home,
    APPDATA: home,
    XDG_CONFIG_HOME: join(home, ".config"),
    PATH: home,
    TACIT_HOME: join(home, ".tacit"),
  };
}

function run(home: string, args: string[]): { code: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
    encoding: "utf8",
    env: environment(home),
  });
  return { code: status, stdout, stderr };
}
