import { keyRange } from "../../memory/read/read.js";
import { ensureProject, type Project, type ProjectHint } from "../../project/project.js";
import type { MemoryWriter } from "../../memory/change/change.js";
import type { ContestedName } from "./contested-names.js";
import type { IntakeReport } from "./intake.js";
import type { DeferredRecord } from "./store-deferred.js";
import { PagedFile } from "./paged-file.js";

/** Records on their way into a project, within one transaction. */
export interface Intake {
  writer: MemoryWriter;
  project: Project;
  now: Date;
  /** What was in the project before has a smaller key. */
  firstKey: number;
  nextKey: number;
  /** What has to wait until every record has a row. */
  later: PagedFile<DeferredRecord>;
  /** Names that other memories hold, by the key that they are for. */
  contested: Map<number, ContestedName[]>;
  /** For the id of each record that was merged, the id of the memory that took it in, and how new the record was. */
  mergedInto: Map<string, { id: string; updatedAt: string }>;
  report: IntakeReport;
}

/** Begins to keep records in a project, which comes into being with the first. Close `later` when done. */
export async function beginIntake(
  writer: MemoryWriter,
  hint: ProjectHint,
  now: Date,
  report: IntakeReport,
): Promise<Intake> {
  const project = await ensureProject(writer, hint, now);
  const [row] = await writer.rows(
    "SELECT ifnull(max(key), :first) + 1 AS next FROM memories WHERE key BETWEEN :first AND :last",
    keyRange(project),
  );
  const firstKey = Number(row?.["next"]);
  return {
    writer,
    project,
    now,
    firstKey,
    nextKey: firstKey,
    later: await PagedFile.open(),
    contested: new Map(),
    mergedInto: new Map(),
    report,
  };
}
