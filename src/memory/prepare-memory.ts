import { createHash } from "node:crypto";
import type { Json } from "../base/base.js";
import { MemoryError } from "../base/memory-error.js";
import { cleanJson, cleanText, contentLimitBytes, type HygieneFlag } from "../hygiene/hygiene.js";
import { checkInput } from "./check-input.js";
import { checkData } from "./check-data.js";
import { checkName } from "./check-name.js";
import { memoryType } from "./memory-types.js";
import type { MemoryInput, Relation } from "./memory.js";
import { parseTime } from "./parse-time.js";
import type { ProjectStore } from "./project-store.js";
import { relativeTo } from "./related-file.js";

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
  trustFlags: HygieneFlag[];
}

const defaultConfidence = 0.8;
const citationLength = 40;

/** Checks and cleans inputs before any of them reaches the store. The first that does not fit refuses them all. */
export async function prepareMemories(from: ProjectStore, inputs: MemoryInput[]): Promise<PreparedMemory[]> {
  const { root, branch, commit } = await from.folder();
  const prepared: PreparedMemory[] = [];
  for (const [index, input] of inputs.entries()) {
    const memory = await prepareMemory(input, from.now(), root).catch((error: unknown) => {
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
  const flags = new Set<HygieneFlag>();
  const clean = async (text: string, field: string): Promise<string> => {
    const cleaned = await cleanText(text, field);
    for (const flag of cleaned.flags) flags.add(flag);
    return cleaned.text;
  };
  const cleanOptional = async (text: string | undefined, field: string) =>
    text === undefined ? null : clean(text, field);
  const cleanList = async (texts: string[] | undefined, field: string) =>
    unique(await Promise.all((texts ?? []).map((text) => clean(text, field))), field);
  const cleanValue = async (value: unknown, field: string): Promise<Json> => {
    const cleaned = await cleanJson(value, field);
    for (const flag of cleaned.flags) flags.add(flag);
    if (Buffer.byteLength(JSON.stringify(cleaned.value)) > contentLimitBytes) {
      throw new MemoryError(
        "content-refused",
        `${field} is larger than 64 KiB.`,
        "Keep what matters, and name a file for the rest.",
      );
    }
    return cleaned.value;
  };

  const cleanRelation = async ({ kind, memory, file, confidence, automatic }: Relation): Promise<Relation> => ({
    kind,
    confidence,
    automatic,
    ...(memory !== undefined && { memory: await clean(memory, "relation") }),
    ...(file !== undefined && { file: relativeTo(root, await clean(file, "relation")) }),
  });

  const type = input.type ?? "note";
  const content = await clean(input.content, "content");
  if (content.trim() === "") {
    throw new MemoryError(
      "content-refused",
      flags.has("private-removed") ? "All of the text is marked as private." : "There is no text to remember.",
      "Say in a sentence what is worth knowing.",
    );
  }
  const scope = input.scope ?? "global";
  return {
    content,
    contentHash: hashOf(content),
    type,
    data:
      input.data === undefined
        ? null
        : ((await cleanValue(await checkData(type, input.data), "data")) as Record<string, Json>),
    name: input.name === undefined ? null : checkName(await clean(input.name, "name")),
    aliases: (await cleanList(input.aliases, "alias")).map(checkName),
    tags: await cleanList(input.tags, "tag"),
    relatedFiles: [...new Set((await cleanList(input.relatedFiles, "file")).map((file) => relativeTo(root, file)))],
    relatedModules: await cleanList(input.relatedModules, "module"),
    scope,
    visibility: input.visibility ?? "personal",
    source: input.source ?? "agent_explicit",
    sessionId: await cleanOptional(input.sessionId, "sessionId"),
    agent: await cleanOptional(input.agent, "agent"),
    commit: await cleanOptional(input.commit, "commit"),
    branch: await cleanOptional(input.branch, "branch"),
    metadata: (await cleanValue(input.metadata ?? {}, "metadata")) as Record<string, Json>,
    confidence: input.confidence ?? defaultConfidence,
    pinned: input.pinned ?? false,
    createdAt: input.createdAt === undefined ? now.toISOString() : parseTime(input.createdAt, "createdAt"),
    expiresAt:
      input.expiresAt === undefined ? defaultExpiry(type, scope, now) : parseTime(input.expiresAt, "expiresAt"),
    halfLifeDays: input.halfLifeDays ?? null,
    relations: await Promise.all((input.relations ?? []).map((relation) => cleanRelation(relation))),
    graphNodes: await cleanList(input.graphNodes, "graphNode"),
    citationText:
      input.citationText === undefined ? cite(content) : cite(await clean(input.citationText, "citationText")),
    workUnit: input.workUnit === undefined ? null : await cleanValue(input.workUnit, "workUnit"),
    methodology: await cleanOptional(input.methodology, "methodology"),
    chunk: input.chunk === undefined ? null : await cleanValue(input.chunk, "chunk"),
    trustFlags: [...flags].toSorted(),
  };
}

/**
 * The same text has the same hash, however its blanks and line ends fall. Letters stay as they are: `getUser` and
 * `getuser` are two things.
 */
export function hashOf(content: string): string {
  const normalised = content.normalize("NFC").replace(/\s+/g, " ").trim();
  return createHash("sha256").update(normalised).digest("hex");
}

/** The beginning of a text in at most 40 characters, whole words where it can be. */
function cite(content: string): string {
  const line = content.replace(/\s+/g, " ").trim();
  const characters = Array.from(line);
  if (characters.length <= citationLength) return line;
  const cut = characters.slice(0, citationLength - 1).join("");
  const lastBlank = cut.lastIndexOf(" ");
  return `${(lastBlank > citationLength / 2 ? cut.slice(0, lastBlank) : cut).trimEnd()}…`;
}

/** Counted from now, the time of storing: a memory imported from the past has not expired before it arrives. */
function defaultExpiry(type: string, scope: string, now: Date): string | null {
  const { expires } = memoryType(type);
  if (!expires) return null;
  if ("days" in expires) return new Date(now.getTime() + expires.days * 86_400_000).toISOString();
  if (expires.endOfDayInScope !== scope) return null;
  // The user's own midnight; the calendar knows about daylight saving, adding 24 hours would not.
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1).toISOString();
}

function unique(texts: string[], field: string): string[] {
  if (texts.some((text) => text.trim() === "")) {
    throw new MemoryError("content-refused", `A ${field} is empty.`, `Leave it out, or say what the ${field} is.`);
  }
  return [...new Set(texts)];
}
