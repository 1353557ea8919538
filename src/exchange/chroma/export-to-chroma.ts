import { MemoryError } from "../../base/memory-error.js";
import { PagedFile } from "../intake/paged-file.js";
import { checkFilter, withRelativeFiles } from "../../memory/read/read.js";
import type { MemoryRecord, MemoryFilter } from "../../memory/memory.js";
import { findProject, type ProjectContext } from "../../project/project.js";
import { listRecords } from "../export/list-records.js";
import { toEntry } from "./chroma-record.js";
import { openChroma, type ChromaServer, type Collection, type NewEntry } from "./chroma-server.js";
import {
  collectionModel,
  type ChromaExportOptions,
  type ChromaExportReport,
  type VectorsOf,
} from "./chroma-options.js";

/**
 * Puts the memories in force, or those that a filter asks for, into a collection of a Chroma server, which comes into being
 * where it is missing. Doing it again changes nothing; what is forgotten here meanwhile stays there. Everything is read and
 * embedded before the first one is sent.
 */
export async function exportToChroma(
  context: ProjectContext,
  address: string,
  vectorsOf: VectorsOf,
  options: ChromaExportOptions = {},
): Promise<ChromaExportReport> {
  const { token: _token, timeoutMs: _timeoutMs, onProgress, ...filter } = options;
  const server = openChroma(address, options, "export-refused");
  checkFilter("export()", filter);
  const narrowed = await withRelativeFiles(context, filter);
  await server.greet();
  refuseOtherModel(server, await server.find());

  const records = await PagedFile.open<MemoryRecord>();
  const entries = await PagedFile.open<NewEntry>();
  try {
    await readRecords(context, narrowed, records);
    let read = 0;
    // The model is asked when nobody waits for the store.
    for await (const page of records.pages()) {
      const vectors = await vectorsOf(page);
      for (const [index, record] of page.entries()) {
        await entries.append({ ...toEntry(record), embedding: (vectors[index] as number[]).map(shortened) });
      }
      onProgress?.((read += page.length), "reading");
    }
    const memories = await send(server, entries, (done) => onProgress?.(done, "writing"));
    return { format: "chroma", output: server.at, collection: server.collection, memories };
  } finally {
    await records.close();
    await entries.close();
  }
}

/** Vectors of two models in one collection would make every answer wrong. */
function refuseOtherModel(server: ChromaServer, collection: Collection | undefined): void {
  const { name, dimensions } = collectionModel;
  const { dimension = null, model } = collection ?? {};
  const other =
    dimension !== null && dimension !== dimensions
      ? `vectors of ${dimension} dimensions`
      : model !== undefined && !model.endsWith(name) && "vectors of another model";
  if (!other) return;
  throw server.refuse(
    `its collection ${server.collection} holds ${other}, and Tacit sends those of ${name} (${dimensions}).`,
    "Name another collection: …?collection=NAME",
  );
}

/** As of one moment. A project that is not there yet has no memories. */
async function readRecords(
  context: ProjectContext,
  filter: MemoryFilter,
  records: PagedFile<MemoryRecord>,
): Promise<void> {
  await context.store.snapshot(async (reader) => {
    const { project } = await findProject(reader, context.project);
    if (!project) return;
    for await (const { record } of listRecords(reader, project, filter, context.now())) await records.append(record);
  });
}

/** Nine digits are every bit of a 32-bit float. */
function shortened(value: number): number {
  return Number(value.toPrecision(9));
}

async function send(
  server: ChromaServer,
  entries: PagedFile<NewEntry>,
  onSent: (done: number) => void,
): Promise<number> {
  let collection: Collection | undefined;
  let count = 0;
  try {
    for await (const page of entries.pages()) {
      collection ??= await server.findOrCreate();
      const before = await server.keysOf(
        collection,
        page.map(({ id }) => id),
      );
      await server.upsert(
        collection,
        page.map((entry) => ({ ...entry, metadata: { ...nothingFor(before.get(entry.id)), ...entry.metadata } })),
      );
      onSent((count += page.length));
    }
  } catch (error) {
    if (!(error instanceof MemoryError) || count === 0) throw error;
    const hint = `${error.hint} ${count} memories are there by now; sending them again changes nothing.`;
    throw new MemoryError(error.code, error.message, hint, error);
  }
  return count;
}

/** The server adds to the metadata that it has; what a memory no longer says goes only where it is told to be null. */
function nothingFor(keys: string[] = []): Record<string, null> {
  return Object.fromEntries(keys.map((key) => [key, null]));
}
