import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { openMemory, type MemoryInput, type OpenOptions, type TacitMemory } from "../../src/index.js";
import { Store, type Row } from "../../src/storage/storage.js";
import { fakeEmbedder } from "./fake-embedder.js";
import { gitRepository, writeFiles } from "./git-repository.js";

/** What a new text says. It names a symbol of the code, and shares its subject with what is known on the stage. */
export const newText = "The limit of chargeCard depends on the country";
/** What a memory says before it is corrected. It names no symbol, and has no subject that anything else has. */
export const oldText = "Refunds are booked by the night shift";
/** Named among the files of a memory, a pattern becomes a node of the graph. */
export const files = ["src/pay.ts", "pattern:Retry"];
/** What is known from the beginning: a model is asked whether a new text contradicts it. */
const known: MemoryInput = { type: "decision", content: "The limit of chargeCard is forty euros" };

/** A project with everything that follows changes, and a watch on what reaches it. */
export interface Stage {
  root: string;
  db: string;
  /** What else has to be done when it is closed; what was opened last comes first. */
  onEnd: (work: () => unknown) => void;
  close: () => Promise<void>;
  /** As a process of its own would open it; closed with the stage. */
  open: (options?: OpenOptions) => Promise<TacitMemory>;
  memoryFile: string;
  /** Texts that reached the embedding model. */
  embedded: () => string[];
  /** Questions about contradictions that reached the language model. */
  asked: () => string[];
  /** What was written to the tables that are watched, oldest first. */
  watched: () => Promise<Watched[]>;
  rows: (sql: string, args?: Record<string, string | number>) => Promise<Row[]>;
  /** Looks away from all that has happened so far. */
  clear: () => Promise<void>;
}

export interface Watched {
  what: "born" | "gone" | "noted" | "linked" | "grounded" | "checked" | "counted";
  key: number;
  detail: string;
}

/** A work tree that is indexed, a store in a file, models that answer at once, and a MEMORY.md. Several may be open at once. */
export async function openStage(): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), "tacit-stage-"));
  const ends: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  const onEnd: Stage["onEnd"] = (work) => void ends.unshift(work);
  mkdirSync(join(folder, "shop"));
  const root = gitRepository(join(folder, "shop"));
  writeFiles(root, {
    "src/pay.ts": "export function chargeCard(amount: number): number {\n  return amount;\n}\n",
    "src/cart.ts": "export const cart: string[] = [];\n",
    "package.json": `{ "name": "shop", "scripts": { "test": "vitest run" } }\n`,
  });
  const db = join(folder, "memory.db");
  const embedder = fakeEmbedder();
  const questions: string[] = [];
  const languageModel: OpenOptions["languageModel"] = {
    modelId: "fake:judge",
    lastProblem: undefined,
    generate: async ({ purpose, prompt }) => {
      // What else it is asked for is done by rules.
      if (purpose !== "contradictions") return undefined;
      questions.push(prompt);
      return "[]";
    },
  };
  const open = async (options: OpenOptions = {}): Promise<TacitMemory> => {
    const memory = await openMemory({ db, directory: root, embedder, languageModel, ...options });
    onEnd(() => memory.close());
    return memory;
  };
  const memoryFile = await prepare(open);
  const store = new Store({ db, timeoutMs: 5000 });
  onEnd(() => store.close());
  await store.write(async (writer) => {
    for (const statement of watches) await writer.run(statement);
  });
  const rows: Stage["rows"] = (sql, args) => store.read((reader) => reader.rows(sql, args));
  return {
    root,
    db,
    onEnd,
    close: async () => {
      for (const end of ends) await end();
    },
    open,
    memoryFile,
    embedded: () => embedder.calls.flat(),
    asked: () => questions,
    rows,
    watched: async () => (await rows("SELECT what, key, detail FROM watched ORDER BY number")).map(toWatched),
    clear: async () => {
      embedder.calls.length = 0;
      questions.length = 0;
      await store.write(async (writer) => {
        await writer.run("DELETE FROM watched");
        // A mark that waits for a name to turn up is the same as the one that a change leaves.
        await writer.run("DELETE FROM memory_grounds WHERE node = '?'");
      });
    },
  };
}

let configured: Promise<unknown> | undefined;

async function prepare(open: Stage["open"]): Promise<string> {
  const memory = await open();
  // Once, since the stages of a file have one home.
  configured ??= memory.projects.configure("user", "memoryFolder", join(process.env["TACIT_HOME"] ?? "", "notes"));
  await configured;
  await memory.index();
  await memory.remember({ ...known, relatedFiles: ["src/pay.ts"] });
  const { file = "" } = await memory.conversations.memoryFile();
  await memory.embedPending();
  await memory.close();
  return file;
}

// What follows a change may be gone again when somebody looks: a mark, a note that a model is to be asked.
const watches = [
  "CREATE TABLE watched (number INTEGER PRIMARY KEY, what TEXT NOT NULL, key INTEGER NOT NULL, detail TEXT NOT NULL)",
  watch("born", "INSERT ON memories", "new.key", "new.id"),
  watch("gone", "DELETE ON memories", "old.key", "old.id"),
  watch("noted", "INSERT ON memory_changes", "new.memory_key", "new.verb || ' ' || new.fields"),
  watch("grounded", "INSERT ON memory_grounds", "new.memory_key", "new.node"),
  watch("checked", "INSERT ON contradiction_checks", "new.memory_key", "''"),
  watch("counted", "UPDATE OF changes ON layer_folders", "0", "new.changes"),
  watch(
    "linked",
    "INSERT ON memory_relations",
    "new.memory_key",
    "new.target_file",
    "new.kind = 'documents' AND new.automatic = 1",
  ),
];

function watch(what: Watched["what"], event: string, key: string, detail: string, when = "1"): string {
  return `CREATE TRIGGER watch_${what} AFTER ${event} WHEN ${when} BEGIN
    INSERT INTO watched (what, key, detail) VALUES ('${what}', ${key}, ${detail}); END`;
}

function toWatched(row: Row): Watched {
  return { what: String(row["what"]) as Watched["what"], key: Number(row["key"]), detail: String(row["detail"]) };
}

/** As a person does it in an editor. */
export function editFile(file: string, before: string, after: string): void {
  const text = readFileSync(file, "utf8");
  expect(text).toContain(before);
  writeFileSync(file, text.replace(before, after));
}

/** Puts a file where shared memories lie, as a pull would. */
export function putShared(root: string, name: string, text: string): void {
  const folder = join(root, ".tacit", "memories");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), text);
}
