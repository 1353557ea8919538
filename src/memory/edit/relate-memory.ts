import { MemoryError } from "../../base/memory-error.js";
import { cleanText } from "../../hygiene/hygiene.js";
import type { MemoryWriter } from "../change/changed-memory.js";
import { fitsCode } from "../prepare/check-input.js";
import { toConcept } from "../prepare/concept-nodes.js";
import { getMemory } from "../read/get-memory.js";
import { noteChanges } from "../history/note-changes.js";
import { relationKinds, type Memory, type Relation, type RelationKind } from "../memory.js";
import { changeMemory } from "../write/change-memory.js";
import type { Project } from "../../project/project.js";
import type { MemoryContext } from "../change/memory-context.js";
import { relativeTo } from "../read/relative-to.js";
import { insertRelation, deleteRelation } from "../relations/relation-queries.js";
import { writeFields } from "../write/write-fields.js";

/** A relation as somebody states it: to another memory by any reference, or to a file or what it defines. */
export interface StatedRelation {
  kind: RelationKind;
  memory?: string;
  file?: string;
  /** 0 to 1, default 1. */
  confidence?: number;
}

/** Relates a memory to another or to a file. Stating it again changes the confidence. */
export async function relateMemory(context: MemoryContext, reference: string, stated: StatedRelation): Promise<Memory> {
  return changeRelation(context, reference, "related", stated, insertRelation);
}

/** Takes a relation away; one that is not there is an error. */
export async function unrelateMemory(
  context: MemoryContext,
  reference: string,
  stated: StatedRelation,
): Promise<Memory> {
  return changeRelation(context, reference, "unrelated", stated, async (writer, _project, key, relation) => {
    if (await deleteRelation(writer, key, relation)) return;
    throw new MemoryError(
      "memory-not-found",
      `There is no such relation: ${relation.kind} ${relation.memory ?? relation.file ?? ""}.`,
      `tacit show ${reference} lists its relations.`,
    );
  });
}

async function changeRelation(
  context: MemoryContext,
  reference: string,
  verb: "related" | "unrelated",
  stated: StatedRelation,
  work: (writer: MemoryWriter, project: Project, key: number, relation: Relation) => Promise<void>,
): Promise<Memory> {
  checkRelation(stated);
  const { kind, memory: target, confidence = 1 } = stated;
  const { root } = await context.folder();
  const cleaned = stated.file === undefined ? undefined : relativeTo(root, (await cleanText(stated.file, "file")).text);
  const { file } = toConcept({ ...(cleaned !== undefined && { file: cleaned }) });
  return changeMemory(context, reference, async (writer, project) => {
    const now = context.now();
    const { key } = await getMemory(writer, project, reference, now);
    const other = target === undefined ? undefined : await getMemory(writer, project, target, now);
    if (other?.key === key) {
      throw new MemoryError("invalid-input", "A memory cannot be related to itself.", "Name another memory.");
    }
    const relation: Relation = {
      kind,
      ...(other ? { memory: other.record.id } : { file: file ?? "" }),
      confidence,
      automatic: false,
    };
    return noteChanges(writer, project, { verb, keys: [key], now }, async () => {
      await work(writer, project, key, relation);
      return (await writeFields(writer, project, key, {}, now)).memory;
    });
  });
}

function checkRelation(stated: StatedRelation): void {
  const { kind, memory, file, confidence = 1 } = stated ?? {};
  const fits =
    relationKinds.includes(kind) &&
    [memory, file].filter((target) => typeof target === "string" && target !== "").length === 1 &&
    typeof confidence === "number" &&
    confidence >= 0 &&
    confidence <= 1;
  if (fits && fitsCode(stated)) return;
  if (fits) {
    throw new MemoryError(
      "invalid-input",
      `${kind} leads to a file, or to what it defines; not to a memory, and not to a line, which moves with every edit.`,
      "For example src/store.ts#Store.read, or src/store.ts.",
    );
  }
  throw new MemoryError(
    "invalid-input",
    "A relation has a kind, and a memory or a file that it leads to.",
    `Kinds: ${relationKinds.join(", ")}. Confidence is a number from 0 to 1.`,
  );
}
