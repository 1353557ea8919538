import { existsSync, readdirSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compiled, ended, startProgram } from "../../../test/support/child-process.js";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import type { Note } from "../observer.js";
import { currentProcess, writerMark } from "../processes/process-identity.js";
import { claimSpool, isOver, listParts, listSpools, releaseSpool, removeSpool, type SpoolInfo } from "./list-spools.js";
import { readUntrustedMark } from "./untrusted-mark.js";
import { appendNotes } from "./append-notes.js";
import { spoolFolder, type SpoolPlace } from "./spool-place.js";
import { prompt, end, newPlace } from "../../../test/support/spool-events.js";

const minute = 60_000;

describe("listing spools", () => {
  it("finds none where there is no folder", async () => {
    expect(await listSpools(temporaryFolder())).toEqual([]);
  });

  it("tells what each is, those of one place where it is asked for", async () => {
    const place = newPlace();
    await appendNotes(place, "s1", undefined, [prompt]);
    await appendNotes(place, "s2", "helper", [prompt]);
    await appendNotes({ ...place, root: "/elsewhere" }, "s1", undefined, [prompt]);

    const all = await listSpools(place.home);
    const own = await listSpools(place.home, place);

    expect(all.length).toBe(3);
    expect(own.map(({ sessionId }) => sessionId).toSorted()).toEqual(["s1", "s2"]);
    expect(own.find(({ sessionId }) => sessionId === "s1")).toMatchObject({
      folder: spoolFolder(place, "s1"),
      db: place.db,
      root: place.root,
      hasEnded: false,
      isAlive: undefined,
    });
  });

  it("passes over what is no spool", async () => {
    const place = newPlace();
    await appendNotes(place, "s1", undefined, [prompt]);
    await appendNotes(place, "s2", undefined, [prompt]);
    const folder = spoolFolder(place, "s1");
    renameSync(join(folder, "main.jsonl"), join(folder, "main.txt"));
    renameSync(spoolFolder(place, "s2"), join(place.home, "sessions", "mine"));

    expect(await listSpools(place.home)).toEqual([]);
  });
});

describe("a session", () => {
  it("written by hooks is over after half an hour of silence, or when it said so", async () => {
    const place = newPlace();
    await appendNotes(place, "silent", undefined, [prompt]);
    await appendNotes(place, "ended", undefined, [prompt, end]);
    const { silent, ended: over } = await infosOf(place, "silent", "ended");
    const now = Date.now();

    expect(isOver(silent, now)).toBe(false);
    expect(isOver(silent, now + 29 * minute)).toBe(false);
    expect(isOver(silent, now + 31 * minute)).toBe(true);
    expect(isOver(over, now)).toBe(true);
  });

  it("stays over when late answers come, and not when it is taken up again", async () => {
    const place = newPlace();
    const late: Note = {
      kind: "result",
      at: 3,
      call: "x",
      bytes: 0,
      error: { fingerprint: "f", message: "", kind: "prompt" },
    };
    await appendNotes(place, "late", undefined, [prompt, end, late]);
    await appendNotes(place, "resumed", undefined, [prompt, end]);
    await appendNotes(place, "resumed", undefined, [{ kind: "start", at: 4, root: "/project" }]);
    await appendNotes(place, "helped", "helper", [prompt, end]);

    const { late: first, resumed, helped } = await infosOf(place, "late", "resumed", "helped");

    expect([first.hasEnded, resumed.hasEnded, helped.hasEnded]).toEqual([true, false, false]);
  });

  it("of a process that stays is over when that is gone, and not before", async () => {
    const place = newPlace();
    await appendNotes(place, "own", undefined, [prompt], { stays: true });
    const child = await startProgram(stayingProgram(place, "other"));
    const before = await infosOf(place, "own", "other");
    child.kill("SIGKILL");
    await ended(child);
    const after = await infosOf(place, "own", "other");
    const tomorrow = Date.now() + 24 * 60 * minute;

    expect([before.own.isAlive, before.other.isAlive]).toEqual([true, true]);
    expect(isOver(before.other, tomorrow)).toBe(false);
    expect(after.other.isAlive).toBe(false);
    expect(isOver(after.other, Date.now())).toBe(true);
    expect(isOver(after.own, tomorrow)).toBe(false);
  });

  it("is not kept alive by another process with the same number", async ({ skip }) => {
    skip(process.platform !== "linux", "only Linux tells when a process began");
    const place = newPlace();
    await appendNotes(place, "s", undefined, [prompt], { stays: true });
    const folder = spoolFolder(place, "s");
    const { pid, started } = currentProcess();
    renameSync(join(folder, writerMark({ pid, started })), join(folder, writerMark({ pid, started: started + 1 })));

    expect((await infosOf(place, "s")).s.isAlive).toBe(false);
  });
});

