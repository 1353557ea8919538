import { findProject, type ProjectHint } from "../project/project.js";
import type { Clock } from "../base/base.js";
import type { Reader, Store } from "../storage/storage.js";
import type { RecallReport } from "./retrieval.js";

// Uses are nice to know, not worth waiting for.
const patienceMs = 50;
const delayMs = 60_000;

/** How often recall was asked on a day, and what became of it. No question is kept. */
export interface RecallCounts {
  day: string;
  mode: string;
  questions: number;
  /** Nothing was found. */
  unanswered: number;
  /** The code around lifted a result. */
  lifted: number;
  /** … and so changed the first eight. */
  topChanged: number;
}

type Tally = Omit<RecallCounts, "day" | "mode">;

/** Counts questions, and writes the counts down when nobody waits; dropped when the store is busy. */
export class RecallCounter {
  readonly #store: Store;
  readonly #project: ProjectHint;
  readonly #now: Clock;
  #counts = new Map<string, Tally>();
  #timer: NodeJS.Timeout | undefined;

  constructor(store: Store, project: ProjectHint, now: Clock) {
    this.#store = store;
    this.#project = project;
    this.#now = now;
  }

  count({ mode, results, isLifted, codeChangedTop }: RecallReport): void {
    const key = `${this.#now().toISOString().slice(0, 10)} ${mode}`;
    const tally = this.#counts.get(key) ?? { questions: 0, unanswered: 0, lifted: 0, topChanged: 0 };
    tally.questions += 1;
    tally.unanswered += results.length === 0 ? 1 : 0;
    tally.lifted += isLifted ? 1 : 0;
    tally.topChanged += codeChangedTop ? 1 : 0;
    this.#counts.set(key, tally);
    this.#timer ??= setTimeout(() => void this.flush(), delayMs).unref();
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const rows = [...this.#counts].map(([key, tally]) => [...key.split(" "), ...Object.values(tally)]);
    this.#counts.clear();
    if (rows.length === 0 || !this.#store.exists) return;
    try {
      await this.#store.write(
        async (writer) => {
          const { project } = await findProject(writer, this.#project);
          if (!project) return;
          await writer.run(
            `INSERT INTO recall_counts (project_number, day, mode, questions, unanswered, lifted, top_changed)
             SELECT :project, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5
             FROM json_each(:rows) WHERE true
             ON CONFLICT (project_number, day, mode) DO UPDATE SET questions = questions + excluded.questions,
               unanswered = unanswered + excluded.unanswered, lifted = lifted + excluded.lifted,
               top_changed = top_changed + excluded.top_changed`,
            { project: BigInt(project.number), rows: JSON.stringify(rows) },
          );
        },
        { timeoutMs: patienceMs },
      );
    } catch {
      // Busy, read-only, full: the answers were given, and that is what counts.
    }
  }
}

/** The counts of a project, newest day first. */
export async function listRecallCounts(reader: Reader, project: ProjectHint): Promise<RecallCounts[]> {
  const { project: found } = await findProject(reader, project);
  if (!found) return [];
  const rows = await reader.rows(
    `SELECT day, mode, questions, unanswered, lifted, top_changed FROM recall_counts
     WHERE project_number = :project ORDER BY day DESC, mode`,
    { project: BigInt(found.number) },
  );
  return rows.map((row) => ({
    day: String(row["day"]),
    mode: String(row["mode"]),
    questions: Number(row["questions"]),
    unanswered: Number(row["unanswered"]),
    lifted: Number(row["lifted"]),
    topChanged: Number(row["top_changed"]),
  }));
}
