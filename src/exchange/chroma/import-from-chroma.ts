import { forImport, type MemoryContext } from "../../memory/change/change.js";
import { storeRecords } from "../intake/store-records.js";
import { refuseWhenDisabled } from "../../project/project.js";
import { evict } from "../import/import-memories.js";
import type { IncomingMemory } from "../formats/incoming.js";
import { fromEntry } from "./chroma-record.js";
import { openChroma, type ChromaServer, type Collection } from "./chroma-server.js";
import type { ChromaImportOptions, ChromaImportReport } from "./chroma-options.js";
import { settleEntries } from "./settle-entries.js";

// A page of the largest texts, 64 KiB each, is still moderate.
const pageSize = 100;
// More than that nobody has remembered; a server that says so does not end.
const maxEntries = 1_000_000;

/**
 * Takes in a collection of a Chroma server, such as `http://127.0.0.1:8000`: all of it or nothing, and doing it again changes
 * nothing. Types of older collections become ours (observation: conversation, preference: fact, event and task: context);
 * talk of more than 30 days ago, and context of a day that is over, have expired when they arrive. A collection may be
 * anybody's: whatever it holds arrives unverified, and changes nothing that somebody vouches for. Vectors are made anew: one
 * from elsewhere cannot be checked without making it again.
 */
export async function importFromChroma(
  context: MemoryContext,
  address: string,
  options: ChromaImportOptions = {},
): Promise<ChromaImportReport> {
  const server = openChroma(address, options, "import-refused");
  await refuseWhenDisabled(context);
  await server.greet();
  const collection = await server.find();
  if (!collection) {
    throw server.refuse(`it has no collection ${server.collection}.`, "Name another: …?collection=NAME");
  }
  const told = { leftOut: 0 };
  const importing = forImport(context, address);
  const kept = await storeRecords(importing, readCollection(context, server, collection, told), options);
  const evicted = kept.added > 0 && !options.dryRun ? await evict(importing) : [];
  return {
    kinds: ["chroma"],
    files: 0,
    collection: server.collection,
    ...kept,
    ...told,
    ...(evicted.length > 0 && { evicted }),
  };
}

async function* readCollection(
  context: MemoryContext,
  server: ChromaServer,
  collection: Collection,
  told: { leftOut: number },
): AsyncGenerator<IncomingMemory> {
  const count = await server.count(collection);
  if (count > maxEntries) {
    throw server.refuse(`its collection has ${count} entries.`, `Tacit takes in ${maxEntries} at most.`);
  }
  const place = { collection: server.collection, collectionId: collection.id, now: context.now() };
  for (let offset = 0; offset < count; offset += pageSize) {
    const entries = await server.page(collection, pageSize, offset);
    const page: IncomingMemory[] = [];
    for (const { document, ...entry } of entries.slice(0, pageSize)) {
      if (document === null || document.trim() === "") told.leftOut += 1;
      else page.push(fromEntry({ ...entry, document }, place));
    }
    yield* await settleEntries(context, page);
  }
}
