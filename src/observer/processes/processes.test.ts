import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import { agentsAbove, ownSessions } from "./agents-above.js";
import { writeRecord, type AgentRecord } from "./agent-records.js";
import { currentProcess } from "./process-identity.js";
import { beganAt, lineage, loginOf, readLineage, readProcess, type SeenProcess } from "./read-process.js";
import { forgetResident, isUnwatched, recordHook, recordResident, recordUnwatched } from "./record-agent.js";

beforeEach(({ skip }) =>
  skip(process.platform !== "linux", "/proc, which tells where a process comes from, is Linux's"),
);

describe("a process", () => {
  it("knows where it comes from, and when it began", () => {
    const [own, parent] = lineage();

    expect([own?.pid, parent?.pid]).toEqual([process.pid, process.ppid]);
    expect(beganAt(own as SeenProcess)).toBeCloseTo(Date.now() - process.uptime() * 1000, -3);
    expect(readProcess(2 ** 30)).toBeUndefined();
    expect(readLineage(process.pid).at(-1)?.parent).toBe(0);
  });
});

describe("the agents above a process", () => {
  it("are those that it was started by, the nearest first, and itself is none", () => {
    const place = emptyPlace();
    const [own, parent, next] = lineage();
    record(place, own, "own");
    record(place, next, "far");
    record(place, parent, "near");

    const above = agentsAbove(place);

    expect(above.map(({ sessions }) => sessions.map(({ sessionId }) => sessionId))).toEqual([["near"], ["far"]]);
    expect(above[0]?.child.pid).toBe(process.pid);
    expect(ownSessions(place).map(({ sessionId }) => sessionId)).toEqual(["own"]);
  });

  it("are found by whichever way leads to the store, and of no other store", () => {
    const place = emptyPlace();
    writeFileSync(place.db, "");
    record(place, lineage()[1], "s1");
    const link = join(temporaryFolder(), "link.db");
    symlinkSync(place.db, link);

    expect(agentsAbove({ ...place, db: link })).toHaveLength(1);
    expect(agentsAbove({ ...place, db: join(place.home, "other.db") })).toEqual([]);
  });

  it("speak for all of their sessions that go on, and for one that is over if they began before", () => {
    const place = emptyPlace();
    const parent = lineage()[1];
    record(place, parent, "first", { at: 1, overAt: 2 });
    record(place, parent, "second", { at: 3, overAt: Date.now() + 1000 });
    record(place, parent, "third", { at: 4 });

    const [above] = agentsAbove(place);

    expect(above?.sessions.map(({ sessionId }) => sessionId)).toEqual(["third", "second"]);
  });

  it("[TR2] are those of a command that its shell has left alone, where that shell leads a session and comes from the agent", () => {
    const place = emptyPlace();
    const own = currentProcess();
    record(place, own, "s1");
    record(place, own, "s2", { overAt: 1 });
    const first = { pid: 1, started: 1, parent: 0, leader: 1, hasTerminal: false, name: "init" };
    const orphan = { pid: 2 ** 22 + 1, started: own.started + 1, parent: 1, hasTerminal: false, name: "node" };

    const [ofAgent] = agentsAbove(place, [{ ...orphan, leader: own.pid }, first]);
    const ofOther = agentsAbove(place, [
      { ...orphan, leader: 1 },
      { ...first, pid: 2 ** 22 + 5, leader: 2 ** 22 + 5 },
    ]);

    // Any of its sessions may have begun it.
    expect(ofAgent?.sessions.map(({ sessionId }) => sessionId).toSorted()).toEqual(["s1", "s2"]);
    expect(ofOther).toEqual([]);
  });

  it("[TR2] are all that live where there are more processes above than anybody looks at", () => {
    const place = emptyPlace();
    record(place, currentProcess(), "s1");
    const shell = { started: 1, leader: 7, hasTerminal: false, name: "sh" };
    const nested = Array.from({ length: 1000 }, (_, n) => ({ ...shell, pid: 2 ** 22 + n, parent: 2 ** 22 + n + 1 }));

    expect(agentsAbove(place, nested)).toHaveLength(1);
    expect(agentsAbove(place, nested.slice(1))).toEqual([]);
  });

  it("[TR2] are found beside a thousand records of others, and where the store was moved with its folder", () => {
    const place = emptyPlace();
    writeFileSync(place.db, "");
    record(place, lineage()[1], "s1");
    const folder = join(place.home, "agent-processes");
    // One that lives above as well, and is none of the agent's: the first process.
    const others = [`1-${readProcess(1)?.started ?? 0}`, "1-9999999999"];
    for (const other of others)
      for (let n = 0; n < 1100; n++) writeFileSync(join(folder, `${other}.${n.toString(16).padStart(16, "0")}`), "{}");
    const moved = join(temporaryFolder(), "elsewhere");
    renameSync(place.home, moved);

    expect(agentsAbove({ home: moved, db: join(moved, basename(place.db)) })).toHaveLength(1);
  });

  it("are those of a command whose shell is gone, if it began while they lived", () => {
    const place = emptyPlace();
    const own = currentProcess();
    record(place, own, "s1");
    const orphan = { pid: 2 ** 22 + 1, parent: 1, leader: 2 ** 22 + 2, hasTerminal: false, name: "node" };
    const first = { pid: 1, started: 1, parent: 0, leader: 1, hasTerminal: false, name: "init" };

    const later = agentsAbove(place, [{ ...orphan, started: own.started + 1 }, first]);
    const earlier = agentsAbove(place, [{ ...orphan, started: own.started - 1 }, first]);
    const leading = agentsAbove(place, [{ ...orphan, leader: orphan.pid, started: own.started + 1 }, first]);

    expect([later.length, earlier.length, leading.length]).toEqual([1, 0, 0]);
  });

  it("are none of another login for a command whose shell is gone", async ({ skip }) => {
    const place = emptyPlace();
    const [agent, same, other] = [await loggedIn(), readProcess(process.pid), await loggedIn()];
    skip(agent === undefined || other === undefined, "the system tells no logins apart, or this process has one");
    record(place, agent, "s1");
    const first = { pid: 1, started: 1, parent: 0, leader: 1, hasTerminal: false, name: "init" };
    const orphan = { ...(other as SeenProcess), leader: 2 ** 22 + 2, started: (agent as SeenProcess).started + 1 };

    const ofOther = agentsAbove(place, [orphan, first]);
    const ofNone = agentsAbove(place, [{ ...orphan, pid: (same as SeenProcess).pid }, first]);

    expect([ofOther.length, ofNone.length]).toEqual([0, 1]);
  });

  it("are not the process itself, where the shell that started it is gone", () => {
    const place = emptyPlace();
    const own = { ...currentProcess(), parent: 1, leader: 2 ** 22 + 2, hasTerminal: false, name: "node" };
    const first = { pid: 1, started: 1, parent: 0, leader: 1, hasTerminal: false, name: "init" };
    record(place, own, "s1");

    expect(agentsAbove(place, [own, first])).toEqual([]);
  });

  it("are those of a command whose shell is gone, where the system shows nobody who leads a session", () => {
    const place = emptyPlace();
    const own = currentProcess();
    record(place, own, "s1");
    const unled = { leader: 0, hasTerminal: false, name: "sh" };
    const first = { ...unled, pid: 1, started: 1, parent: 0 };
    const orphan = { ...unled, pid: 2 ** 22 + 1, started: own.started + 1, parent: 1 };
    const shell = { ...unled, pid: 2 ** 22 + 2, started: own.started - 1, parent: 1 };

    const ofAgent = agentsAbove(place, [orphan, first]);
    const ofPerson = agentsAbove(place, [{ ...orphan, parent: shell.pid }, shell, first]);

    expect([ofAgent.length, ofPerson.length]).toEqual([1, 0]);
  });

  it("are looked for in the homes of the processes above, where the store is on a server, whatever its address is called", () => {
    const server = "http://127.0.0.1:8080/";
    const home = join(process.env["HOME"] ?? "", ".tacit");
    const place = { home, db: server, root: "/project" };
    record(place, lineage()[1], "s1");

    expect(agentsAbove({ home, db: server })).toHaveLength(1);
    expect(agentsAbove({ home, db: "ws://localhost:8080" })).toHaveLength(1);
  });

  it("are not disturbed by what is no record", () => {
    const place = emptyPlace();
    record(place, lineage()[1], "s1");
    const folder = join(place.home, "agent-processes");
    for (const name of [`${process.ppid}-1.0123456789abcdef`, "notes", "1-2.zz"])
      writeFileSync(join(folder, name), "{");

    expect(agentsAbove(place)).toHaveLength(1);
  });
});

