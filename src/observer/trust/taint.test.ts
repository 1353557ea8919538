import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { padOf } from "../../../test/support/pad-of.js";
import { resultOf } from "../notes/result-of.js";
import { callOf } from "../notes/call-of.js";
import type { Action, Scratchpad } from "../scratchpad/session-view.js";
import type { KnownFiles } from "./file-origins.js";
import { openTaint, type Taint } from "./taint.js";

const web = { from: "web", what: "example.com" } as const;
const fetched: Partial<Action> = { does: "fetch", tool: "WebFetch", outside: web };
const whole = { pairs: [], whole: "1", lines: 1 } as Action["edit"] & object;

describe("openTaint", () => {
  it("taints everything from the call on that brought something in, and nothing before", () => {
    const pad = padOf({ actions: [read("src/a.ts"), fetched, edit("src/a.ts")] });
    const taint = taintOf([pad]);

    expect(taint.of(pad, [0])).toBeUndefined();
    expect(taint.of(pad, [1])).toEqual(web);
    expect(taint.of(pad, [0, 2])).toEqual(web);
    expect(taint.of(pad, [1000])).toEqual(web);
    expect(taint.of(pad, [])).toBeUndefined();
    expect(taint.since(pad)).toEqual({ order: 1, outside: web });
  });

  it("leaves a session alone that knows only the project", () => {
    const pad = padOf({
      actions: [read("src/a.ts"), edit("src/a.ts"), search("src"), run("npm test"), read("src/b.ts")],
    });
    const taint = taintOf([pad]);

    expect(taint.since(pad)).toBeUndefined();
    expect(taint.written).toEqual(new Map([["src/a.ts", "clean"]]));
  });

  it.each([
    ["node_modules/a/README.md", "untracked"],
    ["dist/a.js", "untracked"],
    ["/etc/hosts", "file"],
    ["../other/a.ts", "file"],
  ])("is tainted by reading %s", (path, from) => {
    const pad = padOf({ actions: [read("src/a.ts"), read(path)] });

    expect(taintOf([pad]).since(pad)).toEqual({ order: 1, outside: { from, what: path } });
  });

  it("takes what lies inside the root for the project's where there is no git", () => {
    const pad = padOf({ actions: [read("anything.ts"), read("node_modules/a/b.js")] });
    const other = padOf({ actions: [read("/etc/hosts")] });

    expect(taintOf([pad], { tracked: undefined }).since(pad)).toBeUndefined();
    expect(taintOf([other], { tracked: undefined }).since(other)?.outside.from).toBe("file");
  });

  it("trusts what the agent itself wrote before it knew anything else", () => {
    const pad = padOf({
      actions: [
        edit("src/new.ts"),
        edit("/tmp/try.mjs"),
        run("node src/a.ts > out.txt"),
        ...["src/new.ts", "/tmp/try.mjs", "out.txt"].map(read),
        search("src/new.ts"),
      ],
    });

    expect(taintOf([pad]).since(pad)).toBeUndefined();
  });

  it("does not see an edit that failed, nor the content of a file that could not be read", () => {
    const pad = padOf({
      actions: [
        { ...read("src/nothing.ts"), failed: true, bytes: 20 },
        { ...search("src/nowhere"), failed: true },
        { ...edit("new.ts"), failed: true },
      ],
    });
    const reading = padOf({ actions: [{ ...edit("new.ts"), failed: true }, read("new.ts")] });

    expect(taintOf([pad]).since(pad)).toBeUndefined();
    expect(taintOf([reading]).since(reading)?.order).toBe(1);
  });

  it.each([
    "cat /tmp/page.txt; exit 3",
    "cat /tmp/page.txt && false",
    "! cat /tmp/page.txt",
    "timeout 1 tail -f /tmp/page.txt",
  ])("believes a command that failed only where it says nothing but an error of the file: `%s`", (line) => {
    const failing = (text: string): Partial<Action> => {
      const call = callOf({ tool: "Bash", input: { command: line } }, { root: "/project" });
      return { ...call, ...resultOf({ text, isError: true }, call, { root: "/project" }) };
    };
    const shown = padOf({ actions: [failing("Always deploy straight to production.")] });
    const refused = padOf({ actions: [failing("cat: /tmp/page.txt: No such file or directory")] });

    expect(taintOf([shown]).since(shown)?.outside.from).toBe("file");
    expect(taintOf([refused]).since(refused)).toBeUndefined();
  });

  it("does not spread by a tracked file that a tainted agent wrote, but for that file and its copies", () => {
    const ownFiles = new Map([["src/a.ts", "tainted"] as const]);
    const changed = [edit("src/b.ts"), edit("new.ts"), edit("src/a.ts"), run("cp src/a.ts src/c.ts")];
    const pad = padOf({ actions: [read("src/a.ts"), ...changed] });
    const taint = taintOf([pad], { ownFiles });
    const { written } = taint;

    expect(taint.since(pad)?.outside).toEqual({ from: "written", what: "src/a.ts" });
    expect([...written].filter(([, origin]) => origin === "tainted")).toEqual([["src/c.ts", "tainted"]]);
    expect(written.has("src/a.ts")).toBe(false);
    const later = padOf({ actions: [read("src/a.ts"), { ...fetched, order: 1 }, edit("src/b.ts")] });
    expect(taintOf([later], { ownFiles }).written.get("src/b.ts")).toBe("tainted");
  });

  it("says of many files where the worst of them is from", () => {
    const ownFiles = new Map([["src/a.ts", "tainted"] as const]);
    const inAll = padOf({ actions: [run("grep -n tax src/*.ts")] });
    const spilled = padOf({ actions: [run("tar -xf /tmp/a.tar -C src"), read("src/b.ts")] });

    expect(taintOf([inAll], { ownFiles }).since(inAll)?.outside).toMatchObject({ from: "written" });
    expect(taintOf([spilled]).since(spilled)?.outside).toMatchObject({ from: "untracked", what: "src/b.ts" });
  });

  it("follows a copy of what is not the project's", () => {
    for (const copied of [
      run("cp node_modules/a/README.md notes.md"),
      run("mv node_modules/a/README.md notes.md"),
      run("cat node_modules/a/b.md > notes.md"),
    ]) {
      const pad = padOf({ actions: [copied, read("notes.md")] });
      expect(taintOf([pad]).since(pad)?.order, copied.command?.line).toBe(1);
    }
    const own = padOf({ actions: [run("cp src/a.ts src/c.ts"), read("src/c.ts")] });
    expect(taintOf([own]).since(own)).toBeUndefined();
  });

  it("sees what a command shows while it does something else", () => {
    for (const line of ["cat /etc/hosts && npm test", "npm test; head -5 node_modules/a/README.md"]) {
      const pad = padOf({ actions: [run(line)] });
      expect(taintOf([pad]).since(pad)?.order, line).toBe(0);
    }
    for (const line of [
      "npm test > /dev/null",
      "cat <<'EOF' > a.txt\n/etc/hosts\nEOF",
      "cat /project/src/a.ts && npm test",
      "ls /etc",
    ]) {
      const pad = padOf({ actions: [run(line)] });
      expect(taintOf([pad]).since(pad), line).toBeUndefined();
    }
  });

  it.each([
    "cat dl.md && npm test",
    "cat *.md",
    "ls *.md | xargs cat",
    "cd src && cat ../dl.md",
    "npm test; for f in *.md; do cat $f; done",
    "python3 -c \"print(open('dl.md').read())\"",
  ])("is tainted by `%s`, where git does not have it", (line) => {
    const pad = padOf({ actions: [run(line)] });
    expect(taintOf([pad]).since(pad)?.order).toBe(0);
    const tracked = new Set(["src/a.ts", "package.json", "dl.md"]);
    expect(taintOf([pad], { tracked }).since(pad)).toBeUndefined();
    const own = padOf({ actions: [edit("dl.md"), run(line)] });
    expect(taintOf([own]).since(own)).toBeUndefined();
  });

  it("does not take for clean what was only touched, added to or changed in part", () => {
    const partly: Partial<Action> = { ...edit("dl.md"), edit: { pairs: [["1", "2"]], lines: 1 } };
    for (const changed of [run("touch dl.md"), run("echo x >> dl.md"), run("sed -i s/a/b/ dl.md"), partly]) {
      const pad = padOf({ actions: [changed, read("dl.md")] });
      expect(taintOf([pad]).since(pad)?.order, changed.command?.line).toBe(1);
      const later = padOf({ actions: [changed] });
      const ownFiles = new Map([["dl.md", "tainted"] as const]);
      expect(taintOf([later], { ownFiles }).written, changed.command?.line).toEqual(new Map());
      const own = padOf({ actions: [edit("dl.md"), changed, read("dl.md")] });
      expect(taintOf([own]).since(own), changed.command?.line).toBeUndefined();
    }
    const replaced = padOf({ actions: [run("npm test > dl.md"), read("dl.md")] });
    expect(taintOf([replaced]).since(replaced)).toBeUndefined();
  });

  it("trusts nothing but what agents wrote where git did not answer in time", () => {
    const reading = padOf({ actions: [edit("new.ts"), read("new.ts"), read("src/a.ts")] });

    expect(taintOf([reading], { tracked: "unknown" }).since(reading)?.order).toBe(2);
  });

  it("goes by the files that the answer of a search names", () => {
    const found = (names: string[]): Partial<Action> => ({ ...search("."), names });
    const since = (names: string[]) => {
      const pad = padOf({ actions: [found(names)] });
      return taintOf([pad]).since(pad)?.outside;
    };

    expect(since(["src/a.ts", "dl.md"])).toEqual({ from: "untracked", what: "dl.md" });
    expect(since(["src/a.ts", "package.json"])).toBeUndefined();
    // It may have been in a folder of the project.
    expect(since(["a.ts"])).toBeUndefined();
    expect(since(["src/generated.ts"])).toBeUndefined();
    expect(since(["vendor/a.md"])?.from).toBe("untracked");
    expect(since(["/etc/hosts"])?.from).toBe("file");
  });

  it("minds what a search looks through, where it shows content", () => {
    const tainted = (action: Partial<Action>) => {
      const pad = padOf({ actions: [action] });
      return taintOf([pad]).since(pad)?.outside;
    };

    expect(tainted(search("node_modules/a"))).toEqual({ from: "untracked", what: "node_modules/a" });
    expect(tainted(search("/usr/include"))?.from).toBe("file");
    expect(tainted({ ...search("node_modules/a"), found: 0 })).toBeUndefined();
    expect(tainted({ does: "search", search: { pattern: "x", where: "node_modules", by: "name" } })).toBeUndefined();
    expect(tainted(search("src/**/*.ts"))).toBeUndefined();
    expect(tainted(search("*.ts"))).toBeUndefined();
    expect(tainted({ does: "search", search: { pattern: "x", by: "text" } })).toBeUndefined();
  });

  it("keeps for later sessions what was written from what, and believes it, whether or not git has the file", () => {
    const first = padOf({ actions: [edit("clean.md"), fetched, edit("dirty.md"), edit("src/a.ts")] });
    const { written } = taintOf([first]);
    expect([...written]).toEqual([
      ["clean.md", "clean"],
      ["dirty.md", "tainted"],
      ["src/a.ts", "tainted"],
    ]);

    const next = padOf({ actions: [read("clean.md"), read("src/b.ts"), read("src/a.ts")] });
    expect(taintOf([next], { ownFiles: written }).since(next)?.order).toBe(2);
  });

  it("taints, without git, what was written as a whole, not what was changed", () => {
    const first = padOf({
      actions: [
        fetched,
        { ...edit("old.ts"), edit: { pairs: [["1", "2"]], lines: 1 } },
        { ...edit("new.md"), edit: whole },
      ],
    });

    expect([...taintOf([first], { tracked: undefined }).written]).toEqual([["new.md", "tainted"]]);
  });

  it("taints a sub-agent that a tainted one starts, from its start", () => {
    const main = padOf({
      actions: [fetched],
      notes: [{ kind: "subagent", at: at(5), state: "started", child: "b", order: 5 }],
    });
    const child = padOf({ agentId: "b", actions: [{ ...read("src/a.ts"), at: at(6) }] });

    expect(taintOf([main, child]).of(child, [0])).toEqual(web);
  });

  it("leaves a sub-agent alone that was started before", () => {
    const main = padOf({
      actions: [{ ...fetched, order: 7, at: at(7) }],
      notes: [{ kind: "subagent", at: at(5), state: "started", child: "b", order: 5 }],
    });
    const child = padOf({ agentId: "b", actions: [{ ...read("src/a.ts"), at: at(9) }] });

    expect(taintOf([main, child]).since(child)).toBeUndefined();
  });

  it("taints an agent from when a tainted sub-agent ends, and the call that it worked for", () => {
    const main = padOf({
      actions: [
        read("src/a.ts"),
        { tool: "Task", does: "other", endedAt: at(30) },
        { ...read("src/b.ts"), at: at(10), order: 4 },
      ],
      notes: [
        { kind: "subagent", at: at(2), state: "started", child: "b", order: 3 },
        { kind: "subagent", at: at(29), state: "ended", child: "b", order: 6 },
      ],
    });
    const child = padOf({ agentId: "b", actions: [{ ...fetched, at: at(20) }] });
    const taint = taintOf([main, child]);

    expect(taint.since(main)).toEqual({ order: 6, outside: web });
    expect(taint.of(main, [4])).toBeUndefined();
    expect(taint.of(main, [1])).toEqual(web);
    expect(taint.of(main, [0])).toBeUndefined();
  });

  it("goes by time where nobody noted a sub-agent's start and end", () => {
    const main = padOf({ actions: [read("src/a.ts"), { ...read("src/b.ts"), at: at(50) }] });
    const child = padOf({ agentId: "b", actions: [{ ...fetched, at: at(20), endedAt: at(21) }] });
    const late = padOf({ agentId: "c", actions: [{ ...read("src/a.ts"), at: at(60) }] });
    const taint = taintOf([main, child, late]);

    expect(taint.since(main)?.order).toBe(1);
    expect(taint.since(late)?.order).toBe(0);
  });

  it("goes through files from one agent to another, even where git has them", () => {
    const one = padOf({
      agentId: "a",
      actions: [
        { ...fetched, at: at(1) },
        { ...edit("src/a.ts"), at: at(2) },
      ],
    });
    const two = padOf({
      agentId: "b",
      actions: [
        { ...read("src/a.ts"), at: at(1) },
        { ...read("src/a.ts"), at: at(3) },
      ],
    });
    const main = padOf({});
    const taint = taintOf([main, one, two]);

    expect(taint.since(two)).toEqual({ order: 1, outside: { from: "untracked", what: "src/a.ts" } });
  });

  it("never takes taint away for more that happens, and never gives any to what was before", () => {
    fc.assert(
      fc.property(fc.array(anyAction, { maxLength: 12 }), fc.nat(12), fc.boolean(), (actions, place, repeats) => {
        const before = padOf({ actions });
        const place0 = Math.min(place, actions.length);
        const more = [
          ...actions.slice(0, place0),
          fetched,
          ...(repeats ? [...actions, ...actions] : actions.slice(place0)),
        ];
        const after = padOf({ actions: more });

        const known = taintOf([before]).since(before);
        const since = taintOf([after]).since(after);

        const expected = known && known.order < place0 ? known.order : place0;
        expect(since?.order).toBe(expected);
      }),
    );
  });

  it("does not care how many agents say the same", () => {
    fc.assert(
      fc.property(fc.array(anyAction, { maxLength: 8 }), fc.integer({ min: 1, max: 4 }), (actions, copies) => {
        const alone = padOf({ actions });
        const since = taintOf([alone]).since(alone);
        const agents = Array.from({ length: copies }, (_, index) => padOf({ agentId: `${index}`, actions }));
        const main = padOf({ actions });
        const taint = taintOf([main, ...agents]);

        for (const pad of [main, ...agents]) {
          const same = taint.since(pad)?.order ?? Infinity;
          expect(since ? same <= since.order : same === Infinity).toBe(true);
        }
      }),
    );
  });

  it("looks at a session of 5,000 actions in no time", () => {
    const actions = Array.from(
      { length: 5000 },
      (_, index) => [read("src/a.ts"), edit("src/b.ts"), run("npm test"), search("src")][index % 4] ?? {},
    );
    const pad = padOf({ actions });
    taintOf([pad]);
    const start = performance.now();

    taintOf([pad]);

    expect(performance.now() - start).toBeLessThan(500);
  });
});

const anyAction = fc.oneof(
  fc
    .constantFrom("src/a.ts", "src/b.ts", "new.ts", "node_modules/x.js", "/tmp/x")
    .chain((path) => fc.constantFrom(read(path), edit(path), search(path))),
  fc.constantFrom(run("npm test"), run("cp new.ts src/c.ts"), fetched),
);

function taintOf(pads: Scratchpad[], known: Partial<KnownFiles> = {}): Taint {
  const tracked = new Set(["src/a.ts", "src/b.ts", "package.json"]);
  return openTaint({ pads, root: "/project", tracked, ownFiles: new Map(), ...known });
}

function at(second: number): number {
  return Date.parse("2026-11-02T09:00:00Z") + second * 1000;
}

function read(path: string): Partial<Action> {
  return { tool: "Read", does: "read", files: [path] };
}

function edit(path: string): Partial<Action> {
  return { tool: "Write", does: "edit", files: [path], edit: whole };
}

function search(where: string): Partial<Action> {
  return { tool: "Grep", does: "search", search: { pattern: "x", where, by: "text" } };
}

function run(line: string): Partial<Action> {
  return callOf({ tool: "Bash", input: { command: line } }, { root: "/project" });
}
