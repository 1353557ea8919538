import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import * as fc from "fast-check";
import { parse, type ParseError } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { describe, expect, it } from "vitest";
import { agents } from "../../src/install/agents/known-agents.js";
import type { Agent } from "../../src/install/agents/agent.js";
import { applyPlan } from "../../src/install/apply-plan.js";
import { planInstall, type Plan } from "../../src/install/install.js";
import { changeJournal, readJournal } from "../../src/install/journal.js";
import { listConnections } from "../../src/install/list-connections.js";
import type { Machine } from "../../src/install/agents/machine.js";
import { uninstall } from "../../src/install/uninstall.js";
import { filesOf, installation, newer, newPlaces, snapshot } from "../support/install-place.js";

// What people have in such files. `K` stands for the key under which an agent keeps its servers.
const jsonTexts: Record<string, string> = {
  "an empty file": "",
  "a blank file": "\n\n",
  "an empty object": "{}",
  "an empty object over two lines": "{\n}\n",
  "a blank in an empty object": "{ }\n",
  "comments only": "// mine\n/* all\n   mine */\n",
  "a comment in an empty object": "{\n  // nothing yet\n}\n",
  "another server": '{\n  "K": {\n    "other": { "command": "x", "args": ["--key", "s3cret"] }\n  }\n}\n',
  "an empty list of servers": '{\n  "K": {}\n}\n',
  "comments at every place":
    '// top\n{ // open\n  /* a */ "a": 1, // one\n  "K": { // servers\n    // "old": {},\n    "x": {} /* x */ // end\n    // last\n  } // closed\n  // tail\n}\n// bottom',
  tabs: '{\n\t"a": [\n\t\t1\n\t],\n\t"K": {\n\t\t"x": {\n\t\t\t"url": "https://x.example/a//b"\n\t\t}\n\t}\n}\n',
  "three blanks": '{\n   "a": {\n      "b": null\n   }\n}\n',
  "four blanks, no last line end": '{\n    "a": true\n}',
  "line ends of Windows": '{\r\n  "a": 1, // one\r\n  "K": {\r\n    "x": {}\r\n  }\r\n}\r\n',
  "a byte order mark": '\uFEFF{\n  "a": 1\n}\n',
  "only a byte order mark": "\uFEFF",
  "trailing commas": '{\n  "a": [1, 2,],\n  "K": {\n    "x": {},\n  },\n}\n',
  "a trailing comma and a comment": '{\n  "a": 1, // one\n}\n',
  "one line": '{"a":1,"K":{"x":{"command":"y"}}}',
  "one line with blanks": '{ "a": 1, "K": { "x": {} } }\n',
  "one line without servers": '{"a": [], "b": "}"}',
  "ragged lines": '{ "a": 1,\n"b": 2 ,\n      "K":{\n "x" :{ }\n      }  \n\n\n}   \n\n',
  "a key that is there twice": '{\n  "K": { "x": {} },\n  "K": { "y": {} }\n}\n',
  "names that trick": '{\n  "tacit": { "mcpServers": { "tacit": {} } },\n  "__proto__": {},\n  "a\\"{": "//}"\n}\n',
  "lists that ours go into":
    '{\n  "plugin": ["a", ["b", {}]],\n  "hooks": {\n    "Stop": [\n      { "hooks": [] }\n    ],\n    "PreToolUse": []\n  }\n}\n',
};

const tomlTexts: Record<string, string> = {
  "an empty file": "",
  "comments only": "# mine",
  "keys and no table": 'model = "o4"\n\n# the end\n',
  "no last line end": 'model = "o4"',
  "line ends of Windows": 'model = "o4"\r\n\r\n[tui]\r\nnotify = true\r\n',
  "a byte order mark": '\uFEFFmodel = "o4"\n',
  "another server":
    '[mcp_servers.x]\ncommand = "x" # why\nargs = [\n  "a", # one\n  "]",\n]\nenv = { KEY = "s3cret" }\n\n[tui]\n# nothing\n',
  "a table of servers": '[mcp_servers]\nx = { command = "x" }\n\n[[profiles]]\nname = "a"\n',
  "servers on one line": 'mcp_servers = { x = { command = "x", args = ["}"] } } # one\nmodel = "o4"\n',
  "no servers on one line": "mcp_servers = {}\n",
  "keys with dots": 'mcp_servers.x.command = "x"\nmcp_servers."y z".url = "https://y.example"\n[a]\n',
  "texts that trick":
    'a = """\n[mcp_servers.tacit]\ncommand = "x" """\nb = \'\'\'[mcp_servers]\'\'\'\nc = "# \\" ["\nd = 1979-05-27 07:32:00Z\n"mcp_servers" . x.command = \'[t]\'\n',
  "great numbers": "a = 9007199254740993\nb = inf\nc = 0xff\n",
};

