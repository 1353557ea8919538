import type { Json } from "../../base/base.js";
import { MemoryError } from "../../base/memory-error.js";
import { cleanJson, cleanText, contentLimitBytes, type HygieneFlag } from "../../hygiene/hygiene.js";
import { holdsToken, standIn } from "../../hygiene/stand-in.js";
import type { Relation } from "../memory.js";

/** Cleans the texts of one memory. Every refusal names the field. */
export interface FieldCleaner {
  /** What was taken out so far. */
  readonly flags: ReadonlySet<HygieneFlag>;
  text(text: string, field: string): Promise<string>;
  /** The same for a text that other memories have too, such as a tag, a file or a session. */
  label(text: string, field: string): Promise<string>;
  /** Labels, each once; an empty one is refused. */
  labels(texts: readonly string[] | undefined, field: string): Promise<string[]>;
  /** Any value that JSON can carry, of at most 64 KiB. */
  value(value: unknown, field: string): Promise<Json>;
  /** The same without a limit, for what holds several values. */
  json(value: unknown, field: string): Promise<Json>;
  relation(relation: Relation): Promise<Relation>;
}

export function cleanFields(): FieldCleaner {
  const flags = new Set<HygieneFlag>();
  const cleaner: FieldCleaner = {
    flags,
    text: async (text, field) => {
      const cleaned = await cleanText(text, field);
      for (const flag of cleaned.flags) flags.add(flag);
      return cleaned.text;
    },
    label: async (text, field) => {
      if (cleanLabels.has(text)) return text;
      // A path holds a token where no text would: behind a slash, before the ending of a file.
      const cleaned = standIn(await cleaner.text(text, field));
      if (cleaned === text && text.length <= longestLabel) rememberAsClean(text);
      else if (holdsToken(text)) flags.add("secret-redacted");
      return cleaned;
    },
    labels: async (texts = [], field) => {
      const cleaned: string[] = [];
      for (const text of texts) cleaned.push(cleanLabels.has(text) ? text : await cleaner.label(text, field));
      return unique(cleaned, field);
    },
    value: async (value, field) => {
      const cleaned = await cleaner.json(value, field);
      if (Buffer.byteLength(JSON.stringify(cleaned)) <= contentLimitBytes) return cleaned;
      throw new MemoryError(
        "content-refused",
        `${field} is larger than 64 KiB.`,
        "Keep what matters, and name a file for the rest.",
      );
    },
    json: async (value, field) => {
      const cleaned = await cleanJson(value, field);
      for (const flag of cleaned.flags) flags.add(flag);
      return cleaned.value;
    },
    relation: async ({ kind, memory, file, confidence, automatic }) => ({
      kind,
      ...(memory !== undefined && { memory: await cleaner.label(memory, "relation") }),
      ...(file !== undefined && { file: await cleaner.label(file, "relation") }),
      confidence,
      automatic,
    }),
  };
  return cleaner;
}

// Cleaning the same label again cost an import of 100,000 memories more than anything else.
const longestLabel = 200;
const maxLabels = 10_000;
const cleanLabels = new Set<string>();

function rememberAsClean(label: string): void {
  // A flood of labels that never come back must not grow it for ever.
  if (cleanLabels.size >= maxLabels) cleanLabels.clear();
  cleanLabels.add(label);
}

function unique(texts: string[], field: string): string[] {
  if (texts.some((text) => text.trim() === "")) {
    throw new MemoryError("content-refused", `A ${field} is empty.`, `Leave it out, or say what the ${field} is.`);
  }
  return [...new Set(texts)];
}
