import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createClient } from "@libsql/client/sqlite3";
import { readMemoryFile } from "../../src/conversation/memory-file/read-memory-file.js";
import type { Said } from "./programs.js";

interface Batch {
  contents: string[];
  isAcknowledged: boolean;
}

/**
 * Keeps book of what programs that converse were told, and compares it with their store and with MEMORY.md and HISTORY.md.
 * What was acknowledged is there, whole and in order; what was under way when its program was killed is there whole or not.
 */
export class TalkLedger {
  readonly errors: unknown[] = [];
  readonly #batches = new Map<string, Batch[]>();
  readonly #archives = new Map<string, string>();
  readonly #learned: string[] = [];
  readonly #begun = new Map<string, string>();

  hear(line: Said): void {
    const session = String(line["about"] ?? line["appended"]);
    if ("about" in line) this.#of(session).push({ contents: line["contents"] as string[], isAcknowledged: false });
    else if ("appended" in line) (this.#of(session).at(-1) as Batch).isAcknowledged = true;
    else if ("archived" in line) {
      this.#archives.set(String(line["id"]), (line["marker"] as { archiveName: string }).archiveName);
      this.#learned.push(...(line["learned"] as string[]));
    } else if ("error" in line) this.errors.push(line);
  }

  /** How many archives, and lines of models, were acknowledged. */
  get consolidated(): { archives: number; lines: number } {
    return { archives: this.#archives.size, lines: this.#learned.length };
  }

  get acknowledged(): number {
    const batches = [...this.#batches.values()].flat().filter(({ isAcknowledged }) => isAcknowledged);
    return batches.reduce((sum, { contents }) => sum + contents.length, 0);
  }

  /** Everything in which the store is not as acknowledged, or not sound. */
  async compare(home: string): Promise<string[]> {
    const kept = await readKept(home);
    return [
      ...this.#compareTurns(kept),
      ...[...this.#archives].flatMap(([id, name]) =>
        kept.archives.some((archive) => archive.id === id && archive.name === name) ? [] : `archive ${name} is lost`,
      ),
      ...this.#learned.flatMap((said) => {
        const known = kept.statements.filter((statement) => statement === said).length;
        return known === 1 ? [] : `a model's line is known ${known} times: ${said}`;
      }),
      ...kept.conversations.flatMap((row) => {
        const before = this.#begun.get(row.session) ?? row.createdAt;
        this.#begun.set(row.session, before);
        return before === row.createdAt ? [] : `${row.session} began ${before} and now ${row.createdAt}`;
      }),
      ...wrongIn(kept),
    ];
  }

  #compareTurns({ turns, conversations }: Kept): string[] {
    const wrong: string[] = [];
    for (const [session, batches] of this.#batches) {
      const stored = turns.filter((turn) => turn.session === session);
      let at = 0;
      for (const { contents, isAcknowledged } of batches) {
        if (!isAcknowledged && stored[at]?.content !== contents[0]) continue;
        const found = stored.slice(at, at + contents.length).map(({ content }) => content);
        if (JSON.stringify(found) !== JSON.stringify(contents)) {
          wrong.push(
            `${session}, turn ${at + 1}: ${JSON.stringify(contents)} was said, ${JSON.stringify(found)} is there`,
          );
          break;
        }
        at += contents.length;
      }
      if (at < stored.length) wrong.push(`${session}: ${stored.length - at} turns that nobody said`);
      const sequences = stored.map(({ sequence }) => sequence);
      if (sequences.some((sequence, index) => sequence !== index + 1)) wrong.push(`${session}: ${sequences.join(" ")}`);
      const row = conversations.find((one) => one.session === session);
      if (stored.length > 0 && row?.lastSequence !== stored.length)
        wrong.push(`${session} ends at ${row?.lastSequence}`);
    }
    return wrong;
  }

  #of(session: string): Batch[] {
    const batches = this.#batches.get(session) ?? [];
    this.#batches.set(session, batches);
    return batches;
  }
}

