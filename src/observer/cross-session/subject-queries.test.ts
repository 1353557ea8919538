import { changeMemories } from "../../memory/change/change.js";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { projectContext } from "../../../test/support/keep-records.js";
import { forgetRow } from "../../memory/retention/forget.js";
import { listByReference } from "../../memory/read/memory-queries.js";
import { writeProject } from "../../project/project-context.js";
import type { Project } from "../../project/projects.js";
import { remember } from "../../memory/remember/remember-memories.js";
import type { Row, Writer } from "../../storage/storage.js";
import { writeSession, type SessionRecord } from "./session-queries.js";
import { addErrors } from "./statistics-queries.js";
import {
  addRefusals,
  addSightings,
  countMemoriesMade,
  dropEvidence,
  dropSightings,
  listEvidence,
  listKnownSubjects,
  listRefused,
  notePromoted,
  refusalMark,
  releaseSubjects,
  subjectKey,
  type StoredSighting,
} from "./subject-queries.js";

const now = new Date("2026-11-02T12:00:00Z");

describe("what sessions showed", () => {
  it("is given back oldest first, without the session that asks", async () => {
    await inProject(async (writer, project) => {
      for (const [index, id] of ["s1", "s2", "s3"].entries()) {
        const number = await writeSession(writer, project, recordOf(id));
        await addSightings(writer, project, { number, at: `2026-11-0${index + 1}T09:00:00.000Z` }, [
          { ...saw("a"), data: { index }, ...(index === 1 && { outside: { from: "web", what: "example.com" } }) },
        ]);
      }

      const known = (await listKnownSubjects(writer, project, [saw("a"), saw("b")], "s3")).get(subjectKey(saw("a")));

      expect(known?.memoryId).toBeUndefined();
      expect(known?.sightings).toMatchObject([
        { sessionId: "s1", agents: 1, data: { index: 0 } },
        { sessionId: "s2", outside: { from: "web", what: "example.com" } },
      ]);
    });
  });

  it("stays from outside when the session goes on, whatever a later part of it shows", async () => {
    await inProject(async (writer, project) => {
      const number = await writeSession(writer, project, recordOf("s1"));
      const session = { number, at: now.toISOString() };
      await addSightings(writer, project, session, [{ ...saw("a"), outside: { from: "web", what: "example.com" } }]);
      await addSightings(writer, project, session, [{ ...saw("a"), data: { later: true } }]);

      expect(
        (await listKnownSubjects(writer, project, [saw("a")], "")).get(subjectKey(saw("a")))?.sightings,
      ).toMatchObject([{ outside: { from: "web", what: "example.com" }, data: { later: true } }]);
    });
  });

  it("is kept of the last fifty sessions that showed it", async () => {
    await inProject(async (writer, project) => {
      for (let index = 1; index <= 52; index += 1) {
        const number = await writeSession(writer, project, recordOf(`s${index}`));
        const all = index === 1 ? [saw("a"), saw("b")] : [saw("a")];
        await addSightings(writer, project, { number, at: now.toISOString() }, all);
      }

      expect(
        await rows(
          writer,
          `SELECT o.subject, count(*) AS n, min(g.session_number) AS first FROM observer_sightings AS g
           JOIN observer_subjects AS o ON o.number = g.subject_number GROUP BY o.subject`,
        ),
      ).toEqual([
        { subject: "a", n: 50, first: 3 },
        { subject: "b", n: 1, first: 1 },
      ]);
    });
  });

  it("may lead to a memory again that Tacit let go by itself, and not to one that a person forgot", async () => {
    const context = await projectContext();
    const [one] = await remember(context, [{ content: "Prices are in cents." }]);
    const id = one?.id ?? "";
    await changeMemories(context, async (writer, project) => {
      const number = await writeSession(writer, project, recordOf("s1"));
      await addSightings(writer, project, { number, at: now.toISOString() }, [saw("a")]);
      await notePromoted(writer, project, saw("a"), id, now);
      const known = async () => (await listKnownSubjects(writer, project, [saw("a")], "")).get(subjectKey(saw("a")));

      for (const reason of [undefined, "faded", "evicted"] as const) {
        const [{ key } = { key: 0 }] = await listByReference(writer, project, id, now);
        await forgetRow(writer, project, key, now, reason);
        const isKnown = reason === undefined;
        expect(await known()).toMatchObject({ sightings: isKnown ? [] : [{ sessionId: "s1" }] });
        expect((await known())?.memoryId).toBe(isKnown ? id : undefined);
      }
      // Until then it is the evidence of the old one, and is purged with it.
      expect(await listEvidence(writer, id)).toHaveLength(1);
    });
  });

  it("keeps any data as it is", async () => {
    await inProject(async (writer, project) => {
      const number = await writeSession(writer, project, recordOf("s1"));
      const text = fc.string({ unit: "grapheme", maxLength: 30 });
      const sighting = fc.record({
        subject: fc.stringMatching(/^[^\0]{1,40}$/),
        data: fc.dictionary(
          fc.stringMatching(/^[a-z]{1,8}$/),
          fc.oneof(text, fc.integer(), fc.boolean(), fc.array(text)),
        ),
      });
      await fc.assert(
        fc.asyncProperty(sighting, async ({ subject, data }) => {
          await addSightings(writer, project, { number, at: now.toISOString() }, [{ ...saw(subject), data }]);
          const known = await listKnownSubjects(writer, project, [saw(subject)], "other");

          expect(known.get(subjectKey(saw(subject)))?.sightings[0]?.data).toEqual({ ...data });
        }),
        { numRuns: 50 },
      );
    });
  });

  it("leads to a memory, which is known, counted, released, and takes its evidence with it", async () => {
    const context = await projectContext();
    const [one] = await remember(context, [{ content: "Prices are in cents.", sessionId: "s1" }]);
    const id = one?.id ?? "";
    await writeProject(context, async (writer, project) => {
      const number = await writeSession(writer, project, recordOf("s1"));
      await addSightings(writer, project, { number, at: now.toISOString() }, [saw("a"), saw("b")]);
      await notePromoted(writer, project, saw("a"), id, now);

      expect((await listKnownSubjects(writer, project, [saw("a")], "")).get(subjectKey(saw("a")))?.memoryId).toBe(id);
      expect(await countMemoriesMade(writer, project, "s1")).toBe(1);
      expect(await listEvidence(writer, id)).toMatchObject([
        { subject: "a", sightings: [{ sessionId: "s1", evidence: [{ did: "did a" }] }] },
      ]);

      await dropSightings(writer, number);
      expect((await listKnownSubjects(writer, project, [saw("b")], "")).get(subjectKey(saw("b")))?.sightings).toEqual(
        [],
      );
      expect(await listEvidence(writer, id)).toMatchObject([{ sightings: [{}] }]);

      await releaseSubjects(writer, [id]);
      expect(await listEvidence(writer, id)).toEqual([]);
      expect(await countMemoriesMade(writer, project, "s1")).toBe(0);

      await notePromoted(writer, project, saw("a"), id, now);
      await dropEvidence(writer, id);
      expect((await listKnownSubjects(writer, project, [saw("a")], "")).size).toBe(0);
    });
  });

  it("takes the error that it was about with it", async () => {
    await inProject(async (writer, project) => {
      const number = await writeSession(writer, project, recordOf("s1"));
      const error = { fingerprint: "f", tool: "Bash", message: "Error: no", occurrences: 1 };
      await addErrors(
        writer,
        project,
        [error, { ...error, fingerprint: "g" }, { ...error, fingerprint: "h" }],
        now,
        true,
      );
      await addSightings(writer, project, { number, at: now.toISOString() }, [
        { ...saw("f"), signal: "error-retry" },
        { ...saw("error: h"), signal: "synthesis" },
        saw("g"),
      ]);

      await writer.run("DELETE FROM observer_subjects");

      expect(await rows(writer, "SELECT fingerprint FROM observer_errors")).toEqual([{ fingerprint: "g" }]);
    });
  });

  it("and was refused is known by its mark alone", async () => {
    await inProject(async (writer, project) => {
      const marks = [refusalMark("co-access", "a + b"), refusalMark("co-access", "a", "b")];
      await addRefusals(writer, project, marks.slice(0, 1));
      await addRefusals(writer, project, marks.slice(0, 1));

      expect(new Set(marks).size).toBe(2);
      expect(await listRefused(writer, project, marks)).toEqual(new Set(marks.slice(0, 1)));
      expect(await rows(writer, "SELECT mark FROM observer_refusals")).toEqual([{ mark: marks[0] }]);
    });
  });
});

async function inProject(work: (writer: Writer, project: Project) => Promise<void>): Promise<void> {
  await writeProject(await projectContext(), work);
}

async function rows(writer: Writer, sql: string): Promise<Row[]> {
  return (await writer.rows(sql)).map((row) => ({ ...row }));
}

function recordOf(sessionId: string): SessionRecord {
  return {
    sessionId,
    type: "build",
    outcome: "success",
    startedAt: "2026-11-02T09:00:00.000Z",
    endedAt: "2026-11-02T10:00:00.000Z",
    events: 10,
    toolCalls: 4,
    files: 2,
    rereads: 1,
    stepsDone: 3,
    inputTokens: 1000,
    outputTokens: 50,
    deadEndsReentered: 0,
  };
}

function saw(subject: string): StoredSighting {
  return {
    signal: "self-correction",
    subject,
    agents: 1,
    data: {},
    evidence: [{ at: "2026-11-02T09:00:00.000Z", did: `did ${subject}` }],
  };
}
