import type { Json } from "../../base/base.js";
import { MemoryError } from "../../base/memory-error.js";
import { checkInput } from "./check-input.js";
import { withConceptNodes } from "./concept-nodes.js";
import { checkData } from "../type-registry/check-data.js";
import { prepareName, prepareNames } from "./check-name.js";
import { cite } from "../record/cite.js";
import { cleanFields, type FieldCleaner } from "./clean-fields.js";
import { hashOf } from "../record/hash-of.js";
import { memoryType, stampedHalfLife } from "../type-registry/memory-types.js";
import type { MemoryInput, Relation, Review, TrustFlag } from "../memory.js";
import { parseTime } from "../read/parse-time.js";
import type { ProjectContext } from "../../project/project.js";
import { relativeTo } from "../read/relative-to.js";

/** A memory that may be stored: checked, cleaned, with its defaults. */
export interface PreparedMemory extends Required<
  Pick<
    MemoryInput,
    | "content"
    | "type"
    | "aliases"
    | "tags"
    | "relatedFiles"
    | "relatedModules"
    | "scope"
    | "visibility"
    | "metadata"
    | "confidence"
    | "pinned"
    | "source"
    | "createdAt"
    | "graphNodes"
    | "citationText"
  >
> {
  contentHash: string;
  data: Record<string, Json> | null;
  name: string | null;
  sessionId: string | null;
  agent: string | null;
  commit: string | null;
  branch: string | null;
  expiresAt: string | null;
  halfLifeDays: number | null;
  relations: Relation[];
  workUnit: Json;
  methodology: string | null;
  chunk: Json;
  trustFlags: TrustFlag[];
  review: Review;
  /** Every session that said this, where it was more than its own. */
  provenanceSessionIds?: string[];
}

/** Its name and its aliases. */
export function namesOf({ name, aliases }: PreparedMemory): string[] {
  return name === null ? aliases : [name, ...aliases];
}

export const defaultConfidence = 0.8;

/** Checks and cleans inputs before any of them reaches the store. The first that does not fit refuses them all. */
export async function prepareMemories(context: ProjectContext, inputs: MemoryInput[]): Promise<PreparedMemory[]> {
  const { root, branch, commit } = await context.folder();
  const prepared: PreparedMemory[] = [];
  for (const [index, input] of inputs.entries()) {
    const memory = await prepareMemory(input, context.now(), root).catch((error: unknown) => {
      throw inputs.length > 1 ? naming(error, `Memory ${index + 1} of ${inputs.length}`) : error;
    });
    prepared.push({ ...memory, branch: memory.branch ?? branch ?? null, commit: memory.commit ?? commit ?? null });
  }
  return prepared;
}

function naming(error: unknown, which: string): unknown {
  if (!(error instanceof MemoryError)) return error;
  return new MemoryError(error.code, `${which}: ${error.message}`, error.hint, error);
}

/** `root` is the folder that related files are relative to. */
async function prepareMemory(input: MemoryInput, now: Date, root: string): Promise<PreparedMemory> {
  checkInput(input);
  const cleaner = cleanFields();
  const optional = async (text: string | undefined, field: string) =>
    text === undefined ? null : cleaner.label(text, field);

  const type = input.type ?? "note";
  const content = await cleanContent(cleaner, input.content);
  const scope = input.scope ?? "global";
  return {
    content,
    contentHash: hashOf(content),
    type,
    data:
      input.data === undefined
        ? null
        : ((await cleaner.value(await checkData(type, input.data), "data")) as Record<string, Json>),
    name: input.name === undefined ? null : await prepareName(input.name, cleaner),
    aliases: await prepareNames(input.aliases ?? [], cleaner),
    tags: await cleaner.labels(input.tags, "tag"),
    relatedModules: await cleaner.labels(input.relatedModules, "module"),
    scope,
    visibility: input.visibility ?? "personal",
    source: input.source ?? "agent_explicit",
    sessionId: await optional(input.sessionId, "sessionId"),
    agent: await optional(input.agent, "agent"),
    commit: await optional(input.commit, "commit"),
    branch: await optional(input.branch, "branch"),
    metadata: (await cleaner.value(input.metadata ?? {}, "metadata")) as Record<string, Json>,
    confidence: input.confidence ?? defaultConfidence,
    pinned: input.pinned ?? false,
    createdAt: input.createdAt === undefined ? now.toISOString() : parseTime(input.createdAt, "createdAt"),
    expiresAt:
      input.expiresAt === undefined ? defaultExpiry(type, scope, now) : parseTime(input.expiresAt, "expiresAt"),
    halfLifeDays: input.halfLifeDays ?? stampedHalfLife(type) ?? null,
    ...withConceptNodes({
      relatedFiles: relativeLabels(root, await cleaner.labels(input.relatedFiles, "file")),
      graphNodes: relativeLabels(root, await cleaner.labels(input.graphNodes, "graphNode")),
      relations: await Promise.all(
        (input.relations ?? []).map(async (relation) => relatedTo(root, await cleaner.relation(relation))),
      ),
    }),
    citationText:
      input.citationText === undefined ? cite(content) : cite(await cleaner.text(input.citationText, "citationText")),
    workUnit: input.workUnit === undefined ? null : await cleaner.value(input.workUnit, "workUnit"),
    methodology: await optional(input.methodology, "methodology"),
    chunk: input.chunk === undefined ? null : await cleaner.value(input.chunk, "chunk"),
    trustFlags: [...cleaner.flags].toSorted(),
    review: { state: "none" },
  };
}

function relativeLabels(root: string, labels: string[]): string[] {
  return [...new Set(labels.map((label) => relativeTo(root, label)))];
}

/** The text of a memory, cleaned; one of which nothing is left is refused. */
export async function cleanContent(cleaner: FieldCleaner, text: string): Promise<string> {
  const content = await cleaner.text(text, "content");
  if (content.trim() !== "") return content;
  throw new MemoryError(
    "content-refused",
    cleaner.flags.has("private-removed") ? "All of the text is marked as private." : "There is no text to remember.",
    "Say in a sentence what is worth knowing.",
  );
}

/** A relation to a file inside the root, made relative to it. */
export function relatedTo(root: string, relation: Relation): Relation {
  return relation.file === undefined ? relation : { ...relation, file: relativeTo(root, relation.file) };
}

/** Counted from now, the time of storing: a memory imported from the past has not expired before it arrives. */
export function defaultExpiry(type: string, scope: string, now: Date): string | null {
  const { expires } = memoryType(type);
  if (!expires) return null;
  if ("days" in expires) return new Date(now.getTime() + expires.days * 86_400_000).toISOString();
  if (expires.endOfDayInScope !== scope) return null;
  // The user's own midnight; the calendar knows about daylight saving, adding 24 hours would not.
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1).toISOString();
}
