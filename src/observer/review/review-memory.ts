import { type MemoryContext, refuseAgent } from "../../memory/change/change.js";
import { shortId } from "../../base/ids/ids.js";
import { MemoryError } from "../../base/memory-error.js";
import { listContradicted, type Statement } from "../../memory/contradictions/contradictions.js";
import { checkChanges } from "../../memory/prepare/prepare.js";
import { forgetRows } from "../../memory/retention/retention.js";
import { findMemory, getMemory, type KeyedMemory } from "../../memory/read/read.js";
import { noteChanges } from "../../memory/history/history.js";
import type { Memory, ReviewedMemory, Status } from "../../memory/memory.js";
import { hashOf } from "../../memory/record/record.js";
import { changeMemory, replaceMemory, writeFields } from "../../memory/write/write.js";
import type { Project } from "../../project/project.js";
import { changedFields, prepareChanges } from "../../memory/edit/edit.js";
import type { Reader } from "../../storage/storage.js";
import { addRefusals, dropEvidence, listEvidence, refusalMark } from "../cross-session/subject-queries.js";

/**
 * A person lets a memory speak that waited for it, as it is or with another text. Where it was to take the place of
 * another, it does so now, and in that of what it contradicts.
 */
export async function acceptMemory(
  context: MemoryContext,
  reference: string,
  { content }: { content?: string } = {},
): Promise<ReviewedMemory> {
  refuseAgent(context, `tacit review accept ${reference}`);
  const changes = content === undefined ? {} : { content };
  checkChanges(changes);
  const next = content === undefined ? undefined : await prepareChanges(context, reference, changes);
  return changeMemory(context, reference, async (writer, project) => {
    const now = context.now();
    const waiting = await getWaiting(writer, project, reference, now, (id) => `To confirm it: tacit verify ${id}`);
    const olds = await listReplaced(writer, project, waiting, now);
    const isReworded = next !== undefined && next.content !== waiting.record.content;
    const words = isReworded ? { source: "user_taught" } : {};
    const fields = next ? { ...changedFields(waiting.memory, changes, next), ...words } : {};
    const others = await listContradicted(writer, project, accepted(waiting, content), now);
    const contradicted = others.filter(({ keyed }) => !olds.some(({ key }) => key === keyed.key));
    const keys = [waiting.key, ...olds.map(({ key }) => key), ...contradicted.map(({ keyed }) => keyed.key)];
    const verb = keys.length > 1 ? "superseded" : "verified";
    writer.changes.verified(project, waiting.key, waiting.record);
    return noteChanges(writer, project, { verb, keys, now }, async () => {
      const verified = { ...fields, userVerified: true, review: { state: "none" } };
      let speaking = await writeFields(writer, project, waiting.key, verified, now);
      for (const old of olds) speaking = await replaceMemory(writer, project, old, speaking, now);
      for (const { keyed, contradiction } of contradicted) {
        speaking = await replaceMemory(writer, project, keyed, speaking, now, contradiction.why);
      }
      const { drift: _drift, ...memory } = speaking.memory;
      const closed = contradicted.map(({ keyed, contradiction }) => ({ id: keyed.record.id, why: contradiction.why }));
      return closed.length > 0 ? { ...memory, contradicted: closed } : memory;
    });
  });
}

/** What it says once it is accepted. */
function accepted({ key, record }: KeyedMemory, content = record.content): Statement {
  return { ...record, key, content, userVerified: true };
}

/** What a memory was to take the place of, and is still in force. */
async function listReplaced(
  reader: Reader,
  project: Project,
  { record }: KeyedMemory,
  now: Date,
): Promise<KeyedMemory[]> {
  const ids = record.relations.flatMap(({ kind, memory }) => (kind === "supersedes" && memory ? [memory] : []));
  const found: KeyedMemory[] = [];
  for (const id of ids) {
    const old = await findMemory(reader, project, id, now);
    if (old && replaceable.has(old.memory.status)) found.push(old);
  }
  return found;
}

const replaceable: ReadonlySet<Status> = new Set<Status>(["active", "waiting", "flagged", "expired"]);

/**
 * A person refuses a memory that waited. It is forgotten, which can be undone, and what spoke for it is removed, so that
 * only new sessions can lead to it again. With `forever` none can; of that no more than a hash is kept.
 */
export async function rejectMemory(
  context: MemoryContext,
  reference: string,
  { forever = false }: { forever?: boolean } = {},
): Promise<Memory> {
  return changeMemory(context, reference, async (writer, project) => {
    const now = context.now();
    const { key, record } = await getWaiting(
      writer,
      project,
      reference,
      now,
      (id) => `To take it away: tacit forget ${id}. To say that it is wrong: tacit flag ${id} "why"`,
    );
    if (forever) {
      const subjects = await listEvidence(writer, record.id);
      const marks = subjects.map(({ signal, subject }) => refusalMark(signal, subject));
      await addRefusals(writer, project, [...marks, refusalMark(hashOf(record.content))]);
    }
    await dropEvidence(writer, record.id);
    const [forgotten] = await forgetRows(writer, project, [key], now);
    return forgotten as Memory;
  });
}

async function getWaiting(
  reader: Reader,
  project: Project,
  reference: string,
  now: Date,
  hint: (id: string) => string,
): Promise<KeyedMemory> {
  const found = await getMemory(reader, project, reference, now);
  const { id, status } = found.memory;
  if (status === "waiting") return found;
  const message = `${shortId(id)} does not wait for a review; it is ${status}.`;
  throw new MemoryError("invalid-input", message, hint(shortId(id)));
}