const byId = (id: string) => agents.find((agent) => agent.id === id) as Agent;

/** Each agent with each text that its files may have; with those that the agent itself does not read, where they are asked for. */
function cases({ isRead = true } = {}): { agent: Agent; what: string; text: string }[] {
  return agents.flatMap((agent) => {
    const texts = agent.id === "codex" ? tomlTexts : jsonTexts;
    const key = agent.id === "vscode" ? "servers" : "mcpServers";
    return Object.entries(texts)
      .map(([what, text]) => ({ agent, what, text: text.replaceAll('"K"', `"${key}"`) }))
      .filter(({ text }) => reads(agent, text) === isRead);
  });
}

/** Whether an agent reads a text: comments and a comma behind the last are not for all of them. */
function reads({ id }: Agent, text: string): boolean {
  const errors: ParseError[] = [];
  parse(text.replace(/^\uFEFF/, ""), errors, {
    disallowComments: ["claude-code", "windsurf"].includes(id),
    allowTrailingComma: ["opencode", "vscode"].includes(id),
    allowEmptyContent: true,
  });
  return id === "codex" || errors.length === 0;
}

describe("install, then uninstall", () => {
  it("[B1] gives every file of every agent back byte for byte, however it is written, and leaves nothing behind", () => {
    const open = newPlaces();
    for (const { agent, what, text } of cases()) {
      const place = open();
      for (const file of filesOf(agent, place)) writeFileSync(file, text, { mode: 0o640 });
      const before = snapshot(place.home);

      const plan = planInstall([agent.id], place);
      const applied = applyPlan(plan, place);

      expect(taken(plan), `${agent.id}, ${what}`).toBe("");
      expect(applied, `${agent.id}, ${what}`).toMatchObject([{ state: "connected", files: filesOf(agent, place) }]);
      expect(isThere(agent, place), `${agent.id}, ${what}`).toBe(true);
      expect(planInstall([agent.id], place).agents, `${agent.id}, ${what}`).toMatchObject([
        { state: "connected", changes: [], notes: [] },
      ]);
      expect(planInstall([agent.id], { ...place, installation: newer }).agents, `${agent.id}, ${what}`).toMatchObject([
        { state: "update", changes: filesOf(agent, place).map((file) => ({ file })) },
      ]);
      expect(uninstall(undefined, place), `${agent.id}, ${what}`).toMatchObject([
        { agent: agent.id, state: "disconnected" },
      ]);
      expect(withoutTacit(place), `${agent.id}, ${what}`).toEqual(before);
      expect(uninstall(undefined, place)).toEqual([]);
    }
  });

  it("[B1] does so where there was no folder, through links, and after several installations at other places", () => {
    const open = newPlaces();
    for (const agent of agents) {
      const place = open();
      applyPlan(planInstall([agent.id], place), place);
      expect(
        listConnections(place)
          .filter(({ isConnected }) => isConnected)
          .map(({ agent: id }) => id),
      ).toEqual([agent.id]);
      expect(uninstall([agent.id], place)).toMatchObject([{ state: "disconnected" }]);
      expect(withoutTacit(place), agent.id).toEqual({});

      const text = agent.id === "codex" ? "# c\n[mcp_servers.x]\nurl = 'u'\n" : '{ "a": 1\n}';
      for (const file of filesOf(agent, place)) {
        // As dotfile managers have it.
        writeFileSync(join(dirname(file), "kept"), text);
        symlinkSync("kept", file);
      }
      const before = withoutTacit(place);
      applyPlan(planInstall([agent.id], place), place);
      const moved = { ...place, installation: newer };
      expect(planInstall([agent.id], moved).agents).toMatchObject([{ state: "update" }]);
      applyPlan(planInstall([agent.id], moved), moved);
      for (const file of filesOf(agent, place)) {
        expect(lstatSync(file).isSymbolicLink()).toBe(true);
        expect(readFileSync(file, "utf8")).toContain("/srv/package/");
        expect(readFileSync(file, "utf8")).not.toContain("/opt/lib/");
      }
      uninstall(undefined, moved);
      expect(withoutTacit(place), agent.id).toEqual(before);
    }
  });

  it("[B1] takes an older installation out as well, of whose journal nothing is known", () => {
    const open = newPlaces();
    for (const agent of agents) {
      const text = agent.id === "codex" ? "a = 1\n" : '{\n  "a": 1\n}\n';
      for (const edit of [(now: string) => now, (now: string) => now.replace("1", "2")]) {
        const place = open();
        const files = filesOf(agent, place);
        for (const file of files) writeFileSync(file, text);
        applyPlan(planInstall([agent.id], place), place);
        rmSync(place.tacitHome, { recursive: true });
        const moved = { ...place, installation: newer };
        applyPlan(planInstall([agent.id], moved), moved);
        for (const file of files) writeFileSync(file, edit(readFileSync(file, "utf8")));

        expect(uninstall(undefined, moved)).toMatchObject([{ files: files.map(() => ({ how: "taken-out" })) }]);

        for (const file of files) expect(readFileSync(file, "utf8"), agent.id).toBe(edit(text));
      }
    }
  });

  it("[B1] holds for any JSON with comments and blanks anywhere", () => {
    const place = newPlaces()();
    const [file = ""] = filesOf(byId("vscode"), place);
    fc.assert(
      fc.property(anyDocument(), (text) => {
        writeFileSync(file, text);

        applyPlan(planInstall(["vscode"], place, { force: true }), place, { force: true });

        expect(isThere(byId("vscode"), place)).toBe(true);
        uninstall(["vscode"], place);
        expect(readFileSync(file, "utf8")).toBe(text);
      }),
      { numRuns: 60 },
    );
  });
});