interface KeptTurn {
  session: string;
  sequence: number;
  role: string;
  content: string;
}

interface KeptArchive {
  id: string;
  session: string;
  name: string;
  content: string;
  first: number;
  last: number;
  /** As the memory itself says it. */
  data: string;
  isNoted: boolean;
  archivedAt: string;
}

interface KeptConversation {
  session: string;
  createdAt: string;
  keepCount: number;
  lastSequence: number;
  windowAfter: number;
  consolidatedTo: number;
}

interface Kept {
  turns: KeptTurn[];
  archives: KeptArchive[];
  conversations: KeptConversation[];
  /** What is in force and no talk. */
  statements: string[];
  unsound: string[];
}

/** What a store holds of conversations, read past Tacit. */
export async function readKept(home: string): Promise<Kept> {
  const nothing: Kept = { turns: [], archives: [], conversations: [], statements: [], unsound: [] };
  const db = join(home, "memory.db");
  if (!existsSync(db)) return nothing;
  const client = createClient({ url: pathToFileURL(db).href, timeout: 10_000 });
  try {
    const ask = async <T>(sql: string) => (await client.execute(sql)).rows.map((row) => ({ ...row }) as T);
    const tables = await ask("SELECT 1 FROM sqlite_master WHERE name = 'consolidation_leases'");
    return tables.length === 0 ? nothing : await readTables(ask);
  } finally {
    client.close();
  }
}

async function readTables(ask: <T>(sql: string) => Promise<T[]>): Promise<Kept> {
  const [integrity, foreign] = [await ask("PRAGMA integrity_check"), await ask("PRAGMA foreign_key_check")];
  // Throws when the full text index does not say what its rows say.
  await ask("INSERT INTO memory_words (memory_words, rank) VALUES ('integrity-check', 1)");
  return {
    turns: await ask(`SELECT c.session_id AS session, t.sequence, t.role, m.content FROM conversation_turns AS t
      JOIN conversations AS c ON c.number = t.conversation_number JOIN memories AS m ON m.key = t.memory_key
      WHERE m.forgotten_at IS NULL ORDER BY c.session_id, t.sequence, t.memory_key`),
    archives: await ask(`SELECT m.id, c.session_id AS session, n.name, m.content, x.first_sequence AS first,
        x.last_sequence AS last, m.data, x.noted_at IS NOT NULL AS isNoted, x.archived_at AS archivedAt
      FROM conversation_archives AS x JOIN conversations AS c ON c.number = x.conversation_number
      LEFT JOIN memories AS m ON m.key = x.memory_key AND m.type = 'archive' AND m.forgotten_at IS NULL
      LEFT JOIN memory_names AS n ON n.memory_key = x.memory_key ORDER BY c.session_id, x.last_sequence`),
    conversations: await ask(`SELECT session_id AS session, created_at AS createdAt, keep_count AS keepCount,
      last_sequence AS lastSequence, window_after AS windowAfter, consolidated_to AS consolidatedTo FROM conversations`),
    statements: (
      await ask<{ content: string }>(`SELECT content FROM memories WHERE type NOT IN ('conversation', 'archive')
        AND forgotten_at IS NULL AND superseded_by IS NULL`)
    ).map(({ content }) => content),
    unsound: [...integrity.slice(1), ...foreign].map((row) => JSON.stringify(row)),
  };
}