describe("claiming a spool", () => {
  it("takes it away from the session, whose next notes begin another", async () => {
    const place = newPlace();
    await appendNotes(place, "s", undefined, [prompt]);
    const { s: before } = await infosOf(place, "s");

    const claimed = (await claimSpool(before)) as SpoolInfo;
    await appendNotes(place, "s", undefined, [prompt]);
    const spools = await listSpools(place.home);
    await removeSpool(claimed);

    expect(claimed.id).toBe(before.id);
    expect(spools.length).toBe(2);
    expect(new Set(spools.map(({ id }) => id)).size).toBe(2);
    expect((await listSpools(place.home)).map(({ folder }) => folder)).toEqual([before.folder]);
    expect(existsSync(claimed.folder)).toBe(false);
  });

  it("is refused to whoever comes late, even where the next spool has taken its place", async () => {
    const place = newPlace();
    await appendNotes(place, "s", undefined, [prompt]);
    const { s: listed } = await infosOf(place, "s");
    await removeSpool((await claimSpool(listed)) as SpoolInfo);

    const late = await claimSpool(listed);
    await appendNotes(place, "s", undefined, [prompt]);
    const later = await claimSpool(listed);

    expect([late, later]).toEqual([undefined, undefined]);
    expect(readdirSync(join(place.home, "sessions"))).toEqual([listed.folder.slice(-32)]);
  });

  it("can be given back, also where the session has gone on meanwhile", async () => {
    const place = newPlace();
    await appendNotes(place, "s", undefined, [prompt, end]);
    const { s: before } = await infosOf(place, "s");

    await releaseSpool((await claimSpool(before)) as SpoolInfo, { isItsFault: false });
    const { s: back } = await infosOf(place, "s");
    const claimed = (await claimSpool(back)) as SpoolInfo;
    await appendNotes(place, "s", undefined, [prompt]);
    await releaseSpool(claimed, { isItsFault: false });
    const spools = await listSpools(place.home);

    expect(back).toEqual(before);
    expect(spools.length).toBe(2);
    expect(spools.filter((spool) => isOver(spool, Date.now())).map(({ id }) => id)).toEqual([before.id]);
    expect((await listParts(place, "s")).at(-1)).toBe(before.folder);
  });

  it("that is given back three times for its own fault is set aside, until somebody claims it by name", async () => {
    const place = newPlace();
    await appendNotes(place, "s", undefined, [prompt, end]);
    const isOvers = [];
    for (let time = 0; time < 3; time++) {
      const { s: spool } = await infosOf(place, "s");
      isOvers.push(isOver(spool, Date.now()));
      await releaseSpool((await claimSpool(spool)) as SpoolInfo, { isItsFault: true });
    }
    const { s: aside } = await infosOf(place, "s");

    expect(isOvers).toEqual([true, true, true]);
    expect(aside.hasFailed).toBe(true);
    expect(isOver(aside, Date.now() + 24 * 60 * minute)).toBe(false);
    expect((await claimSpool(aside))?.id).toBe(aside.id);
  });

  it("holds while the claimer lives, and is free when it is gone or far too slow", async () => {
    const place = newPlace();
    await appendNotes(place, "s", undefined, [prompt, end]);
    const { s: before } = await infosOf(place, "s");
    const claimed = (await claimSpool(before)) as SpoolInfo;
    const { s: held } = await infosOf(place, "s");
    const left = claimed.folder.replace(/finishing-\d+/, "finishing-4194399");
    renameSync(claimed.folder, left);
    const { s: abandoned } = await infosOf(place, "s");

    expect(isOver(held, Date.now())).toBe(false);
    expect(isOver(held, Date.now() + 11 * minute)).toBe(true);
    expect(isOver(abandoned, Date.now())).toBe(true);
    expect((await claimSpool(abandoned))?.id).toBe(before.id);
  });
});

it("a mark of outside content that cannot be read counts all the same", async () => {
  const place = newPlace();
  await appendNotes(place, "s", undefined, [prompt]);
  writeFileSync(join(spoolFolder(place, "s"), "outside"), "");

  expect(readUntrustedMark(spoolFolder(place, "s"), "outside")).toEqual({ from: "file", what: "unknown" });
});

it("spools are listed by when they were last written to", async () => {
  const place = newPlace();
  for (const [name, minutes] of [
    ["a", 3],
    ["b", 9],
    ["c", 6],
  ] as const) {
    await appendNotes(place, name, undefined, [prompt]);
    const then = new Date(Date.now() - minutes * minute);
    utimesSync(join(spoolFolder(place, name), "main.jsonl"), then, then);
  }

  expect((await listSpools(place.home)).map(({ sessionId }) => sessionId)).toEqual(["b", "c", "a"]);
});

async function infosOf<Name extends string>(place: SpoolPlace, ...names: Name[]): Promise<Record<Name, SpoolInfo>> {
  const spools = await listSpools(place.home, place);
  expect(spools.map(({ sessionId }) => sessionId).toSorted()).toEqual(names.toSorted());
  return Object.fromEntries(spools.map((info) => [info.sessionId, info])) as Record<Name, SpoolInfo>;
}

function stayingProgram(place: SpoolPlace, sessionId: string): string {
  return `
    import { appendNotes } from ${JSON.stringify(compiled("observer/spool/append-notes.js"))};
    await appendNotes(${JSON.stringify(place)}, ${JSON.stringify(sessionId)}, undefined,
      [{ kind: "prompt", at: 1, text: "" }], { stays: true });
    console.log("written");
    setTimeout(() => {}, 60_000);
  `;
}
