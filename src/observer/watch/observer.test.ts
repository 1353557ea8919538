import { existsSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { anything, array, assert, property } from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { compiled, ended, runProgram } from "../../../test/support/child-process.js";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import type { AgentEvent, Note } from "../observer.js";
import { Observer } from "./observer.js";
import { isOver, listSpools } from "../spool/list-spools.js";
import { readUntrustedMark } from "../spool/untrusted-mark.js";
import { readSpool } from "../spool/read-spool.js";
import { spoolFolder, type SpoolPlace } from "../spool/spool-place.js";

const sessionId = "s1";
const unit = { methodology: "plan", hierarchy: [], label: "Parser" };

describe("a process that stays", () => {
  it("holds what each agent did, the main one first", () => {
    const observer = newObserver();

    observer.observe({ sessionId, agentId: "helper", kind: "prompt", text: "Look for it." });
    observer.observe({ sessionId, kind: "prompt", text: "Mend the parser." });
    observer.observe({ sessionId: "s2", kind: "prompt", text: "Something else." });

    expect(observer.sessions()).toEqual(["s1", "s2"]);
    expect(observer.pads(sessionId).map(({ agentId }) => agentId)).toEqual([undefined, "helper"]);
    expect(observer.pads(sessionId)[0]?.prompts.map(({ text }) => text)).toEqual(["Mend the parser."]);
    expect(observer.pads("s3")).toEqual([]);
  });

  it("writes nothing without a place, and to the spool soon where it has one", async () => {
    const place = newPlace();
    const observer = newObserver(place);

    observer.observe({ sessionId, kind: "prompt", text: "Mend the parser." });
    const before = existsSync(spoolFolder(place, sessionId));
    await new Promise((wake) => setTimeout(wake, 120));

    expect(before).toBe(false);
    expect(await readNotes(place)).toMatchObject([{ kind: "prompt", text: "Mend the parser." }]);
  });

  it("writes at once when a part of the work is done, with all that came before", async () => {
    const place = newPlace();
    const observer = newObserver(place);

    observer.observe({ sessionId, kind: "prompt", text: "Mend the parser." });
    observer.observe({ sessionId, kind: "unit", unit, state: "started" });
    await Promise.resolve();

    expect((await readNotes(place)).map(({ kind }) => kind)).toEqual(["prompt", "unit"]);
  });

  it("closes a part with all of it on disk, and holds back what comes next until that part is claimed", async () => {
    const place = newPlace();
    const observer = newObserver(place);
    const heard: string[] = [];

    observer.observe({ sessionId, kind: "prompt", text: "Fix the parser." });
    const { pads, release } = await observer.closePart(sessionId, () => void heard.push("closed"));
    observer.observe({ sessionId, kind: "unit", unit, state: "started" });
    await Promise.resolve();
    const before = await readNotes(place);
    renameSync(spoolFolder(place, sessionId), `${spoolFolder(place, sessionId)}.claimed`);
    release();
    await observer.flush();

    expect(heard).toEqual(["closed"]);
    expect(pads.map(({ prompts }) => prompts.length)).toEqual([1]);
    expect(before.map(({ kind }) => kind)).toEqual(["prompt"]);
    expect((await readNotes(place)).map(({ kind }) => kind)).toEqual(["unit"]);
  });

  it("does not hold notes back for long, whoever fails to claim the part before", async () => {
    const place = newPlace();
    const observer = newObserver(place);

    await observer.closePart(sessionId, () => {});
    observer.observe({ sessionId, kind: "prompt", text: "Fix the parser." });
    await observer.flush();

    expect((await readNotes(place)).map(({ kind }) => kind)).toEqual(["prompt"]);
  });

  it("marks content from outside as soon as it looks", async () => {
    const place = newPlace();
    const observer = newObserver(place);
    const input = { url: "https://example.org/a" };

    observer.observe({ sessionId, kind: "call", callId: "1", tool: "WebFetch", input });
    observer.lookAtAll();
    await Promise.resolve();

    expect(readUntrustedMark(spoolFolder(place, sessionId), "outside")).toMatchObject({ from: "web" });
  });

  it("keeps the order of what has to be redacted first", async () => {
    const place = newPlace();
    const observer = newObserver(place);
    const token = `ghp_${"aZ09bY18cX27dW36eV45".repeat(2).slice(0, 36)}`;
    const texts = ["one", `use ${token} for it`, "three", `and ${token} again`, "five"];

    for (const text of texts) observer.observe({ sessionId, kind: "prompt", text });
    await observer.flush();

    const notes = await readNotes(place);
    expect(notes.length).toBe(5);
    expect(
      notes.map((note) => (note.kind === "prompt" ? note.text : "")).filter((text) => texts.includes(text)),
    ).toEqual(["one", "three", "five"]);
    expect(JSON.stringify(notes)).not.toContain(token);
  });

  it("loses nothing of what comes while it writes", async () => {
    const place = newPlace();
    const observer = newObserver(place);

    for (let round = 0; round < 200; round++) {
      observer.observe({ sessionId, kind: "prompt", text: `${round}` });
      if (round % 7 === 0) observer.observe({ sessionId, kind: "unit", unit, state: "started" });
      if (round % 3 === 0) await Promise.resolve();
      if (round % 11 === 0) await new Promise((wake) => setTimeout(wake, 1));
    }
    await observer.flush();

    const texts = (await readNotes(place)).flatMap((note) => (note.kind === "prompt" ? [note.text] : []));
    expect(texts).toEqual(Array.from({ length: 200 }, (_, round) => `${round}`));
  });

  it("never throws, whatever it is given, and tells of what went wrong where it is asked to", async () => {
    const place: SpoolPlace = { ...newPlace(), home: "/proc/none" };
    const problems: unknown[] = [];
    const observer = newObserver(place, (error) => problems.push(error));

    assert(
      property(array(anything()), (events) => {
        for (const event of events) observer.observe(event as AgentEvent);
      }),
    );
    observer.observe({ sessionId, kind: "end" });
    await observer.close();

    expect(problems.length).toBeGreaterThan(0);
  });

  it("lets go of the session that it has not heard of for longest", () => {
    const observer = newObserver();

    for (let count = 0; count < 150; count++) {
      observer.observe({ sessionId: `s${count}`, kind: "prompt", text: "Go." });
      observer.observe({ sessionId: "s0", kind: "prompt", text: "Still here." });
    }
    observer.forget("s149");

    expect(observer.sessions()).toContain("s0");
    expect(observer.sessions()).not.toContain("s149");
    expect(observer.sessions().length).toBe(99);
  });
});

describe("a process that ends without closing", () => {
  it("writes what waits when it comes to its end, and no secret", async () => {
    const place = newPlace();
    const token = `ghp_${"aZ09bY18cX27dW36eV45".repeat(2).slice(0, 36)}`;

    const code = await ended(runProgram(observingProgram(place, ["one", `use ${token}`, "three"], "")));

    const notes = await readNotes(place);
    expect(code).toBe(0);
    expect(notes.length).toBe(3);
    expect(notes[2]).toMatchObject({ text: "three" });
    expect(JSON.stringify(notes)).not.toContain(token);
    expect((await listSpools(place.home)).map((spool) => isOver(spool, Date.now()))).toEqual([true]);
  });

  it("has lost 50 ms at most when it is killed", async () => {
    const place = newPlace();
    const kill = "setTimeout(() => process.kill(process.pid, 'SIGKILL'), 100);";

    await ended(runProgram(observingProgram(place, ["one", "two"], kill)));

    expect((await readNotes(place)).length).toBe(2);
    const [name] = readdirSync(join(place.home, "sessions"));
    expect(readFileSync(join(place.home, "sessions", name ?? "", "main.jsonl"), "utf8")).toContain('"sessionId":"s1"');
  });
});

function newPlace(): SpoolPlace {
  const home = temporaryFolder();
  return { home, db: join(home, "memory.db"), root: "/project" };
}

function newObserver(place?: SpoolPlace, onProblem?: (error: unknown) => void): Observer {
  const observer = new Observer({
    root: "/project",
    place,
    now: () => new Date("2026-11-15T10:00:00Z"),
    ...(onProblem && { onProblem }),
  });
  onTestFinished(() => observer.close());
  return observer;
}

async function readNotes(place: SpoolPlace): Promise<Note[]> {
  const notes: Note[] = [];
  for await (const part of readSpool(spoolFolder(place, sessionId))) notes.push(...part.notes);
  return notes;
}

function observingProgram(place: SpoolPlace, texts: string[], then: string): string {
  return `
    import { Observer } from ${JSON.stringify(compiled("observer/watch/observer.js"))};
    const observer = new Observer({ root: "/project", place: ${JSON.stringify(place)}, now: () => new Date() });
    for (const text of ${JSON.stringify(texts)}) observer.observe({ sessionId: "s1", kind: "prompt", text });
    ${then}
  `;
}