function wrongIn({ turns, archives, conversations, statements, unsound }: Kept): string[] {
  const wrong = [...unsound];
  for (const { session, keepCount, windowAfter, consolidatedTo } of conversations) {
    const ofSession = archives.filter((archive) => archive.session === session);
    let covered = 0;
    for (const { id, name, content, first, last, data } of ofSession) {
      const where = `${session}, archive ${name} of ${first} to ${last}`;
      if (!id || !name || !content) wrong.push(`${where}: a marker without its archive`);
      if (first !== covered + 1) wrong.push(`${where}: follows on ${covered}`);
      const said = JSON.parse(data ?? "{}") as { first?: number; last?: number };
      if (said.first !== first || said.last !== last) wrong.push(`${where}: says ${data}`);
      const summed = turns.filter(
        (turn) => turn.session === session && turn.sequence >= first && turn.sequence <= last,
      );
      if (summed.length !== last - first + 1) wrong.push(`${where}: leads to ${summed.length} turns`);
      covered = last;
    }
    if (consolidatedTo > covered) wrong.push(`${session}: consolidated to ${consolidatedTo}, archived to ${covered}`);
    if (windowAfter > covered) wrong.push(`${session}: window after ${windowAfter}, archived to ${covered}`);
    if (keepCount !== 2) wrong.push(`${session}: keepCount ${keepCount}`);
    // What a person asked to have remembered is known as soon as its turn counts as read, and once.
    for (const { sequence, content } of turns.filter((turn) => turn.session === session && turn.role === "user")) {
      const fact = factIn(content);
      const known = fact === undefined ? 1 : statements.filter((statement) => statement.includes(fact)).length;
      if (known > 1 || (known === 0 && sequence <= consolidatedTo))
        wrong.push(`${session}: ${fact} is known ${known} times`);
    }
  }
  return wrong;
}

/** The word that no other fact has. */
export function factIn(content: string): string | undefined {
  return /^Remember that the (\w+) service of ([\w-]+) /.exec(content)?.slice(1).join(" service of ");
}

/**
 * Everything that is wrong in the files: MEMORY.md is whole or not there; HISTORY.md and the file of its month tell each
 * archive whole and once, those that are not `noted` yet at most once.
 */
export async function compareFiles(
  home: string,
  project: string,
  { noted }: { noted: "all" | "some" },
): Promise<string[]> {
  const wrong: string[] = [];
  const folder = join(home, "layers", project);
  const file = join(folder, "MEMORY.md");
  if (existsSync(file)) wrong.push(...tornIn(readFileSync(file, "utf8")));
  const { archives, turns } = await readKept(home);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const texts = new Map(
    names
      .filter((name) => /^HISTORY.*\.md$/.test(name))
      .map((name) => [name, readFileSync(join(folder, name), "utf8")]),
  );
  for (const archive of archives) {
    for (const name of ["HISTORY.md", `HISTORY-${archive.archivedAt.slice(0, 7)}.md`]) {
      const entries = (texts.get(name) ?? "").split(/^(?=## \d)/m).filter((one) => one.includes(` (${archive.name}) `));
      if (entries.length > 1 || (entries.length === 0 && (noted === "all" || archive.isNoted))) {
        wrong.push(`${name} tells ${archive.name} ${entries.length} times`);
      }
      const isFallback = archive.content.startsWith("[raw-fallback]");
      const expected = isFallback
        ? turns.filter(
            ({ session, sequence }) =>
              session === archive.session && sequence >= archive.first && sequence <= archive.last,
          )
        : [archive];
      for (const { content } of entries.length > 0 ? expected : []) {
        if (!entries[0]?.includes(content))
          wrong.push(`${name} tells ${archive.name} without ${JSON.stringify(content)}`);
      }
    }
  }
  const told = [...texts.values()].reduce((sum, text) => sum + (text.match(/^## \d/gm)?.length ?? 0), 0);
  if (noted === "all" && told !== 2 * archives.length) wrong.push(`${told} entries of ${archives.length} archives`);
  for (const [name, text] of texts) if (text.includes("[cut off]")) wrong.push(`${name} has half an entry`);
  return wrong;
}

/** What a MEMORY.md lacks that was not replaced in one step. */
export function tornIn(text: string): string[] {
  const { statements, written } = readMemoryFile(text);
  if (!text.startsWith("# Memory\n") || !text.endsWith(" -->\n"))
    return [`torn: ${text.slice(0, 40)} … ${text.slice(-40)}`];
  return written?.length === statements.length ? [] : [`${statements.length} lines, written from ${written?.length}`];
}
