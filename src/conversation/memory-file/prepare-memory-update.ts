import type { MemoryWriter } from "../../memory/change/change.js";
import { findMemory } from "../../memory/read/read.js";
import { forgetRows } from "../../memory/retention/retention.js";
import { noteChanges } from "../../memory/history/history.js";
import type { Memory, MemoryInput, RememberedMemory } from "../../memory/memory.js";
import { hashOf } from "../../memory/record/record.js";
import type { Project, ProjectContext } from "../../project/project.js";
import { replaceMemory } from "../../memory/write/write.js";
import { comparePlan, type Plan } from "./compare-plan.js";
import { listUpdateLines } from "./list-update-lines.js";
import { readMemoryFile } from "./read-memory-file.js";
import { listReferencedBy, renderMemory } from "./sync-memory-file.js";

/**
 * Writes what was prepared as part of a larger write, and gives what is known now that was not. Through `tell` it says what
 * no longer is.
 */
export type WriteUpdate = (
  writer: MemoryWriter,
  project: Project,
  now: Date,
  tell?: (what: Replaced) => void,
) => Promise<RememberedMemory[]>;

/** What an update put out of force, by id. */
export interface Replaced {
  superseded: string[];
  forgotten: string[];
}

export interface UpdateOptions {
  /** Whether lines that the update leaves out may be forgotten. */
  mayForget: boolean;
  /** Prepares what a model says, with why it is to wait where that is so; its answers are in the same order. */
  prepareFacts: (inputs: MemoryInput[], reasons: (string | undefined)[]) => Promise<WriteUpdate>;
  /** The MEMORY.md that the model was shown, with its last line. Default: as it would be written now. */
  base?: string;
}

/** Ready to be written; or why it is no MEMORY.md that anybody would write. */
export type PreparedUpdate = { write: WriteUpdate } | { problem: string };

// A model that is asked for a text of so many bytes and gives four times that has lost its way.
const maxTimesTheSize = 4;

/**
 * Compares the whole new text of MEMORY.md that a model proposes with what it was shown, as if a person had edited it, but
 * does it less trust: new lines and changed ones are kept as what was inferred, and a changed one takes the place of the old
 * memory only where it speaks at once. What is true everywhere, pinned or verified a model does not change; what a person
 * taught it does not forget, and what it says instead waits for a person. A text that is no list of statements, or changes or
 * leaves out more than half of what it was shown where it may, is not taken at all.
 */
export async function prepareMemoryUpdate(
  context: ProjectContext,
  update: string,
  { mayForget, prepareFacts, base }: UpdateOptions,
): Promise<PreparedUpdate> {
  const { maxMemorySize } = await context.settings();
  const text = withoutFence(update);
  if (Buffer.byteLength(text) > maxTimesTheSize * maxMemorySize) return { problem: "The update is too long." };
  const { statements } = readMemoryFile(text);
  const bullets = statements.filter(({ isBullet }) => isBullet).length;
  if (bullets === 0 || bullets * 2 < statements.length) return { problem: "The update is no list of statements." };
  const { written = [] } = readMemoryFile(base ?? (await renderMemory(context)));
  // What is true everywhere is shown to a model, and is not its to change.
  const own = {
    statements: statements.filter(({ isEverywhere }) => !isEverywhere),
    written: written.filter(({ isEverywhere }) => !isEverywhere),
    isConflicted: false,
  };
  const plan = comparePlan(own, await listReferencedBy(context, own));
  // Moved below another heading is not left out.
  const said = new Set(statements.map((one) => hashOf(one.text)));
  plan.forget = plan.forget.filter(({ memory }) => !said.has(hashOf(memory.content)));
  const problem = problemOf(plan, mayForget);
  if (problem !== undefined) return { problem };
  const lines = await listUpdateLines(context, plan);
  const writeFacts = await prepareFacts(
    lines.map(({ input }) => input),
    lines.map(({ isAgainst }) => (isAgainst ? "A model would have it in place of what a person taught." : undefined)),
  );
  const gone = mayForget ? plan.forget.map(({ memory }) => memory).filter(mayBeForgotten) : [];
  return {
    write: async (writer, project, now, tell) => {
      const learned = lines.length > 0 ? await writeFacts(writer, project, now) : [];
      const superseded = learned.flatMap(({ contradicted = [] }) => contradicted.map(({ id }) => id));
      for (const [index, next] of learned.entries()) {
        const old = lines[index]?.old;
        const isInstead = old && old.id !== next.id && speaks(next);
        if (isInstead && (await replace(writer, project, old, next, now))) superseded.push(old.id);
      }
      const keys: number[] = [];
      for (const { id, content } of gone) {
        const found = await findMemory(writer, project, id, now);
        if (found?.memory.status === "active" && found.memory.content === content) keys.push(found.key);
      }
      const forgotten = await forgetRows(writer, project, keys, now);
      tell?.({ superseded, forgotten: forgotten.map(({ id }) => id) });
      return learned;
    },
  };
}

function withoutFence(text: string): string {
  const trimmed = text.trim();
  return /^(`{3,})[\w-]*\n([^]*)\n\1$/.exec(trimmed)?.[2] ?? trimmed;
}

// Of fewer lines, half are changed by one small edit.
const tellingLines = 4;

/** Why a model cannot have meant it. */
function problemOf({ written, revise, forget }: Plan, mayForget: boolean): string | undefined {
  const left = mayForget ? forget.length : 0;
  if (left * 2 > written) return `The update leaves out ${left} of ${written} lines.`;
  const changed = left + revise.length;
  if (written < tellingLines || changed * 2 <= written) return undefined;
  return `The update changes or leaves out ${changed} of ${written} lines.`;
}

function mayBeForgotten({ pinned, userVerified, source }: Memory): boolean {
  return !pinned && !userVerified && source !== "user_taught";
}

function speaks({ status, review, trustFlags }: Memory): boolean {
  const isDoubted = trustFlags.includes("tainted") || trustFlags.includes("unverified");
  return status === "active" && review.state === "none" && !isDoubted;
}

/** False where somebody has seen to the old one meanwhile: it stays as it is. */
async function replace(writer: MemoryWriter, project: Project, old: Memory, next: Memory, now: Date): Promise<boolean> {
  const then = await findMemory(writer, project, old.id, now);
  const after = await findMemory(writer, project, next.id, now);
  if (!then || !after || then.memory.status !== "active") return false;
  await noteChanges(writer, project, { verb: "superseded", keys: [then.key, after.key], now }, () =>
    replaceMemory(writer, project, then, after, now),
  );
  return true;
}
