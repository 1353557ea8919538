import { MemoryError } from "../../base/memory-error.js";
import { readChromaAddress, type ChromaErrorCode } from "./chroma-address.js";
import type { ChromaOptions } from "./chroma-options.js";

/** A collection as the server tells of it. */
export interface Collection {
  id: string;
  /** Of its vectors; null before the first one. */
  dimension: number | null;
  /** What makes its vectors, where somebody has said so. */
  model?: string;
}

export type MetadataValue = string | number | boolean | null;

/** What a collection holds. */
export interface Entry {
  id: string;
  document: string | null;
  metadata: Record<string, unknown>;
}

/** What is put into it; a value that is null goes away there. */
export interface NewEntry {
  id: string;
  document: string;
  metadata: Record<string, MetadataValue>;
  embedding: number[];
}

/** A collection on a Chroma server, by the second version of its HTTP API. Every error says which server and what to do. */
export interface ChromaServer {
  /** The server, for messages and reports. */
  at: string;
  collection: string;
  /** Throws where there is no server, or one that does not speak this API. */
  greet(): Promise<void>;
  find(): Promise<Collection | undefined>;
  findOrCreate(): Promise<Collection>;
  count(collection: Collection): Promise<number>;
  page(collection: Collection, limit: number, offset: number): Promise<Entry[]>;
  /** Which keys the metadata of these have there. Those that are not there are missing. */
  keysOf(collection: Collection, ids: string[]): Promise<Map<string, string[]>>;
  upsert(collection: Collection, entries: NewEntry[]): Promise<void>;
  /** The error of the caller's kind about this server. */
  refuse(what: string, hint: string, cause?: unknown): MemoryError;
}

// A page of the largest texts is 7 MB, with room for what JSON adds.
const longestAnswer = 64 * 1024 * 1024;
const usualTimeoutMs = 30_000;

