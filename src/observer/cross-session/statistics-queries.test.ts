import { describe, expect, it } from "vitest";
import { projectContext } from "../../../test/support/keep-records.js";
import { writeProject } from "../../project/project-context.js";
import type { Project } from "../../project/projects.js";
import type { Row, Writer } from "../../storage/storage.js";
import {
  addErrors,
  addFiles,
  addModules,
  addPairs,
  countFileSessions,
  countModuleSessions,
  listWritten,
  notePromotedPair,
} from "./statistics-queries.js";

const now = new Date("2026-11-02T12:00:00Z");

describe("what is known of files", () => {
  it("adds up over sessions; a further part of one adds no session", async () => {
    await inProject(async (writer, project) => {
      await addFiles(writer, project, [{ path: "a.ts", accesses: 2, edits: 1, written: "tainted" }], now, true);
      await addFiles(writer, project, [{ path: "a.ts", accesses: 1, edits: 0 }], now, true);
      await addFiles(
        writer,
        project,
        [
          { path: "a.ts", accesses: 4, edits: 2 },
          { path: "b.ts", accesses: 1, edits: 0 },
        ],
        now,
        false,
      );
      await addModules(writer, project, ["src", "."], now, true);
      await addModules(writer, project, ["src", "test"], now, false);

      expect(await rows(writer, "SELECT path, accesses, edits, sessions, written FROM observer_files")).toEqual([
        { path: "a.ts", accesses: 7, edits: 3, sessions: 2, written: "tainted" },
        { path: "b.ts", accesses: 1, edits: 0, sessions: 1, written: null },
      ]);
      expect(await countFileSessions(writer, project, ["a.ts", "c.ts"])).toEqual(new Map([["a.ts", 2]]));
      expect(await countModuleSessions(writer, project)).toEqual(new Map(Object.entries({ ".": 1, src: 1, test: 1 })));
      expect(await listWritten(writer, project)).toEqual(new Map([["a.ts", "tainted"]]));
    });
  });

  it("that come in pairs has their order, their delay and in what share of their sessions they met", async () => {
    await inProject(async (writer, project) => {
      const pair = { a: "a.ts", b: "b.ts", aFirst: true, delayMs: 1000, edited: true };
      const files = ["a.ts", "b.ts"].map((path) => ({ path, accesses: 1, edits: 0 }));
      await addFiles(writer, project, files, now, true);
      await addPairs(writer, project, [pair], { type: "build", now, isNew: true });
      await addFiles(writer, project, files, now, true);
      await addPairs(writer, project, [{ ...pair, aFirst: false, edited: false, delayMs: 3000 }], {
        type: "spec",
        now,
        isNew: true,
      });
      await addFiles(writer, project, files.slice(0, 1), now, true);
      await addPairs(writer, project, [{ ...pair, delayMs: 9000 }], { type: "spec", now, isNew: false });
      await notePromotedPair(writer, project, "a.ts", "b.ts", now);

      const [row] = await rows(writer, "SELECT * FROM observer_co_access");
      expect(row).toMatchObject({
        sessions: 2,
        in_order: 1,
        edited: 1,
        mean_delay_ms: 2000,
        promoted_at: now.toISOString(),
      });
      expect(Number(row?.["weight"])).toBeCloseTo(2 / 3, 6);
      expect(JSON.parse(String(row?.["task_types"]))).toEqual({ build: 1, spec: 1 });
    });
  });

  it("and of errors keeps how the last one was resolved", async () => {
    await inProject(async (writer, project) => {
      const error = { fingerprint: "f", tool: "Bash", message: "Error: no", occurrences: 2 };
      await addErrors(writer, project, [{ ...error, resolvedHow: "edited a.ts" }], now, true);
      await addErrors(writer, project, [error], now, true);
      await addErrors(writer, project, [error], now, false);

      expect(await rows(writer, "SELECT occurrences, sessions, resolved_how FROM observer_errors")).toEqual([
        { occurrences: 6, sessions: 2, resolved_how: "edited a.ts" },
      ]);
    });
  });
});

async function inProject(work: (writer: Writer, project: Project) => Promise<void>): Promise<void> {
  await writeProject(await projectContext(), work);
}

async function rows(writer: Writer, sql: string): Promise<Row[]> {
  return (await writer.rows(sql)).map((row) => ({ ...row }));
}
