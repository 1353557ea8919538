// The protocol's own conformance suite against the installed command. It speaks HTTP only, so mcp-bridge.mjs relays.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, inject, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.js";

// It needs Node 22, which npm brings too.
const wanted = ["node@22", "@modelcontextprotocol/conformance@0.1.16"];

const applying = [
  "server-initialize",
  "ping",
  "tools-list",
  "resources-list",
  "prompts-list",
  "completion-complete",
  "server-sse-multiple-streams",
];

/** What the suite has besides, and why it says nothing about Tacit. */
const others: Record<string, string> = {
  "logging-set-level": "Tacit offers no logging, which the protocol has since given up",
  "resources-subscribe": "nothing is told without being asked",
  "resources-unsubscribe": "nothing is told without being asked",
  "server-sse-polling": "HTTP: the bridge's, not ours",
  "dns-rebinding-protection": "HTTP: the bridge's, not ours; Tacit opens no port",
  ...allOf("needs tools of its own, named test_…", [
    "tools-call-simple-text",
    "tools-call-image",
    "tools-call-audio",
    "tools-call-embedded-resource",
    "tools-call-mixed-content",
    "tools-call-with-logging",
    "tools-call-error",
    "tools-call-with-progress",
    "tools-call-sampling",
    "tools-call-elicitation",
    "json-schema-2020-12",
    "elicitation-sep1034-defaults",
    "elicitation-sep1330-enums",
  ]),
  ...allOf("needs resources or prompts of its own, named test…", [
    "resources-read-text",
    "resources-read-binary",
    "resources-templates-read",
    "prompts-get-simple",
    "prompts-get-with-args",
    "prompts-get-embedded-resource",
    "prompts-get-with-image",
  ]),
};

const suite = install();

describe("tacit mcp", () => {
  beforeEach(({ skip }) => skip(suite === undefined, `npm could not bring ${wanted.join(" and ")}`));

  it("is tried with every scenario of the suite that applies", () => {
    const { stdout } = run(["list", "--server"]);
    const offered = [...stdout.matchAll(/^ {2}- ([\w-]+) \[/gm)].map(([, name]) => name);

    expect(new Set(offered)).toEqual(new Set([...applying, ...Object.keys(others)]));
  });

  it.each(applying)("conforms in %s", async (scenario) => {
    const url = await startBridge();

    const { status, stdout, stderr } = run(["server", "--url", url, "--scenario", scenario]);

    expect(status, `${stdout}\n${stderr}`).toBe(0);
    expect(stdout).toMatch(/Passed: [1-9]\d*\/\d+, 0 failed/);
  });
});

async function startBridge(): Promise<string> {
  const command = join(inject("installedIn"), "node_modules", "tacit-memory", "dist", "cli", "main.js");
  const db = join(temporaryFolder(), "memory.db");
  const line = [process.execPath, command, "mcp", "--db", db, "--project", "p"];
  const child = spawn(process.execPath, [join(import.meta.dirname, "mcp-bridge.mjs"), ...line], { stdio: "pipe" });
  onTestFinished(() => void child.stdin.end());
  const said = await new Promise<string>((heard, fail) => {
    child.stdout.setEncoding("utf8").once("data", heard);
    child.once("exit", (code) => fail(new Error(`The bridge ended with ${String(code)}.`)));
  });
  return (JSON.parse(said) as { url: string }).url;
}

function run(args: string[]): { status: number | null; stdout: string; stderr: string } {
  const { node = "", program = "" } = suite ?? {};
  return spawnSync(node, [program, ...args], { encoding: "utf8", env: { ...process.env, NO_COLOR: "1" } });
}

/** The suite in a temporary folder, or in that of `TACIT_AGENTS_IN`, where it stays; undefined where it cannot be had. */
function install(): { node: string; program: string } | undefined {
  const kept = process.env["TACIT_AGENTS_IN"];
  const folder = kept === undefined ? mkdtempSync(join(tmpdir(), "tacit-conformance-")) : join(kept, "conformance");
  if (kept === undefined) afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const modules = join(folder, "node_modules");
  const found = {
    node: join(modules, "node", "bin", process.platform === "win32" ? "node.exe" : "node"),
    program: join(modules, "@modelcontextprotocol", "conformance", "dist", "index.js"),
  };
  if (existsSync(found.node) && existsSync(found.program)) return found;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "conformance", private: true }));
  const flags = ["--prefer-offline", "--no-audit", "--no-fund"];
  const npm = spawnSync("npm", ["install", ...flags, ...wanted], {
    cwd: folder,
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  if (npm.status === 0 && existsSync(found.node)) return found;
  console.error(
    `\n!! SKIPPED: the conformance suite could not be installed, so that nothing was tried with it.\n!! ${npm.stderr.trim().split("\n").slice(-3).join(" ")}\n`,
  );
  return undefined;
}

function allOf(reason: string, scenarios: string[]): Record<string, string> {
  return Object.fromEntries(scenarios.map((scenario) => [scenario, reason]));
}
