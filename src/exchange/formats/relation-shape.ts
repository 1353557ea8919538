import { codeKinds, relationKinds, type Relation } from "../../memory/memory.js";
import { id, listOf, objectOf, oneOf, share, text, yesOrNo, type Shape } from "./field-shapes.js";

const relation = objectOf({
  kind: oneOf(relationKinds),
  "memory?": id,
  "file?": text,
  "confidence?": share,
  "automatic?": yesOrNo,
});

export const relations: Shape = {
  expected: "a list of { kind, memory or file (of code: file), confidence, automatic }, nothing in it twice",
  read(value) {
    const read = listOf(relation).read(value) as Partial<Relation>[] | undefined;
    if (!read?.every(leadsSomewhere)) return undefined;
    // As `tacit relate` has it: stated, and sure.
    const whole = read.map((entry) => ({
      ...entry,
      confidence: entry.confidence ?? 1,
      automatic: entry.automatic ?? false,
    }));
    const different = new Set(whole.map((entry) => relationOrder(entry as Relation)));
    return different.size === whole.length ? sortRelations(whole as Relation[]) : undefined;
  },
};

function leadsSomewhere({ kind, memory, file }: Partial<Relation>): boolean {
  const isCode = kind !== undefined && codeKinds.has(kind);
  return (memory === undefined) !== (file === undefined) && !(isCode && file === undefined);
}

/** By kind, then memory, then file. */
export function sortRelations(list: readonly Relation[]): Relation[] {
  return list
    .map((entry) => [relationOrder(entry), entry] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, entry]) => entry);
}

function relationOrder({ kind, memory, file }: Relation): string {
  return [kind, memory ?? "", file ?? ""].join("\n");
}
