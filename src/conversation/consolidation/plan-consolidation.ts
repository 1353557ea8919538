import type { MemoryWriter } from "../../memory/change/change.js";
import type { MemoryInput } from "../../memory/memory.js";
import type { Project } from "../../project/project.js";
import { differInSubstance } from "../../memory/relations/relations.js";
import { prepareArchive, type ArchiveText, type PreparedArchive } from "../archive/write-archive.js";
import type { Consolidation, Turn } from "../conversation.js";
import { likeness } from "../memory-file/pair-lines.js";
import { askAboutTurns, type Answered, type AskOptions } from "./ask-about-turns.js";
import type { ConsolidationPorts } from "./consolidate.js";
import { findStatements, type Statement } from "../statements/find-statements.js";
import { rawFallbackMark } from "../summary/raw-fallback.js";
import type { Unconsolidated } from "./read-unconsolidated.js";
import { summariseTurns } from "../summary/summarise-turns.js";

/** What is to be written, worked out before the transaction. */
export interface ConsolidationPlan {
  archives: PreparedArchive[];
  facts: (writer: MemoryWriter, project: Project, now: Date) => Promise<Learned>;
  by: Consolidation["by"];
  problem?: string;
}

/** What is known now that was not, and by their ids what gave way to it, and what a model that was to shorten left out. */
export type Learned = Pick<Consolidation, "learned" | "superseded" | "forgotten">;

/** Asks a model where there is one and there is time, and prepares everything that follows from the work. */
export async function planConsolidation(
  ports: ConsolidationPorts,
  sessionId: string,
  work: Unconsolidated,
  { isQuick, ...asking }: AskOptions & { isQuick: boolean },
): Promise<ConsolidationPlan> {
  const { seen, going, unread } = work;
  const stated = findStatements(unread);
  const answered = isQuick ? undefined : await askAboutTurns(ports, seen, asking);
  asking.signal?.throwIfAborted();
  const isTainted = seen.some((turn) => turn.isTainted);
  const doubt = answered && (await ports.doubtAsker(sessionId));
  const { base = "", memoryUpdate, problem } = answered ?? {};
  const update =
    memoryUpdate === undefined
      ? undefined
      : await ports.prepareUpdate(withoutStated(memoryUpdate, base, stated), {
          base,
          sessionId,
          isTainted,
          doubt,
          toolTexts: seen.filter(({ role }) => role === "tool").map(({ content }) => content),
        });
  const facts = await ports.prepareFacts(
    stated.map((one) => inputOf(one, sessionId, unread)),
    stated.map(({ isPasted }) => (isPasted ? pastedText : undefined)),
  );
  const archives: PreparedArchive[] = [];
  for (const turns of going) {
    const text = textOf(turns, turns === going.at(-1) ? answered : undefined);
    const isDoubtful = isTainted || doubt !== undefined;
    const doubtful = answered?.historyEntry !== undefined && isDoubtful ? { isTainted: true } : {};
    archives.push(
      await prepareArchive(ports.context, sessionId, turns, { ...text, ...doubtful, isConsolidated: true }),
    );
  }
  return {
    archives,
    facts: async (writer, project, now) => {
      const replaced = { superseded: [] as string[], forgotten: [] as string[] };
      const learned = await facts(writer, project, now);
      for (const { contradicted = [] } of learned) replaced.superseded.push(...contradicted.map(({ id }) => id));
      const tell = ({ superseded, forgotten }: typeof replaced) => {
        replaced.superseded.push(...superseded);
        replaced.forgotten.push(...forgotten);
      };
      const changed = (await update?.(writer, project, now, tell)) ?? [];
      return { learned: [...learned, ...changed], ...replaced };
    },
    by: answered === undefined ? "rules" : problem === undefined ? "model" : "fallback",
    ...(problem !== undefined && { problem }),
  };
}

const pastedText = "From pasted text? It does not look typed, or repeats what a tool had shown.";

/** A person said so, outright; it goes with the turn when that is purged. */
function inputOf(
  { content, type, metadata, sequence }: Statement,
  sessionId: string,
  turns: readonly Turn[],
): MemoryInput {
  const [turn] = turns.find((one) => one.sequence === sequence)?.ids ?? [];
  return {
    content,
    type,
    sessionId,
    source: "user_taught",
    ...(metadata && { metadata }),
    ...(turn !== undefined && {
      relations: [{ kind: "derived_from", memory: turn, confidence: 1, automatic: true }],
    }),
  };
}

// Two ways to say the same thing: "The user prefers tabs" as the user's statement, and "User prefers tabs" as a line of the
// model's. What names another number or identifier is another thing, however alike it is.
const alike = 0.7;

/** A new text of the memory without the lines in which a model repeats what the user stated: that is kept in the user's name. */
function withoutStated(update: string, base: string, stated: readonly Statement[]): string {
  if (stated.length === 0) return update;
  const known = new Set(base.split("\n"));
  return update
    .split("\n")
    .filter((line) => {
      const text = /^\s*[-*+] +(.+)$/.exec(line)?.[1];
      return text === undefined || known.has(line) || !stated.some(({ content }) => saysSame(content, text));
    })
    .join("\n");
}

function saysSame(a: string, b: string): boolean {
  return likeness(a, b) >= alike && !differInSubstance(a, b);
}

function textOf(turns: readonly Turn[], answered: Answered | undefined): ArchiveText {
  const summary = summariseTurns(turns);
  if (answered === undefined) return summary;
  const { historyEntry, problem } = answered;
  if (historyEntry !== undefined) return { ...summary, text: historyEntry };
  return { ...summary, text: `${rawFallbackMark} ${summary.text}`, problem };
}
