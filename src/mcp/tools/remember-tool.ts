import * as z from "zod";
import type { Memory, MemoryInput, RememberedMemory, TacitMemory } from "../../index.js";
import { quoteLines } from "./quote.js";
import { files, said, type } from "./schemas.js";
import { resolveNamedFile } from "../../base/files/files.js";
import { defineTool } from "./tool.js";

export const rememberTool = defineTool({
  name: "remember",
  title: "Remember",
  description:
    "Keep one thing worth knowing in later sessions: a trap, a decision and its reason, a fix that was hard to find, a preference of the user. Not what the code says by itself.",
  input: z.object({
    content: z.string().describe("One fact in full sentences that can be understood later, without this conversation"),
    type,
    name: z.string().optional().describe("A unique name to find it by"),
    tags: z.array(z.string()).optional(),
    files: files.describe("The files it is about; also pattern:NAME or decision:NAME, where it belongs to one"),
  }),
  output: z.object({
    id: z.string(),
    outcome: z.enum(["kept", "known already", "kept, unverified", "waits for a person"]),
    said,
    quoted: z.string().optional().describe("Details, as quoted data"),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  call: async ({ content, type: kind, name, tags, files: named }, context) => {
    const { text, ...kept } = await rememberForAgent(await context.memory(), {
      content,
      ...(kind !== undefined && { type: kind }),
      ...(name !== undefined && { name }),
      ...(tags && { tags }),
      ...(named && { relatedFiles: named.map((file) => resolveNamedFile(file, context.directory)) }),
    });
    return { text, structured: { id: kept.memory.id, outcome: kept.outcome, said: kept.said, ...kept.details } };
  },
});

type Outcome = "kept" | "known already" | "kept, unverified" | "waits for a person";

export interface RememberAnswer {
  memory: Memory;
  outcome: Outcome;
  /** One sentence about it. */
  said: string;
  /** Why it waits, quoted: it names what was read. */
  details: { quoted?: string };
  /** All of it, for a model. */
  text: string;
}

/** Stores what an agent says to the memory that is bound to it, and says in one sentence how far it is trusted. */
export async function rememberForAgent(
  memory: Pick<TacitMemory, "remember">,
  input: MemoryInput,
): Promise<RememberAnswer> {
  return describeRemembered(await memory.remember(input));
}

/** The same of what was kept in another way. */
export async function describeRemembered(kept: ToldKept): Promise<RememberAnswer> {
  const outcome = outcomeOf(kept);
  const sentence = [sentences[outcome](kept.id.slice(-8)), ...remarksOn(kept)].join(" ");
  const reason = outcome === "waits for a person" ? kept.review.reason : undefined;
  const details = reason === undefined ? {} : { quoted: await quoteLines([reason], "remember") };
  return { memory: kept, outcome, said: sentence, details, text: [sentence, ...Object.values(details)].join("\n") };
}

type ToldKept = Memory & Partial<RememberedMemory> & { beside?: string };

function outcomeOf({ status, trustFlags, userVerified, merged = false }: ToldKept): Outcome {
  if (status !== "active") return "waits for a person";
  if (trustFlags.includes("unverified") && !userVerified) return "kept, unverified";
  return merged ? "known already" : "kept";
}

const sentences: Record<Outcome, (id: string) => string> = {
  kept: (id) => `Kept as ${id}.`,
  "known already": (id) => `Known already, as ${id}.`,
  "kept, unverified": (id) =>
    `Kept as ${id}, unverified: no hooks watch this session, so it is told only when asked for until a person runs: tacit verify ${id}`,
  "waits for a person": (id) =>
    `Written down as ${id}, but it is told to nobody until a person has looked at it: tacit review accept ${id}`,
};

/** What was taken out on the way in, so that the agent can say it otherwise. */
function remarksOn({ id, trustFlags, beside, contradicted = [] }: ToldKept): string[] {
  const [first, ...others] = contradicted.map((old) => old.id.slice(-8));
  return [
    ...(beside === undefined
      ? []
      : [`What is set under its key stays, as ${beside.slice(-8)}: somebody vouches for it. This is kept beside it.`]),
    // Without why, which quotes the old one: that it says otherwise is known to whoever said it.
    ...(first
      ? [
          `It takes the place of ${[first, ...others].join(", ")}, which said otherwise; tacit undo ${id.slice(-8)} takes that back.`,
        ]
      : []),
    ...(trustFlags.includes("secret-redacted") ? ["A secret was taken out."] : []),
    ...(trustFlags.includes("private-removed") ? ["The part marked <private> was left out."] : []),
  ];
}