describe("a file that others have changed since", () => {
  it("[B2] loses our part and nothing else", () => {
    const open = newPlaces();
    // One agent for each way in which ours stands in a file; the others differ in names only.
    const each = cases().filter(({ agent: { id } }) => ["claude-code", "opencode", "codex", "vscode"].includes(id));
    for (const { agent, what, text } of each) {
      const place = open();
      const files = filesOf(agent, place);
      for (const file of files) writeFileSync(file, text);
      applyPlan(planInstall([agent.id], place), place);
      const changed = files.map((file) => changeByHand(file, agent));

      const [disconnected] = uninstall([agent.id], place);

      expect(disconnected, `${agent.id}, ${what}`).toMatchObject({ state: "disconnected" });
      for (const [index, file] of files.entries()) {
        const left = readFileSync(file, "utf8");
        expect(valueOf(file, left), `${agent.id}, ${what}`).toEqual(valueOf(file, addByHand(text, agent)));
        // Every comment and every word, in their order; what commas and blanks may differ in says nothing.
        expect(bare(left), `${agent.id}, ${what}`).toBe(bare(addByHand(text, agent)));
        expect(changed[index]).not.toBe(left);
      }
    }
  });

  it("[B2] is the same again to the byte where what was changed stands elsewhere", () => {
    const place = newPlaces()();
    const text = '{\n  "a": 1,\n  "mcpServers": {\n    "x": {} // x\n  }\n}\n';
    const [file = ""] = filesOf(byId("cursor"), place);
    for (const edit of [
      (now: string) => now.replace('"a": 1', '"a": 2'),
      (now: string) => now.replace("// x", "// y"),
      (now: string) => `// on top\n${now}`,
      (now: string) => now.replace('  "mcpServers"', '  "b": [],\n  "mcpServers"'),
    ]) {
      writeFileSync(file, text);
      applyPlan(planInstall(["cursor"], place), place);
      writeFileSync(file, edit(readFileSync(file, "utf8")));
      expect(uninstall(["cursor"], place)).toMatchObject([{ files: [{ how: "taken-out" }] }]);
      expect(readFileSync(file, "utf8")).toBe(edit(text));
    }
  });

  it("[B2] is the same again to the byte where nothing but blanks and comments was in it", () => {
    const place = newPlaces()();
    const [file = ""] = filesOf(byId("cursor"), place);
    for (const text of [
      "",
      "\n\n",
      "// mine\n",
      "{}",
      "{ }\n",
      "{\n}\n",
      '{ "mcpServers": {} }\n',
      '{"a":{},"mcpServers":{\n}}',
    ]) {
      for (const edit of [(now: string) => `${now}\n// end\n`, (now: string) => `// top\n${now}`]) {
        writeFileSync(file, text);
        applyPlan(planInstall(["cursor"], place), place);
        writeFileSync(file, edit(readFileSync(file, "utf8")));
        uninstall(["cursor"], place);
        expect(readFileSync(file, "utf8"), text).toBe(edit(text));
      }
    }
  });

  it("[B2] is told as it is found: our part gone, the file gone, the journal lost", () => {
    const open = newPlaces();
    for (const agent of agents) {
      const place = open();
      const files = filesOf(agent, place);
      applyPlan(planInstall([agent.id], place), place);
      for (const file of files) writeFileSync(file, agent.id === "codex" ? "a = 1\n" : '{ "a": 1 }\n');
      expect(uninstall([agent.id], place)[0]?.files.map(({ how }) => how)).toEqual(files.map(() => "already-gone"));
      expect(readFileSync(files[0] as string, "utf8")).toMatch(/a/);

      applyPlan(planInstall([agent.id], place), place);
      for (const file of files) rmSync(file);
      expect(uninstall([agent.id], place)[0]?.files.map(({ how }) => how)).toEqual(files.map(() => "gone"));

      for (const file of files) writeFileSync(file, agent.id === "codex" ? "a = 1\n" : '{\n  "a": 1\n}\n');
      applyPlan(planInstall([agent.id], place), place);
      rmSync(place.tacitHome, { recursive: true });
      expect(uninstall(undefined, place)[0]?.files.map(({ how }) => how)).toEqual(files.map(() => "taken-out"));
      for (const file of files) {
        expect(readFileSync(file, "utf8")).toBe(agent.id === "codex" ? "a = 1\n" : '{\n  "a": 1\n}\n');
      }
    }
  });

  it("[B2] keeps a hook that somebody put beside ours", () => {
    const place = newPlaces()();
    const [settings = ""] = filesOf(byId("claude-code"), place);
    applyPlan(planInstall(["claude-code"], place), place);
    const text = readFileSync(settings, "utf8");
    writeFileSync(
      settings,
      text.replace(
        '"hooks": [\n          {',
        '"hooks": [\n          { "type": "command", "command": "mine" },\n          {',
      ),
    );

    expect(planInstall(["claude-code"], place).agents).toMatchObject([{ state: "connected" }]);
    uninstall(["claude-code"], place);

    expect(JSON.parse(readFileSync(settings, "utf8"))).toEqual({
      hooks: { SessionStart: [{ hooks: [{ type: "command", command: "mine" }] }] },
    });
  });
});

