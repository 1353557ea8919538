import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { filesOf, newPlaces } from "../../test/support/install-place.js";
import { checkAgents } from "./check-agents.js";
import { agents } from "../install/agents/known-agents.js";
import type { Agent } from "../install/agents/agent.js";
import { applyPlan } from "../install/apply-plan.js";
import { planInstall } from "../install/install.js";
import type { Machine } from "../install/agents/machine.js";
import { noteAgentSeen } from "../install/last-seen/agents-seen.js";

const now = new Date("2026-11-16T12:00:00Z");

describe("the doctor's word about agents", () => {
  it("[B9] says who is connected and when each last spoke, and warns of what cannot work", async () => {
    const open = newPlaces();
    const bare = open();
    const [node, main] = ["node", "dist/cli/main.js"].map((name) => join(bare.home, "opt", name)) as [string, string];
    for (const file of [node, main]) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, "");
    }
    const place: Machine = { ...bare, installation: { ...bare.installation, node, main }, temporary: "/nowhere" };
    const home = place.tacitHome;
    const check = () => checkAgents(home, now, place);

    expect(await check()).toEqual({ name: "agents", status: "ok", message: "none is connected" });

    mkdirSync(join(place.home, ".gemini"));
    expect(await check()).toMatchObject({
      status: "ok",
      hint: expect.stringContaining("not connected: Gemini CLI. To connect: tacit install"),
    });

    // What cannot be connected as it is, and who reaches Tacit in a way of its own.
    const gemini = join(place.home, ".gemini", "settings.json");
    writeFileSync(gemini, "{ broken, and not ours");
    expect(await check()).toMatchObject({
      status: "ok",
      hint: expect.stringMatching(/: Gemini CLI \(.*settings\.json:1: /),
    });
    rmSync(gemini);
    speak(home, "gemini-cli", 86_400_000);
    expect(await check()).toEqual({ name: "agents", status: "ok", message: "Gemini CLI (spoke 1 day ago)" });
    rmSync(join(home, "agents", "gemini-cli"));

    applyPlan(planInstall(["claude-code", "Cursor", "vs code"], place), place);
    expect(await checkAgents(home, now, { ...place, temporary: join(place.home, "opt") })).toMatchObject({
      status: "warning",
      message: expect.stringContaining("in a temporary folder, which is emptied"),
    });
    speak(home, "claude-code", 5 * 60_000);
    speak(home, "Visual Studio Code", 3 * 86_400_000);
    speak(home, "ai-sdk", 0);
    expect(await check()).toMatchObject({
      status: "ok",
      message:
        "Claude Code (spoke 5 minutes ago), Cursor (has not spoken yet), VS Code (spoke 3 days ago), ai-sdk (spoke just now)",
    });

    writeFileSync(join(place.home, ".claude", "mcp-needs-auth-cache.json"), '{"tacit":{"timestamp":1}}');
    expect(await check()).toMatchObject({
      status: "warning",
      message: expect.stringContaining("remembers that Tacit's server failed once"),
      hint: expect.stringMatching(/^Remove .*mcp-needs-auth-cache\.json; Found and not connected: Gemini CLI\./),
    });

    const [, servers = ""] = filesOf(agents[0] as Agent, place);
    rmSync(servers);
    expect(await check()).toMatchObject({ message: expect.stringContaining("Claude Code is connected in part only") });

    rmSync(main);
    expect(await check()).toMatchObject({
      status: "warning",
      message: expect.stringContaining(`Cursor is to start ${main}, which is not there`),
      hint: expect.stringMatching(
        /^tacit install claude-code; tacit install cursor; tacit install vscode; Found and not/,
      ),
    });

    writeFileSync(join(place.home, ".cursor", "mcp.json"), '{ "mcpServers": { "tacit": ');
    writeFileSync(join(place.home, ".gemini", "settings.json"), "{ broken, and not ours");
    const { message } = await check();
    expect(message).toContain("mcp.json:1: this is no JSON");
    expect(message).not.toContain("settings.json");

    writeFileSync(join(home, "installed.json"), '{"version":1,"entries":[null]}');
    expect(await check()).toMatchObject({ message: expect.stringContaining("installed.json cannot be read") });
  });

  it("[B9] knows the plug-in of Claude Code, which is left as it is, and says when there are two ways", async () => {
    const open = newPlaces();
    const place = open();
    const [settings = ""] = filesOf(agents[0] as Agent, place);
    applyPlan(planInstall(["claude-code"], place), place);
    writeFileSync(settings, '{ "enabledPlugins": { "tacit@tacit": true } }');
    const check = async () => (await checkAgents(place.tacitHome, now, place)).message;

    expect(await check()).toContain("Claude Code is connected twice, by its plug-in tacit@tacit, ");
    rmSync(join(place.home, ".claude.json"));
    expect(await check()).toContain("Claude Code is to start tacit, which is not on the PATH here");
    expect(planInstall(["claude-code"], place).agents).toMatchObject([
      { state: "connected", changes: [], notes: ["Connected by its plug-in tacit@tacit already."] },
    ]);
  });
});

function speak(home: string, agent: string, agoMs: number): void {
  noteAgentSeen(agent, { home });
  const name = agent.toLowerCase().replaceAll(" ", "-");
  const at = new Date(now.getTime() - agoMs);
  utimesSync(join(home, "agents", name), at, at);
}
