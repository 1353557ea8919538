import { mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import { writeRecord } from "../processes/agent-records.js";
import { agentsAbove } from "../processes/agents-above.js";
import { lineage, type SeenProcess } from "../processes/read-process.js";
import type { Note } from "../observer.js";
import { appendNotes } from "./append-notes.js";
import { beganInCall } from "./began-in-call.js";
import { claimSpool, listSpools, removeSpool, type SpoolInfo } from "./list-spools.js";
import { spoolFolder } from "./spool-place.js";

// The process of this test began then, to some hundredths of a second.
const began = Date.now() - process.uptime() * 1000;
const run = { kind: "call", tool: "Bash", does: "run" } as const;

describe("a process", () => {
  beforeEach(({ skip }) =>
    skip(process.platform !== "linux", "/proc, which tells where a process comes from, is Linux's"),
  );

  it.each<[string, Note[], boolean]>([
    ["before any call", [{ ...run, call: "a", at: began + 5000 }], false],
    ["in a call that is open", [{ ...run, call: "a", at: began - 1000 }], true],
    [
      "in one that is over now",
      [
        { ...run, call: "a", at: began - 1000 },
        { kind: "result", call: "a", bytes: 0, at: began + 1000 },
      ],
      true,
    ],
    [
      "after one that was over",
      [
        { ...run, call: "a", at: began - 2000 },
        { kind: "result", call: "a", bytes: 0, at: began - 1000 },
      ],
      false,
    ],
    ["beside a file that is read", [{ ...run, does: "read", tool: "Read", call: "a", at: began - 1000 }], false],
    [
      "after the turn of one that was never answered",
      [
        { ...run, call: "a", at: began - 2000 },
        { kind: "step", at: began - 1000 },
      ],
      false,
    ],
    [
      "in one whose turn was said to be over later",
      [
        { ...run, call: "a", at: began - 2000 },
        { kind: "step", at: began + 1000 },
      ],
      true,
    ],
  ])("began %s", async (_, notes, isInside) => {
    expect(beganInCall(await aboveWith(notes))).toBe(isInside);
  });

  it("began after a call that the agent's own transcript has an answer for", async () => {
    const transcript = join(temporaryFolder(), "transcript.jsonl");
    writeFileSync(transcript, '{"message":{"content":[{"type":"tool_result","tool_use_id":"a"}]}}\n');
    const start: Note = { kind: "start", root: "/project", transcript, at: began - 3000 };
    const call: Note = { ...run, call: "a", at: began - 2000 };

    expect(beganInCall(await aboveWith([start, call]))).toBe(false);
    expect(beganInCall(await aboveWith([start, { ...call, call: "b" }]))).toBe(true);
  });
});

describe("a process that a call has started", () => {
  it("[TR8] is of the call although a server that began before it lies in between", async () => {
    const above = await aboveWith([{ ...run, call: "a", at: began - 1000 }]);
    const old = { ...above.child, started: above.child.started - 100_000 };

    expect(beganInCall({ ...above, between: [above.child, old] })).toBe(true);
    expect(beganInCall({ ...above, between: [old] })).toBe(false);
  });

  it("[TR8] is no hook of a session that is over and whose notes are gone", async () => {
    const { between, sessions } = await aboveWith([]);
    const since = Date.now();

    expect(beganInCall({ between, sessions: sessions.map((one) => ({ ...one, since, overAt: since })) })).toBe(true);
  });

  it("[TR17] is no hook where nothing is noted of the session it could have begun in", async () => {
    const { between, sessions } = await aboveWith([]);

    expect(beganInCall({ between, sessions })).toBe(true);
    // The first hook of a session may not have written its note yet when the next one looks.
    const justSeen = sessions.map((one) => ({ ...one, since: Date.now(), file: "just seen" }));
    expect(beganInCall({ between, sessions: justSeen })).toBe(false);
  });

  it("[TR17] is no hook after the notes were taken in that would say so, and a hook that began later is one", async () => {
    const { between, sessions } = await aboveWith([{ ...run, call: "a", at: began - 1000 }]);
    const [session] = sessions as [(typeof sessions)[0]];
    writeRecord(session.agent, { ...session, at: began - 5000 });
    const [spool] = await listSpools(session.home);
    await removeSpool((await claimSpool(spool as SpoolInfo)) as SpoolInfo);

    const records = agentsAbove(session)[0]?.sessions ?? [];
    const later = records.map((one) => ({ ...one, takenInAt: began - 500, file: "later" }));

    expect(records).toMatchObject([{ takenInAt: expect.any(Number) }]);
    expect(beganInCall({ between, sessions: records })).toBe(true);
    expect(beganInCall({ between, sessions: later })).toBe(false);
    // The session went on, and its next notes know nothing of the call.
    await appendNotes(session, "s1", undefined, [{ kind: "prompt", text: "Go on.", at: began + 1000 }]);
    expect(beganInCall({ between, sessions: records.map((one) => ({ ...one, file: "went on" })) })).toBe(true);
  });

  it("[TR17] is no hook where its shell is gone: those of an agent come from it as long as they run", async () => {
    const above = await aboveWith([{ kind: "step", at: began - 1000 }]);

    expect(beganInCall(above)).toBe(false);
    expect(beganInCall({ ...above, isOrphan: true })).toBe(true);
  });
});

describe("how much is read of what is noted", () => {
  it("[TR17] is the turn that goes on, however long the session is, and no file of a sub-agent that has ended", async () => {
    const above = await aboveWith([]);
    const [session] = above.sessions as [(typeof above.sessions)[0]];
    const old = Array.from({ length: 4000 }, (_, index): Note => ({ ...run, call: `c${index}`, at: began - 9000 }));
    const over: Note[] = [
      { kind: "subagent", state: "ended", child: "helper", at: began - 4000 },
      { kind: "step", at: began - 3000 },
    ];
    await appendNotes(session, "s1", undefined, [...old, ...over]);
    await appendNotes(session, "s1", "helper", old);
    const folder = spoolFolder(session, "s1");
    const then = new Date(began - 4000);
    for (const name of readdirSync(folder)) utimesSync(join(folder, name), then, then);

    expect(beganInCall(above)).toBe(false);
    await appendNotes(session, "s1", "helper", [{ ...run, call: "again", at: began - 1000 }]);
    expect(beganInCall({ ...above, sessions: [{ ...session, file: "again" }] })).toBe(true);
  });

  it("[TR17] is bounded; a call that was made before what is read counts as open", async () => {
    const call: Note = {
      ...run,
      call: "a",
      at: began - 9000,
      command: { line: "x".repeat(300), name: "x", purpose: "other" },
    };
    const read: Note = { ...run, does: "read", tool: "Read", call: "b", files: ["x".repeat(2000)], at: began - 8000 };

    const above = await aboveWith([call, ...Array.from({ length: 2300 }, () => read)]);

    expect(beganInCall(above)).toBe(true);
  });
});

async function aboveWith(notes: Note[]) {
  const home = join(temporaryFolder(), "home");
  mkdirSync(home);
  const place = { home, db: join(home, "memory.db"), root: "/project" };
  await appendNotes(place, "s1", undefined, notes);
  const [child, agent] = lineage() as [SeenProcess, SeenProcess];
  return { agent, child, between: [child], sessions: [{ ...place, sessionId: "s1", at: 0, agent, file: "" }] };
}