describe("the record of an agent", () => {
  it("is a guess after one event of a process, and settled by another one", () => {
    const place = emptyPlace();
    const event = { sessionId: "s1", isStart: true, isEnd: false };

    recordHook(place, event, { isOneEvent: false });
    const guessed = ownSessions(place);
    recordHook(place, { ...event, isStart: false }, { isOneEvent: false });

    expect(guessed[0]?.first?.[0]).toBe(`${process.pid}-${currentProcess().started}`);
    expect(ownSessions(place)).toMatchObject([{ sessionId: "s1" }]);
    expect(ownSessions(place)[0]?.first).toBeUndefined();
  });

  it("is not settled by the same process again, where that lives for one event", () => {
    const place = emptyPlace();
    const event = { sessionId: "s1", isStart: false, isEnd: false };

    recordHook(place, event, { isOneEvent: true });
    recordHook(place, event, { isOneEvent: true });

    expect(agentsAbove(place).map(({ sessions }) => sessions[0]?.first !== undefined)).toEqual([true]);
  });

  it("[TR16] is never the process that takes in what has lost its parent", () => {
    const place = emptyPlace();
    const [own, parent] = lineage() as [SeenProcess, SeenProcess];
    const event = { sessionId: "s1", isStart: true, isEnd: false };
    const hook = { ...own, leader: 2 ** 22 + 2 };
    const shell = { ...parent, pid: 2 ** 22 + 3, leader: 2 ** 22 + 2, name: "sh" };
    const reaper = { ...parent, leader: parent.pid, name: "reaper" };
    const first = { ...reaper, pid: 1, leader: 1, started: 1 };
    // By setsid a hook leads a session of its own.
    const detached = { ...shell, leader: shell.pid };

    for (const above of [[reaper], [first]])
      for (const child of [shell, detached].slice(0, above[0] === first ? 2 : 1))
        for (const isStart of [true, false])
          recordHook(place, { ...event, isStart }, { isOneEvent: true, lineage: [hook, child, ...above] });

    expect(recordedIn(place)).not.toContain(reaper.pid);
    expect(recordedIn(place)).not.toContain(1);
  });

  it("[TR16] is of the first process where that is the agent, as in a container of its own", () => {
    const place = emptyPlace();
    const [own] = lineage() as [SeenProcess];
    const event = { sessionId: "s1", isStart: true, isEnd: false };
    const first = { ...own, pid: 1, leader: 1, started: readProcess(1)?.started ?? 1, name: "node" };

    recordHook(place, event, { isOneEvent: true, lineage: [{ ...own, leader: 1 }, first] });

    expect(recordedIn(place)).toContain(1);
  });

  it("[TR16] is not taken over by a hook that comes from elsewhere, while the agent lives", () => {
    const place = emptyPlace();
    const [own, parent] = lineage() as [SeenProcess, SeenProcess];
    // What it had started itself would be a server with the same session.
    writeRecord(parent, { ...place, sessionId: "s1", at: 1 });
    const elsewhere = [
      { ...own, pid: 2 ** 22 + 3 },
      { ...own, name: "node" },
    ];
    const event = { sessionId: "s1", isStart: false, isEnd: false };

    recordHook(place, event, { isOneEvent: true, lineage: elsewhere });
    const before = recordedIn(place);
    recordHook(place, { ...event, isStart: true }, { isOneEvent: true, lineage: elsewhere });

    expect(before).toEqual([parent.pid]);
    expect(recordedIn(place)).toContain(own.pid);
  });

  it("[TR19] stays where another container shares the folder, which cannot know whether its process lives", () => {
    const place = emptyPlace();
    const folder = join(place.home, "agent-processes");
    writeRecord({ pid: 2 ** 22 + 3, started: 1 }, { ...place, sessionId: "elsewhere", at: 1 });
    for (const name of readdirSync(folder)) {
      const file = join(folder, name);
      writeFileSync(file, readFileSync(file, "utf8").replace(/pid:\[\d+\]/, "pid:[1]"));
    }

    record(place, currentProcess(), "here");
    const shared = recordedIn(place);
    for (const name of readdirSync(folder)) utimesSync(join(folder, name), 1, 1);
    record(place, currentProcess(), "later");

    expect(new Set(shared)).toEqual(new Set([process.pid, 2 ** 22 + 3]));
    expect(recordedIn(place)).not.toContain(2 ** 22 + 3);
    expect(agentsAbove(place, [{ ...(lineage()[0] as SeenProcess) }])).toEqual([]);
  });

  it("[TR14] says that nobody watched the session as long as the session goes on, whichever process has it", () => {
    const place = emptyPlace();
    const event = { sessionId: "s1", isStart: true, isEnd: false };

    recordHook(place, event, { isOneEvent: false });
    recordUnwatched(place, "s1");
    recordHook(place, { ...event, isStart: false }, { isOneEvent: false });
    recordHook(place, event, { isOneEvent: false });
    recordResident(place, "s1");

    expect(ownSessions(place)).toMatchObject([{ sessionId: "s1", isUnwatched: true }]);
    expect(isUnwatched(place, "s1")).toBe(true);
  });

  it("[TR2] stays for a day where the process is gone, for what that had left running", () => {
    const place = emptyPlace();
    const gone = { pid: 2 ** 22 + 3, started: 1 };
    writeRecord(gone, { ...place, sessionId: "over", at: 1 });
    recordResident(place, "s1");
    const orphan = { pid: 2 ** 22 + 1, parent: 1, leader: 2 ** 22 + 2, hasTerminal: false, name: "node" };
    const first = { pid: 1, started: 1, parent: 0, leader: 1, hasTerminal: false, name: "init" };
    const agentsOf = (started: number) =>
      agentsAbove(place, [{ ...orphan, started }, first]).filter(({ agent }) => agent.pid === gone.pid);

    const [before, after] = [agentsOf(2), agentsOf(Number.MAX_SAFE_INTEGER)];
    for (const name of recordNamesIn(place)) utimesSync(join(place.home, "agent-processes", name), 1, 1);
    recordResident(place, "s2");

    expect([before.length, after.length]).toEqual([1, 0]);
    expect(recordedIn(place)).not.toContain(gone.pid);
  });

  it("[TR9] goes on where a session of a process that stays is over: what it had started still speaks for it", () => {
    const place = emptyPlace();
    recordResident(place, "s1");
    const kept = readdirSync(join(place.home, "agent-processes"));
    forgetResident(place, "s1");

    expect(kept.map((name) => name.split("-")[0])).toEqual([String(process.pid)]);
    expect(ownSessions(place)).toMatchObject([{ sessionId: "s1", overAt: expect.any(Number) }]);
  });
});

