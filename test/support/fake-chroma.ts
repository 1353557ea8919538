import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

type Metadata = Record<string, string | number | boolean>;

interface FakeEntry {
  document: string | null;
  metadata: Metadata;
  embedding: number[];
}

interface FakeCollection {
  id: string;
  name: string;
  dimension: number | null;
  metadata: unknown;
  configuration_json: { embedding_function: unknown };
  entries: Map<string, FakeEntry>;
}

export interface FakeChroma {
  url: string;
  collections: Map<string, FakeCollection>;
  /** Method and path of every request so far. */
  requests: string[];
  /** Answers instead of it, where it says so. */
  instead?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

const root = "/api/v2/tenants/default_tenant/databases/default_database/collections";

/** Takes what is to be done when a test is over. */
type OnEnd = (work: () => void) => void;

/** A server that says what Chroma 1.0 says to the few requests that Tacit sends, and refuses what that one refuses. */
export async function startFakeChroma(onEnd: OnEnd = onTestFinished): Promise<FakeChroma> {
  const chroma: FakeChroma = { url: "", collections: new Map(), requests: [] };
  const server = createServer((request, response) => {
    chroma.requests.push(`${request.method} ${request.url}`);
    if (chroma.instead?.(request, response)) return;
    void respond(chroma, request, response);
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  chroma.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return chroma;
}

async function respond(chroma: FakeChroma, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { status, value } = await answer(chroma, request);
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}

interface Answer {
  status: number;
  value: unknown;
}

async function answer({ collections }: FakeChroma, request: IncomingMessage): Promise<Answer> {
  const body = JSON.parse((await text(request)) || "null");
  const path = request.url ?? "";
  if (path === "/api/v2/heartbeat") return ok({ "nanosecond heartbeat": Date.now() * 1e6 });
  if (!path.startsWith(root)) return { status: 404, value: null };
  const [, key = "", verb] = path.slice(root.length).split("/");
  if (request.method === "POST" && key === "") return ok(described(create(collections, body)));
  const collection = [...collections.values()].find(({ id, name }) => (verb === undefined ? name : id) === key);
  if (!collection) return refused(404, "NotFoundError", `Collection [${key}] does not exists`);
  if (verb === undefined) return ok(described(collection));
  if (verb === "count") return ok(collection.entries.size);
  return verb === "get" ? ok(get(collection, body)) : upsert(collection, body);
}

function create(collections: FakeChroma["collections"], { name, metadata }: { name: string; metadata: unknown }) {
  const known = collections.get(name);
  if (known) return known;
  const id = `ca6da3d5-6cd2-4351-8ed1-${String(collections.size).padStart(12, "0")}`;
  const made: FakeCollection = {
    id,
    name,
    metadata,
    dimension: null,
    configuration_json: { embedding_function: null },
    entries: new Map(),
  };
  collections.set(name, made);
  return made;
}

function described({ entries: _entries, ...collection }: FakeCollection): unknown {
  return collection;
}

interface GetBody {
  ids?: string[];
  limit: number;
  offset?: number;
  include: string[];
}

function get({ entries }: FakeCollection, { ids, limit, offset = 0, include }: GetBody): unknown {
  const chosen = [...entries].filter(([id]) => !ids || ids.includes(id)).slice(offset, offset + limit);
  const column = (name: string, of: (entry: FakeEntry) => unknown) =>
    include.includes(name) ? chosen.map(([, entry]) => of(entry)) : null;
  return {
    ids: chosen.map(([id]) => id),
    embeddings: column("embeddings", ({ embedding }) => embedding),
    documents: column("documents", ({ document }) => document),
    uris: null,
    metadatas: column("metadatas", ({ metadata }) => (Object.keys(metadata).length === 0 ? null : metadata)),
    include,
  };
}

interface UpsertBody {
  ids: string[];
  documents: (string | null)[];
  metadatas: (Record<string, unknown> | null)[];
  embeddings?: number[][];
}

/** Adds to the metadata that is there, as the real one does; null takes away. */
function upsert(collection: FakeCollection, { ids, documents, metadatas, embeddings }: UpsertBody): Answer {
  if (!embeddings) return refused(422, "ChromaError", "missing field `embeddings`");
  for (const metadata of metadatas) {
    const nested = Object.values(metadata ?? {}).some((value) => typeof value === "object" && value !== null);
    if (nested) return refused(422, "ChromaError", "data did not match any variant of untagged enum");
  }
  for (const embedding of embeddings) {
    collection.dimension ??= embedding.length;
    if (embedding.length === collection.dimension) continue;
    const message = `Collection expecting embedding with dimension of ${collection.dimension}, got ${embedding.length}`;
    return refused(400, "InvalidArgumentError", message);
  }
  for (const [index, id] of ids.entries()) {
    const stated = Object.entries({ ...collection.entries.get(id)?.metadata, ...metadatas[index] });
    collection.entries.set(id, {
      document: documents[index] ?? null,
      metadata: Object.fromEntries(
        stated.filter(([key, value]) => value !== null && !key.startsWith("chroma:")),
      ) as Metadata,
      embedding: embeddings[index] ?? [],
    });
  }
  return ok({});
}

function ok(value: unknown): Answer {
  return { status: 200, value };
}

function refused(status: number, error: string, message: string): Answer {
  return { status, value: { error, message } };
}
