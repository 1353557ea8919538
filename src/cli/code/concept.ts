import { type Command, Option } from "commander";
import type { Concept, ConceptKind, TacitMemory } from "../../index.js";
import type { Answer } from "../terminal/answer.js";
import { brief } from "../terminal/brief.js";
import { countOf } from "../../base/count-of.js";
import { resolveNamedCode } from "../../base/files/files.js";
import { collect, fraction } from "../terminal/option-values.js";
import { renderConcept, renderConcepts } from "./render-concept.js";
import { setOnly } from "../terminal/set-only.js";
import type { Shell } from "../terminal/shell.js";
import { textArgument } from "../terminal/text-argument.js";
import { wrongUsage } from "../terminal/wrong-usage.js";

interface ConceptWords {
  description: string;
  /** The flag that names places, and what it says of them. */
  flag: string;
  places: string;
  examples: string;
}

const words: Record<ConceptKind, ConceptWords> = {
  pattern: {
    description: "show or state the ways of building that this project repeats, and where they apply",
    flag: "--applies-to",
    places: "a file, a folder or a symbol that is built so (repeatable)",
    examples: `
Without a name it lists them. What a memory of the type pattern is called is such a name, and other memories join with
--memory. pattern:NAME works as a target of impact, and among the files of a memory.

Examples:
  tacit pattern
  tacit pattern retry "Calls to the outside go through withRetry" --applies-to src/http.ts#Client.send
  tacit pattern retry --applies-to src/upload.ts
  tacit pattern retry --memory 5f3a9c1e
  tacit pattern retry --remove --applies-to src/upload.ts
`,
  },
  decision: {
    description: "show or state what was decided, and which code it is about",
    flag: "--about",
    places: "a file, a folder or a symbol that it is about (repeatable)",
    examples: `
Without a name it lists them. What a memory of the type decision is called is such a name, and other memories join with
--memory. decision:NAME works as a target of impact, and among the files of a memory.

Examples:
  tacit decision
  tacit decision jwt-over-sessions "We chose JWT: no store to share" --about src/auth
  tacit decision jwt-over-sessions --memory 5f3a9c1e
  tacit decision jwt-over-sessions --remove
`,
  },
};

interface ConceptFlags {
  appliesTo?: string[];
  about?: string[];
  memory?: string[];
  confidence?: number;
  remove?: boolean;
}

export function addPattern(program: Command, shell: Shell): void {
  addConcept(program, shell, "pattern");
}

export function addDecision(program: Command, shell: Shell): void {
  addConcept(program, shell, "decision");
}

function addConcept(program: Command, shell: Shell, kind: ConceptKind): void {
  const { description, flag, places, examples } = words[kind];
  program
    .command(kind)
    .description(description)
    .argument("[name]", "what it is called, such as retry")
    .argument("[text]", `what it is, to be kept as a memory of the type ${kind}; - reads it from standard input`)
    .option(`${flag} <place>`, places, collect)
    .option("--memory <ref>", "a memory that belongs to it (repeatable)", collect)
    .option("--confidence <number>", "how sure you are of the places, 0 to 1", fraction)
    .addOption(
      new Option("--remove", "take back what was stated: all of it, or these places or memories").conflicts(
        "confidence",
      ),
    )
    .addHelpText("after", examples)
    .action(async (name: string | undefined, text: string | undefined, flags: ConceptFlags) =>
      shell.print(
        name === undefined ? await list(shell, kind, flags) : await stateOrShow(shell, { kind, name, text }, flags),
      ),
    );
}

async function list(shell: Shell, kind: ConceptKind, flags: ConceptFlags): Promise<Answer> {
  if (Object.keys(flags).length > 0) {
    throw await wrongUsage(`Which ${kind}?`, `Name it: tacit ${kind} retry ${words[kind].flag} src/http.ts`);
  }
  const concepts = await shell.withMemory((memory) => memory.code.concepts({ kind }));
  return {
    document: { concepts },
    ids: concepts.map(({ id }) => id),
    text: (page) => renderConcepts(kind, concepts, page),
  };
}

interface Asked {
  kind: ConceptKind;
  name: string;
  text: string | undefined;
}

async function stateOrShow(shell: Shell, { kind, name, text }: Asked, flags: ConceptFlags): Promise<Answer> {
  const id = `${kind}:${name}`;
  const { memory: references = [], confidence, remove = false } = flags;
  const places = (flags.appliesTo ?? flags.about)?.map((place) => resolveNamedCode(place));
  if (remove && text !== undefined) {
    throw await wrongUsage("--remove takes no text.", `For example: tacit ${kind} ${brief(name)} --remove`);
  }
  const content = text === undefined ? undefined : await textArgument(text, shell);
  return shell.withMemory(async (memory) => {
    const statement = setOnly<Parameters<TacitMemory["code"]["stateConcept"]>[1]>({ content, places, confidence });
    const relation = { kind: "documents", file: id } as const;
    if (remove) {
      for (const reference of references) await memory.unrelate(reference, relation);
      const isOfPlaces = places !== undefined || references.length === 0;
      const removed = isOfPlaces ? await memory.code.unstateConcept(id, setOnly({ places })) : 0;
      return told(await memory.code.concept(id), id, [
        ...(isOfPlaces ? [`Took back ${countOf(removed, "place")}.`] : []),
        ...references.map((reference) => `${brief(reference)} no longer belongs to it.`),
      ]);
    }
    if (content !== undefined || places) await memory.code.stateConcept(id, statement);
    for (const reference of references) await memory.relate(reference, relation);
    return told(await getConcept(memory, id), id);
  });
}

function told(concept: Concept | undefined, id: string, remarks: string[] = []): Answer {
  const gone = concept ? [] : [`Nobody speaks of ${id} any more.`];
  return {
    document: concept ?? { id, places: [], memories: [] },
    ids: concept ? [concept.id] : [],
    text: (page) =>
      [...remarks, ...gone].map((remark) => page.clean(remark)).join(" ") +
      (concept ? `${remarks.length > 0 ? "\n\n" : ""}${renderConcept(concept, page)}` : ""),
  };
}

async function getConcept(memory: TacitMemory, id: string): Promise<Concept> {
  const found = await memory.code.concept(id);
  if (found) return found;
  const { MemoryError } = await import("../../index.js");
  const [kind = ""] = id.split(":");
  throw new MemoryError(
    "node-not-found",
    `Nobody has spoken of ${brief(id)}.`,
    `tacit ${kind} lists those that there are.`,
  );
}