function recordNamesIn(place: { home: string }): string[] {
  return readdirSync(join(place.home, "agent-processes"));
}

/** The processes that have a record. */
function recordedIn(place: { home: string }): number[] {
  return readdirSync(join(place.home, "agent-processes")).map((name) => Number(name.split("-")[0]));
}

/** A process with a login of its own; undefined where this one has one, or the system has none. */
async function loggedIn(): Promise<SeenProcess | undefined> {
  const child = spawn("sh", ["-c", 'echo "$(id -u)" > /proc/self/loginuid && echo in && exec sleep 60'], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  onTestFinished(() => void child.kill());
  const said = await new Promise<string>((done) => {
    child.stdout.once("data", (chunk: Buffer) => done(chunk.toString()));
    child.once("close", () => done(""));
  });
  return said === "" || loginOf(process.pid) !== undefined ? undefined : readProcess(child.pid as number);
}

function emptyPlace(): { home: string; db: string; root: string } {
  const home = join(temporaryFolder(), "home");
  mkdirSync(home);
  return { home, db: join(home, "memory.db"), root: "/project" };
}

function record(
  place: { home: string; db: string; root: string },
  agent: { pid: number; started: number } | undefined,
  sessionId: string,
  more: Partial<AgentRecord> = {},
): void {
  writeRecord(agent as SeenProcess, { ...place, sessionId, at: Date.now(), ...more });
}