describe("what stands in the way", () => {
  it("[B3] is left alone and told with its line: no JSON, no TOML, no object, no UTF-8, a link to nothing, a folder", () => {
    const open = newPlaces();
    for (const agent of agents) {
      const key = agent.id === "vscode" ? "servers" : agent.id === "opencode" ? "plugin" : "mcpServers";
      const wrong: [text: string | Buffer, said: RegExp][] =
        agent.id === "codex"
          ? [
              ["a = 1\na = 2\n", /config\.toml:2: this is no TOML/],
              ["\nmcp_servers = 3\n", /config\.toml:2: mcp_servers must be a table/],
            ]
          : [
              ['{\n  "a": \n}\n', /:3: this is no JSON: value expected/],
              [
                `{\n  "${key}": 3, "hooks": []\n}\n`,
                new RegExp(`:2: (?:${key}|hooks) must be an? (?:object|list)|a list`),
              ],
              ["[]\n", /:1: the file must be an object/],
              [Buffer.from([0x7b, 0xff, 0x7d]), /:1: this is no text in UTF-8/],
            ];
      for (const [text, said] of wrong) {
        const place = open();
        for (const file of filesOf(agent, place)) writeFileSync(file, text);
        const before = snapshot(place.home);
        const plan = planInstall([agent.id], place);
        expect(plan.agents, `${agent.id}: ${text.toString()}`).toMatchObject([
          { state: "refused", changes: [], problem: { code: "config-invalid", message: expect.stringMatching(said) } },
        ]);
        expect(applyPlan(plan, place)).toMatchObject([{ state: "failed", files: [] }]);
        expect(snapshot(place.home)).toEqual(before);
      }
      const place = open();
      const [first = ""] = filesOf(agent, place);
      symlinkSync("/nowhere/at/all", first);
      expect(planInstall([agent.id], place).agents[0]?.problem?.message).toMatch(
        /is a link to a file that is not there/,
      );
      rmSync(first);
      mkdirSync(first);
      expect(planInstall([agent.id], place).agents[0]?.problem?.message).toMatch(/is no file/);
    }
    const place = open();
    const [pipe = ""] = filesOf(byId("cursor"), place);
    // Whoever opens it waits for ever.
    if (process.platform !== "win32") execFileSync("mkfifo", [pipe]);
    expect(planInstall(["cursor"], place).agents[0]?.problem?.message).toMatch(/is no file/);
    expect(listConnections(place).map(({ problem }) => problem)).toEqual(agents.map(() => undefined));
  });

  it("[B3] are comments and commas that the agent itself does not read, though not for taking ours out again", () => {
    const open = newPlaces();
    for (const { agent, what, text } of cases({ isRead: false })) {
      const place = open();
      for (const file of filesOf(agent, place)) writeFileSync(file, text);
      expect(planInstall([agent.id], place).agents, `${agent.id}, ${what}`).toMatchObject([
        { state: "refused", problem: { message: expect.stringMatching(/:\d+: this is no JSON: /) } },
      ]);
    }
    const place = open();
    const [settings = ""] = filesOf(byId("claude-code"), place);
    applyPlan(planInstall(["claude-code"], place), place);
    writeFileSync(settings, `// mine\n${readFileSync(settings, "utf8")}`);
    expect(listConnections(place)[0]?.problem?.message).toMatch(/settings\.json:1: this is no JSON: a comment/);
    uninstall(undefined, place);
    expect(readFileSync(settings, "utf8")).toBe("// mine\n");
  });

  it("[B3] is nobody's business where a broken file only has a word of ours in it", () => {
    const place = newPlaces()();
    const [file = ""] = filesOf(byId("cursor"), place);
    writeFileSync(file, '{ "tacit": ');
    expect(uninstall(undefined, place)).toEqual([]);
    expect(listConnections(place).filter(({ problem }) => problem)).toEqual([]);

    writeFileSync(file, "{}");
    applyPlan(planInstall(["cursor"], place), place);
    writeFileSync(file, readFileSync(file, "utf8").slice(0, -2));
    for (const lose of [() => undefined, () => rmSync(place.tacitHome, { recursive: true })]) {
      lose();
      expect(uninstall(undefined, place)).toMatchObject([{ agent: "cursor", state: "failed" }]);
      expect(listConnections(place).filter(({ problem }) => problem)).toMatchObject([{ agent: "cursor" }]);
    }
  });

  it("[B4] read-only files and folders are left alone, and the other agents are connected", () => {
    const place = newPlaces()();
    const [cursor = ""] = filesOf(byId("cursor"), place);
    const [gemini = ""] = filesOf(byId("gemini"), place);
    const [windsurf = ""] = filesOf(byId("windsurf"), place);
    writeFileSync(cursor, "{}", { mode: 0o444 });
    chmodSync(dirname(gemini), 0o555);

    const applied = applyPlan(planInstall(undefined, place), place);

    expect(applied).toMatchObject([
      { agent: "cursor", state: "failed", problem: { code: "config-unwritable", message: `${cursor} is read-only.` } },
      { agent: "windsurf", state: "connected", files: [windsurf] },
      { agent: "gemini", state: "failed", problem: { message: expect.stringContaining("its folder") } },
    ]);
    expect(readFileSync(cursor, "utf8")).toBe("{}");
    expect(readJournal(place.tacitHome).map(({ file }) => file)).toEqual([windsurf]);
    expect(statSync(join(place.tacitHome, "installed.json")).mode & 0o777).toBe(0o600);

    chmodSync(windsurf, 0o444);
    expect(uninstall(undefined, place)).toMatchObject([{ agent: "windsurf", state: "failed" }]);
    chmodSync(windsurf, 0o644);
    expect(uninstall(undefined, place)).toMatchObject([{ agent: "windsurf", state: "disconnected" }]);
    chmodSync(dirname(gemini), 0o755);
  });

  it("[B5] what has our name and is not ours stays, or is replaced with force and comes back", () => {
    const open = newPlaces();
    const foreign: Record<string, string> = {
      codex:
        '[mcp_servers.tacit] # mine\nurl = "https://tacit.example" # secret\n\n[mcp_servers.tacit.env]\nA = "1"\n\n[tui]\n',
      vscode: '{\n  "servers": { "tacit": { "url": "https://tacit.example" /* mine */ } }\n}',
    };
    for (const agent of agents.filter(({ id }) => id !== "opencode")) {
      const place = open();
      const bareText = foreign["vscode"]?.replace("servers", "mcpServers").replace(" /* mine */", "");
      const text = foreign[agent.id] ?? bareText ?? "";
      const file = filesOf(agent, place).at(-1) as string;
      writeFileSync(file, text);
      const plan = planInstall([agent.id], place);
      expect(plan.agents[0]?.notes).toEqual([
        expect.stringMatching(/tacit in .* is not Tacit's and stays; --force replaces it/),
      ]);
      expect(plan.agents[0]?.changes.map((change) => change.file)).not.toContain(file);

      // As it was left, it comes back byte for byte; where somebody has written since, it says the same again.
      const comment = agent.id === "codex" ? "# top\n" : "// top\n";
      for (const [edit, told] of [
        [(now: string) => now, (now: string) => now],
        [(now: string) => comment + now, (now: string) => valueOf(file, now)],
      ] as const) {
        applyPlan(planInstall([agent.id], place, { force: true }), place, { force: true });
        expect(isThere(agent, place), agent.id).toBe(true);
        writeFileSync(file, edit(readFileSync(file, "utf8")));
        uninstall([agent.id], place);
        expect(told(readFileSync(file, "utf8"))).toEqual(told(text));
        writeFileSync(file, text);
      }
    }
  });
});

describe("somebody else who writes at the same time", () => {
  it("[B6] loses nothing: what changed since the plan is planned anew", () => {
    const place = newPlaces()();
    const [file = ""] = filesOf(byId("cursor"), place);
    writeFileSync(file, '{ "a": 1 }');
    const plan = planInstall(["cursor"], place);
    writeFileSync(file, '{ "a": 2 }');

    expect(applyPlan(plan, place)).toMatchObject([{ state: "connected" }]);

    expect(parse(readFileSync(file, "utf8"))).toMatchObject({
      a: 2,
      mcpServers: { tacit: { command: installation.node } },
    });
    uninstall(undefined, place);
    expect(readFileSync(file, "utf8")).toBe('{ "a": 2 }');
  });

  it("[B6] may end the process between the journal and the file: uninstalling knows what was never written", () => {
    const place = newPlaces()();
    const [file = ""] = filesOf(byId("cursor"), place);
    writeFileSync(file, "{}\n");
    applyPlan(planInstall(["cursor"], place), place);
    const installed = readFileSync(file, "utf8");
    const [entry] = readJournal(place.tacitHome);
    // As a process leaves it that is killed after noting an update, and before writing it.
    const never = {
      before: entry?.steps[0]?.after as string,
      after: "0".repeat(64),
      isFresh: false,
      edits: [],
      put: [],
      made: [],
      blanks: [],
      replaced: [],
    };
    changeJournal(place.tacitHome, (entries) => entries.map((each) => ({ ...each, steps: [...each.steps, never] })));
    uninstall(undefined, place);
    expect(readFileSync(file, "utf8")).toBe("{}\n");

    // And where an installation came after it.
    writeFileSync(file, installed);
    changeJournal(place.tacitHome, () => (entry ? [{ ...entry, steps: [...entry.steps, never] }] : []));
    const moved = { ...place, installation: newer };
    applyPlan(planInstall(["cursor"], moved), moved);
    expect(uninstall(undefined, moved)).toMatchObject([{ files: [{ how: "restored" }] }]);
    expect(readFileSync(file, "utf8")).toBe("{}\n");

    // The same for a first installation.
    changeJournal(place.tacitHome, () => (entry ? [entry] : []));
    expect(uninstall(undefined, place)).toEqual([]);
    expect(readFileSync(file, "utf8")).toBe("{}\n");
    expect(existsSync(join(place.tacitHome, "installed.json"))).toBe(false);
  });
});

/** What somebody does by hand who knows nothing of Tacit. */
function addByHand(text: string, agent: Agent): string {
  if (agent.id === "codex")
    return text.startsWith("\uFEFF") ? `\uFEFF# by hand\n${text.slice(1)}` : `# by hand\n${text}`;
  const bom = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const begin = text.indexOf("{");
  if (begin < 0) return `${text}{ "byHand": [1] }`;
  const rest = text.slice(begin + 1);
  const isEmpty = Object.keys((parse(text.slice(bom.length)) ?? {}) as object).length === 0;
  return `${text.slice(0, begin + 1)} "byHand": [1]${isEmpty ? "" : ","}${rest}`;
}

function changeByHand(file: string, agent: Agent): string {
  const text = readFileSync(file, "utf8");
  const changed = addByHand(text, agent);
  writeFileSync(file, changed);
  return changed;
}

function valueOf(file: string, text: string): unknown {
  const plain = text.replace(/^\uFEFF/, "");
  return file.endsWith(".toml")
    ? parseToml(plain, { integersAsBigInt: "asNeeded" })
    : parse(plain, [], { allowTrailingComma: true });
}

function bare(text: string): string {
  return text.replaceAll(/[\s,]+/g, "");
}

/** Everything below the user's folder that is not in Tacit's own. */
function withoutTacit(place: Machine): Record<string, string> {
  return Object.fromEntries(Object.entries(snapshot(place.home)).filter(([name]) => !name.startsWith(".tacit")));
}

/** What a plan would take away, blanks apart: nothing, so that every comment, every word and their order stay. */
function taken(plan: Plan): string {
  const edits = plan.agents.flatMap(({ changes }) => changes.flatMap((change) => change.edits));
  return edits.map(({ removed }) => removed.trim()).join("");
}

/** True where each part of ours is in its file. */
function isThere(agent: Agent, place: Machine): boolean {
  return agent.targets(place).every(({ file, parts }) => {
    const said = JSON.stringify(valueOf(file, readFileSync(file, "utf8")), (_key, value: unknown) =>
      typeof value === "bigint" ? String(value) : value,
    );
    return parts.every(({ value }) => value === undefined || said.includes(JSON.stringify(value)));
  });
}

/** Any JSON document, as somebody might have laid it out. */
function anyDocument(): fc.Arbitrary<string> {
  const blank = fc.constantFrom("", " ", "\n", "\n  ", "\t", "\r\n", " // c\n", "/* c, } */", "\n\n");
  const key = fc.constantFrom("a", "servers", "b c", "}", '\\"', "tacit", "é");
  const { value } = fc.letrec<{ value: string; object: string; list: string }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom("1", "null", '"x // y"', '"}"', "[]", "{}"),
      tie("object"),
      tie("list"),
    ),
    object: fc
      .tuple(fc.array(fc.tuple(blank, key, blank, blank, tie("value"), blank), { maxLength: 3 }), fc.boolean(), blank)
      .map(([entries, trails, end]) => {
        const written = entries.map(([a, name, b, c, inner, d]) => `${a}"${name}"${b}:${c}${inner}${d}`).join(",");
        return `{${written}${trails && entries.length > 0 ? "," : ""}${end}}`;
      }),
    list: fc
      .array(fc.tuple(blank, tie("value"), blank), { maxLength: 3 })
      .map((items) => `[${items.map((parts) => parts.join("")).join(",")}]`),
  }));
  return fc
    .tuple(blank, fc.array(fc.tuple(blank, key, blank, value, blank), { maxLength: 4 }), fc.boolean(), blank, blank)
    .map(([begin, entries, trails, end, last]) => {
      const written = entries
        // What is no object there is refused, and another test's affair.
        .map(
          ([a, name, b, inner, c]) =>
            `${a}"${name}"${b}:${name === "servers" && !inner.startsWith("{") ? "{}" : inner}${c}`,
        )
        .join(",");
      return `${begin}{${written}${trails && entries.length > 0 ? "," : ""}${end}}${last}`;
    });
}
