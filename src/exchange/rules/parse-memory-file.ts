import { memoryTypes } from "../../memory/type-registry/type-registry.js";
import type { IncomingMemory } from "../formats/incoming.js";
import { parseRules } from "./parse-rules.js";

/**
 * The statements of a MEMORY.md, ours or another agent's, each as a memory. It holds what is known, not only rules: what no
 * heading tells the type of is a note. A heading that only names the type, or the whole file, is no tag.
 */
export async function parseMemoryFile(text: string, file: string): Promise<IncomingMemory[]> {
  const statements = await parseRules(text.replace(/^… and \d+ more: `tacit list`$/m, ""), file);
  return statements.map(({ record, ...rest }) => {
    const { tags = [], type } = record;
    const isRule = type !== "convention" || tags.some((tag) => ruleWords.test(tag));
    const named = tags.map((tag) => typesByTag.get(tag)).find((found) => found !== undefined);
    return {
      ...rest,
      record: {
        ...record,
        type: named ?? (isRule ? (type ?? "note") : "note"),
        tags: tags.filter((tag) => !typesByTag.has(tag) && tag !== "everywhere" && tag !== "memory"),
      },
    };
  });
}

const ruleWords = /(?:^|-)(?:rules?|guidelines?|conventions?|standards?|principles?|styles?|practices?|donts?)(?:-|$)/;

const typesByTag = new Map(
  memoryTypes.flatMap(({ type, label }) => {
    const tag = label.toLowerCase().replaceAll(" ", "-");
    return [tag, `${tag}s`].map((one) => [one, type] as const);
  }),
);
// Raw talk is no statement.
for (const tag of ["conversation", "conversations", "archive", "archives"]) typesByTag.delete(tag);
