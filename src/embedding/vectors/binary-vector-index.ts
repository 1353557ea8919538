import { keyRange } from "../../memory/read/read.js";
import type { Project } from "../../project/project.js";
import type { Reader } from "../../storage/storage.js";
import type { ActiveModel } from "./active-model.js";
import { BinaryVectorTable } from "./binary-vector-table.js";

// Half a megabyte of text a page; a server sends 10 MB at most (sqld).
const rowsPerPage = 5000;

/** What was read of the store, and how far. */
interface Known {
  table: BinaryVectorTable;
  /** The newest change that is in it. */
  seen: number;
  /** How many codes there were when all of them had been read. */
  whole: number;
}

/**
 * The codes of a project's memories, as far as this process has seen them; of a Matryoshka model the first dimensions
 * only. It only ever learns: what was removed stays as a ghost until everything is read anew, and what was embedded again
 * is in it twice.
 */
export class BinaryVectorIndex {
  readonly #model: ActiveModel;
  readonly #project: Project;
  readonly #first: number;
  #known: Known;
  #reading: Promise<void> = Promise.resolve();

  constructor(project: Project, model: ActiveModel) {
    this.#model = model;
    this.#project = project;
    this.#first = Number(keyRange(project).first);
    this.#known = this.#nothing();
  }

  isOf(model: ActiveModel): boolean {
    return this.#model.number === model.number;
  }

  /** Learns the vectors that came since it last looked, whoever made them: 100,000 at first in 0.1 s. */
  async learn(reader: Reader): Promise<void> {
    return this.#inTurn(async () => {
      const { seen } = this.#known;
      const newest = await this.#readNew(reader, this.#known);
      const { table, whole } = this.#known;
      // Another file has taken the store's place; or as many codes may be of older vectors as not.
      if (newest < seen || table.size > 2 * whole + rowsPerPage) await this.#readAll(reader);
    });
  }

  /** Reads everything anew, and so gets rid of ghosts. */
  async reload(reader: Reader): Promise<void> {
    return this.#inTurn(() => this.#readAll(reader));
  }

  /** The keys of the memories whose codes are most like a vector's, most alike first; of those chosen, where some are. */
  nearest(vector: Float32Array, count: number, among?: Set<number>): number[] {
    const numbers = among && new Set([...among].map((key) => key - this.#first));
    return this.#known.table.nearest(vector, count, numbers).map((number) => this.#first + number);
  }

  #nothing(): Known {
    const { candidateDimensions, dimensions } = this.#model;
    return { table: new BinaryVectorTable(candidateDimensions ?? dimensions), seen: 0, whole: 0 };
  }

  async #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#reading.then(work);
    this.#reading = turn.catch(() => undefined);
    return turn;
  }

  /** Put in place when it is whole: another search may be under way. */
  async #readAll(reader: Reader): Promise<void> {
    const known = this.#nothing();
    await this.#readNew(reader, known);
    this.#known = known;
  }

  /** Returns the newest change of the store. */
  async #readNew(reader: Reader, known: Known): Promise<number> {
    const isFirst = known.seen === 0;
    for (;;) {
      // One row a page, because the driver takes longer for a row than SQLite does: 400 ms for 100,000.
      const [page] = await reader.rows(
        `SELECT page.seen, page.numbers, page.codes,
           (SELECT CAST(value AS INTEGER) FROM store_state WHERE name = 'vector_change') AS newest
         FROM (SELECT max(change) AS seen, json_group_array(memory_key & 4294967295) AS numbers,
             group_concat(substr(hex(code) || '${"0".repeat(32)}', 1, :digits), '') AS codes
           FROM (SELECT change, memory_key, code FROM memory_vectors
             WHERE project_number = :project AND change > :seen AND model_number = :model AND length(code) = :bytes
             ORDER BY change LIMIT ${rowsPerPage})) AS page`,
        {
          project: BigInt(this.#project.number),
          model: BigInt(this.#model.number),
          seen: BigInt(known.seen),
          digits: BigInt(8 * known.table.words),
          // One of another length would move every code after it.
          bytes: BigInt(Math.ceil(this.#model.dimensions / 8)),
        },
      );
      if (page?.["seen"] == null) {
        if (isFirst) known.whole = known.table.size;
        return Number(page?.["newest"] ?? 0);
      }
      known.table.add(JSON.parse(String(page["numbers"])) as number[], Buffer.from(String(page["codes"]), "hex"));
      known.seen = Number(page["seen"]);
    }
  }
}
