import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { documentOf } from "../../src/cli/agents/render-install.js";
import { agents } from "../../src/install/agents/known-agents.js";
import type { Agent } from "../../src/install/agents/agent.js";
import { applyPlan } from "../../src/install/apply-plan.js";
import { planInstall } from "../../src/install/install.js";
import { readJournal } from "../../src/install/journal.js";
import { listConnections } from "../../src/install/list-connections.js";
import type { Machine } from "../../src/install/agents/machine.js";
import { underLock } from "../../src/install/config-files/under-lock.js";
import { uninstall } from "../../src/install/uninstall.js";
import { filesOf, newPlaces } from "../support/install-place.js";

const cursor = agents.find(({ id }) => id === "cursor") as Agent;

describe("an update", () => {
  it("[B8] shows and notes nothing of what a person has beside ours, and moves everything to another folder and back", () => {
    const open = newPlaces();
    for (const agent of agents.filter(({ id }) => id !== "opencode")) {
      const place = open();
      const files = filesOf(agent, place);
      const [usual, first, second] = ["", "-a", "-b"].map((end, index) => ({
        ...place,
        tacitHome: join(place.home, `.tacit${end}`),
        installation: realInstallation(place, index === 2 ? "new" : "old"),
      })) as [Machine, Machine, Machine];
      applyPlan(planInstall([agent.id], first), first);
      for (const file of files) {
        const text = readFileSync(file, "utf8")
          .replace("{ TACIT_HOME =", '{ KEY = "s3cret", TACIT_HOME =')
          .replace('"TACIT_HOME"', '"KEY": "s3cret",\n "TACIT_HOME"')
          .replace('"hooks": [', '"hooks": [ { "type": "command", "command": "s3cret" },');
        writeFileSync(file, text);
        expect(text).toContain("s3cret");
      }
      const homes = () => files.flatMap((file) => readFileSync(file, "utf8").match(/\.tacit-\w/g) ?? []);

      for (const [at, wanted] of [
        [second, files.map(() => ".tacit-b")],
        [usual, []],
        [first, files.map(() => ".tacit-a")],
      ] as const) {
        const from = homes()[0];
        const said = () => listConnections(at).find((each) => each.agent === agent.id)?.problem?.message;
        expect(said(), agent.id).toContain(`keeps its memories in ${join(place.home, from ?? ".tacit")}, not in`);
        const plan = planInstall([agent.id], at);
        expect(plan.agents).toMatchObject([{ state: "update", notes: [] }]);
        applyPlan(plan, at);
        expect(homes(), agent.id).toEqual(wanted);
        expect(JSON.stringify(documentOf(plan))).not.toContain("s3cret");
        expect(JSON.stringify(readJournal(at.tacitHome))).not.toContain("s3cret");
      }
      expect(uninstall(undefined, usual)).toMatchObject([{ state: "disconnected" }]);
      for (const file of files) {
        expect(readFileSync(file, "utf8")).not.toMatch(/TACIT_HOME|dist/);
        const isHooks = agent.id === "claude-code" && file === files[0];
        expect(readFileSync(file, "utf8").includes("s3cret")).toBe(isHooks);
      }
    }
  });
});

describe("the journal", () => {
  it("[B6] is not believed where it is damaged, or says what is none of our affair", () => {
    const place = newPlaces()();
    const [file = ""] = filesOf(cursor, place);
    const journal = join(place.tacitHome, "installed.json");
    writeFileSync(file, "{}");
    applyPlan(planInstall(["cursor"], place), place);
    const [entry] = readJournal(place.tacitHome);
    const plant = (entries: unknown) => writeFileSync(journal, JSON.stringify({ version: 1, entries }));
    for (const entries of [[null], [{ agent: "cursor" }], [{ ...entry, steps: [] }], [{ ...entry, folders: [1] }]]) {
      plant(entries);
      expect(() => uninstall(undefined, place)).toThrow(expect.objectContaining({ code: "config-invalid" }));
    }

    const victim = join(place.home, "victim", "mcp.json");
    mkdirSync(dirname(victim));
    writeFileSync(victim, '{ "a": 1 }');
    const step = {
      ...entry?.steps[0],
      before: sha256("{ }"),
      after: sha256('{ "a": 1 }'),
      edits: [{ offset: 2, removed: "", inserted: '"a": 1 ' }],
    };
    for (const planted of [
      { ...entry, file: victim, steps: [step] },
      { ...entry, file: victim, isMade: true, steps: [{ ...step, before: null }] },
      { ...entry, file: victim.replace("mcp", "notes"), steps: [step] },
    ]) {
      if (planted.file !== victim) writeFileSync(planted.file, '{ "a": 1 }');
      plant([planted]);
      uninstall(undefined, place);
      expect(readFileSync(planted.file, "utf8")).toBe('{ "a": 1 }');
    }
    expect(uninstall(undefined, place)).toMatchObject([
      { state: "failed", problem: { message: expect.stringContaining("is none of cursor's files") } },
    ]);
  });

  it("[B6] is changed by one process at a time, and by the next where one was ended", () => {
    const place = newPlaces()();
    const file = join(place.tacitHome, "installed.json");
    mkdirSync(place.tacitHome);
    writeFileSync(`${file}.lock`, "");
    expect(() => underLock(file, () => "done", { patienceMs: 20 })).toThrow(/is being written by somebody else/);
    const old = new Date(Date.now() - 60_000);
    utimesSync(`${file}.lock`, old, old);
    expect(underLock(file, () => existsSync(`${file}.lock`))).toBe(true);
    expect(readdirSync(place.tacitHome)).toEqual([]);
  });

  it("[B6] and files are cleared of what a process has left that was ended while it wrote", () => {
    const place = newPlaces()();
    const [file = ""] = filesOf(cursor, place);
    const [left, fresh] = ["0", "1"].map((digit) =>
      join(dirname(file), `.mcp.json.${"0".repeat(35)}${digit}.part`),
    ) as [string, string];
    for (const each of [left, fresh]) writeFileSync(each, "s3cret");
    const old = new Date(Date.now() - 600_000);
    utimesSync(left, old, old);
    applyPlan(planInstall(["cursor"], place), place);
    expect([existsSync(left), existsSync(fresh)]).toEqual([false, true]);
  });
});

/** An installation that is there, so that nothing is lost. */
function realInstallation({ home }: Machine, name: string): Machine["installation"] {
  const folder = join(home, name, "dist", "cli");
  mkdirSync(folder, { recursive: true });
  for (const file of ["node", "main.js"]) writeFileSync(join(folder, file), "");
  return { node: join(folder, "node"), main: join(folder, "main.js"), plugin: "" };
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