export function openChroma(
  address: string,
  { token, timeoutMs = usualTimeoutMs }: ChromaOptions,
  code: ChromaErrorCode,
): ChromaServer {
  const { server, tenant, database, collection: name, isPrivate } = readChromaAddress(address, code);
  const refuse = (what: string, hint: string, cause?: unknown) =>
    new MemoryError(code, `${server}: ${what}`, hint, cause);
  if (token !== undefined && !/^[\u0021-\u007E]+$/.test(token)) {
    throw refuse(
      "the token has blanks, line ends or characters beyond ASCII.",
      "Put the token alone into its variable.",
    );
  }
  if (token !== undefined && !isPrivate) {
    throw refuse("a token is not sent over a network without TLS.", "Use https://, or a tunnel to 127.0.0.1.");
  }
  const ask = async (method: "GET" | "POST", path: string, body?: unknown): Promise<Answer> => {
    try {
      const response = await fetch(`${server}/api/v2${path}`, {
        method,
        // What is meant for one server is not sent on to another.
        redirect: "manual",
        signal: AbortSignal.timeout(timeoutMs),
        headers: {
          ...(body !== undefined && { "content-type": "application/json" }),
          ...(token !== undefined && { "x-chroma-token": token }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: response.status, value: parse(await readBounded(response)) };
    } catch (error) {
      if (error instanceof TooLong) throw refuse("its answer does not end.", "Is it a Chroma server?");
      const why = isTimeout(error)
        ? `it did not answer within ${timeoutMs / 1000} s`
        : `it cannot be reached${codeIn(error)}`;
      throw refuse(`${why}.`, "Start it (chroma run), or correct the address.", error);
    }
  };
  const get = async (path: string) => accept(await ask("GET", path), refuse);
  const post = async (path: string, body: unknown) => accept(await ask("POST", path, body), refuse);
  const collections = `/tenants/${tenant}/databases/${database}/collections`;
  const strange = () =>
    refuse("it answers otherwise than a Chroma server.", "Check the address; Tacit speaks to Chroma 0.6 and later.");
  const toCollection = (value: unknown): Collection => readCollection(value) ?? fail(strange());
  return {
    at: server,
    collection: name,
    refuse,
    async greet() {
      const { status, value } = await ask("GET", "/heartbeat");
      if (status === 404 || status === 410) {
        throw refuse(
          "it is no Chroma server, or one that is too old: it has no /api/v2.",
          "Update it: Tacit speaks to Chroma 0.6 and later.",
        );
      }
      const beat = asObject(accept({ status, value }, refuse))?.["nanosecond heartbeat"];
      if (typeof beat !== "number") throw strange();
    },
    async find() {
      const answer = await ask("GET", `${collections}/${name}`);
      return answer.status === 404 ? undefined : toCollection(accept(answer, refuse));
    },
    async findOrCreate() {
      const metadata = { "hnsw:space": "cosine" };
      return toCollection(await post(collections, { name, get_or_create: true, metadata }));
    },
    async count({ id }) {
      const count = await get(`${collections}/${id}/count`);
      return typeof count === "number" && Number.isSafeInteger(count) && count >= 0 ? count : fail(strange());
    },
    async page({ id }, limit, offset) {
      const value = await post(`${collections}/${id}/get`, { limit, offset, include: ["documents", "metadatas"] });
      return readEntries(value) ?? fail(strange());
    },
    async keysOf({ id }, ids) {
      const value = await post(`${collections}/${id}/get`, { ids, limit: ids.length, include: ["metadatas"] });
      const entries = readEntries(value) ?? fail(strange());
      return new Map(entries.map((entry) => [entry.id, Object.keys(entry.metadata)]));
    },
    async upsert({ id }, entries) {
      await post(`${collections}/${id}/upsert`, {
        ids: entries.map((entry) => entry.id),
        documents: entries.map(({ document }) => document),
        metadatas: entries.map(({ metadata }) => metadata),
        embeddings: entries.map(({ embedding }) => embedding),
      });
    },
  };
}

interface Answer {
  status: number;
  value: unknown;
}

function accept({ status, value }: Answer, refuse: ChromaServer["refuse"]): unknown {
  if (status >= 200 && status < 300) return value;
  if (status >= 300 && status < 400) {
    throw refuse("it sends requests on to another address.", "Name that address, if you trust it.");
  }
  if (status === 401 || status === 403) {
    throw refuse(
      `it lets nobody in without the right token (${status}).`,
      "Name the variable that holds it: --chroma-key-variable CHROMA_TOKEN",
    );
  }
  const message = asObject(value)?.["message"];
  throw refuse(
    `it answered ${status}${typeof message === "string" ? `: ${oneLine(message)}` : "."}`,
    status >= 500 ? "Look at what the server says, and try again." : "Check the address and the collection.",
  );
}

/** The words of somebody else's server, for a terminal. */
function oneLine(message: string): string {
  return message.replace(/[^\p{L}\p{N}\p{P}\p{S} ]+/gu, " ").slice(0, 200);
}

class TooLong extends Error {}

async function readBounded({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > longestAnswer) throw new TooLong();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Undefined for what is no JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === "TimeoutError";
}

function codeIn(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  return typeof code === "string" ? ` (${code})` : "";
}

function fail(error: MemoryError): never {
  throw error;
}

function readCollection(value: unknown): Collection | undefined {
  const { id, dimension = null, metadata, configuration_json: configuration } = asObject(value) ?? {};
  // It becomes part of a path.
  if (typeof id !== "string" || !/^[0-9a-f-]{36}$/i.test(id)) return undefined;
  if (dimension !== null && typeof dimension !== "number") return undefined;
  const model = modelIn(asObject(configuration)?.["embedding_function"]) ?? asObject(metadata)?.["embedding_model"];
  return { id, dimension, ...(typeof model === "string" && { model }) };
}

/** The model that a client of Chroma has named: its usual one is all-MiniLM-L6-v2. */
function modelIn(embeddingFunction: unknown): string | undefined {
  const { name, config } = asObject(embeddingFunction) ?? {};
  if (name === "default" || name === "onnx_mini_lm_l6_v2" || name === "default-embed") return "all-MiniLM-L6-v2";
  const model = asObject(config)?.["model_name"] ?? asObject(config)?.["model"] ?? name;
  return typeof model === "string" ? model : undefined;
}

function readEntries(value: unknown): Entry[] | undefined {
  const { ids, documents, metadatas } = asObject(value) ?? {};
  if (!Array.isArray(ids) || !ids.every((id) => typeof id === "string")) return undefined;
  for (const list of [documents ?? [], metadatas ?? []]) {
    if (!Array.isArray(list) || (list.length > 0 && list.length !== ids.length)) return undefined;
  }
  return ids.map((id: string, index) => {
    const document: unknown = (documents as unknown[] | null | undefined)?.[index];
    return {
      id,
      document: typeof document === "string" ? document : null,
      metadata: asObject((metadatas as unknown[] | null | undefined)?.[index]) ?? {},
    };
  });
}

function asObject(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}
