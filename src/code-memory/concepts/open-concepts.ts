import { existsSync } from "node:fs";
import { join } from "node:path";
import { conceptKinds, isLine, parseConceptId, parseNodeId } from "../../base/ids/ids.js";
import { MemoryError } from "../../base/memory-error.js";
import { findTarget } from "../../codegraph/ask/ask.js";
import { edgeOf, listStated, stateEdges, unstateEdges } from "../../codegraph/concepts/concepts.js";
import type { Concept, Concepts, ConceptSummary, StateConceptOptions } from "./concept.js";
import type { ExportReport } from "../../exchange/exchange.js";
import { cleanText } from "../../hygiene/hygiene.js";
import type { FolderIdentity } from "../../project/folder/identify-folder.js";
import { findMemory, listByKeys, relativeTo } from "../../memory/read/read.js";
import type { MemoryInput } from "../../memory/memory.js";
import {
  type Project,
  type ProjectContext,
  readProject,
  refuseWhenDisabled,
  writeProject,
} from "../../project/project.js";
import { openCurrentTree, type CurrentTree } from "../tree/current-tree.js";
import { readConcepts, type FoundConcept } from "./read-concepts.js";
import type { Reader } from "../../storage/storage.js";

/** Patterns and decisions of a project, with the memories that hang on them. */
export function openConcepts(
  context: ProjectContext,
  folder: FolderIdentity | undefined,
  remember: (input: MemoryInput) => Promise<unknown>,
): Concepts {
  const own = openCurrentTree(context, folder);
  const find = async (id: string): Promise<Concept | undefined> =>
    readProject(context, undefined, async (reader, project) => {
      const found = (await readConcepts(reader, project, context.now())).get(id);
      return found && tellWhole(reader, project, found, context.now());
    });
  return {
    concepts: async ({ kind } = {}) => {
      if (kind !== undefined && !conceptKinds.includes(kind)) throw wrongId(kind);
      return readProject(context, [], async (reader, project) => {
        const all = [...(await readConcepts(reader, project, context.now())).values()];
        return summarise(reader, project, kind ? all.filter((concept) => concept.kind === kind) : all, context.now());
      });
    },
    concept: async (id) => find(checkId(id).id),
    stateConcept: async (id, statement) => {
      const { id: known, kind } = checkId(id);
      const { content, places = [], confidence = 1 } = checkStatement(statement);
      await refuseSecret(id);
      await refuseWhenDisabled(context);
      const found: string[] = [];
      for (const place of places) found.push(await findPlace(context, own, place));
      const edges = found.map((to) => ({ from: known, kind: edgeOf[kind], to, confidence }));
      if (content === undefined) {
        await writeProject(context, (writer, { number }) => stateEdges(writer, number, edges, context.now()));
      } else {
        await remember({
          content,
          type: kind,
          source: "user_taught",
          relatedFiles: [...new Set(found.map((place) => parseNodeId(place).file))],
          relations: edges.map(({ kind: edge, to }) => ({ kind: edge, file: to, confidence, automatic: false })),
          ...(await nameOrNode(context, known)),
        });
      }
      return (await find(known)) as Concept;
    },
    unstateConcept: async (id, { places } = {}) => {
      const { id: known } = checkId(id);
      const concept = await find(known);
      const named =
        places && (await Promise.all(places.map((place) => findPlace(context, own, place, { orAsNamed: true }))));
      const removed = concept
        ? await writeProject(context, (writer, { number }) => unstateEdges(writer, number, known, named))
        : 0;
      if (removed === 0) throw nothingStated(known, concept, named);
      return removed;
    },
  };
}

/** What was stated apart from memories does not go where they go; whoever takes them along is told. */
export async function noteStated(context: ProjectContext, report: ExportReport): Promise<ExportReport> {
  if (report.format === "claude-md") return report;
  const stated = await readProject(context, [], (reader, { number }) => listStated(reader, number));
  return stated.length === 0 ? report : { ...report, statedPlaces: stated.length };
}

async function summarise(
  reader: Reader,
  project: Project,
  concepts: readonly FoundConcept[],
  now: Date,
): Promise<ConceptSummary[]> {
  const best = concepts.flatMap(({ members }) => members[0]?.key ?? []);
  const memories = await listByKeys(reader, project, [...new Set(best)], now);
  const texts = new Map(memories.map(({ key, memory }) => [key, memory.citationText]));
  return concepts.map(({ places, members, ...concept }) => {
    const summary = members[0] && texts.get(members[0].key);
    const counts = { places: places.length, memories: members.length };
    return { ...concept, ...(summary !== undefined && { summary }), ...counts };
  });
}

// As many as anybody reads; the others are found by recall.
const maxMemories = 50;

async function tellWhole(reader: Reader, project: Project, found: FoundConcept, now: Date): Promise<Concept> {
  const { members, ...concept } = found;
  const keys = members.slice(0, maxMemories).map(({ key }) => key);
  const memories = (await listByKeys(reader, project, keys, now)).map(({ memory }) => memory);
  return { ...concept, ...(memories[0] && { summary: memories[0].citationText }), memories };
}

/** The name where it is free: it goes over to whatever takes the memory's place. */
async function nameOrNode(context: ProjectContext, id: string): Promise<Pick<MemoryInput, "name" | "graphNodes">> {
  const name = parseConceptId(id)?.name ?? id;
  // Eight such letters would be a short id.
  if (/^[0-9a-f]{8}$/.test(name)) return { graphNodes: [id] };
  const holder = await readProject(context, undefined, (reader, project) =>
    findMemory(reader, project, name, context.now()),
  );
  return holder ? { graphNodes: [id] } : { name };
}

/** A place as it is kept: as the index knows it where it does, and else a file that is there, or as it was named. */
async function findPlace(
  context: ProjectContext,
  own: CurrentTree,
  named: string,
  { orAsNamed = false } = {},
): Promise<string> {
  const { root } = await context.folder();
  const place = relativeTo(root, (await cleanText(named, "place")).text).replace(/(?<=.)\/+$/, "");
  const { tree } = await context.store.read(own.find);
  if (!tree) return place;
  try {
    const { kind, nodes } = await context.store.read((reader) => findTarget(reader, tree, place));
    return kind === "folder" ? place : (nodes[0]?.id ?? place);
  } catch (error) {
    // What git ignores, or no parser reads, can be built in some way, too.
    if (orAsNamed || (parseNodeId(place).symbol === "" && existsSync(join(root, place)))) return place;
    throw error;
  }
}

function checkId(id: unknown): NonNullable<ReturnType<typeof parseConceptId>> {
  const known = typeof id === "string" ? parseConceptId(id) : undefined;
  if (known) return known;
  throw wrongId(id);
}

/** As it was written: in small letters some are no longer known for what they are. */
async function refuseSecret(id: string): Promise<void> {
  if (!(await cleanText(id, "name")).flags.includes("secret-redacted")) return;
  throw new MemoryError("content-refused", "The name holds a secret.", "Choose a short word or phrase, such as retry.");
}

function wrongId(id: unknown): MemoryError {
  const said = JSON.stringify(id) ?? "Nothing";
  return new MemoryError(
    "invalid-input",
    `${said.length > 80 ? `${said.slice(0, 80)} …` : said} names no pattern or decision.`,
    "It is pattern: or decision: and a short name with a letter in it, such as pattern:retry or decision:adr-12.",
  );
}

function checkStatement(statement: StateConceptOptions): StateConceptOptions {
  const { content, places = [], confidence = 1 } = statement ?? {};
  const fits =
    Array.isArray(places) &&
    (content === undefined ? places.length > 0 : typeof content === "string") &&
    places.every(
      (place) => typeof place === "string" && place.trim() !== "" && !isLine(place) && !parseConceptId(place),
    );
  if (fits && typeof confidence === "number" && confidence >= 0 && confidence <= 1) return statement;
  throw new MemoryError(
    "invalid-input",
    "A statement has places: files, folders or symbols, never a line, which moves with every edit.",
    'For example { places: ["src/http.ts#Client.send"] }. Confidence is a number from 0 to 1.',
  );
}

function nothingStated(id: string, concept: Concept | undefined, places: readonly string[] | undefined): MemoryError {
  const told = concept?.places.filter(({ node }) => !places || places.includes(node)) ?? [];
  const memories = [...new Set(told.flatMap(({ saidBy }) => saidBy))].map((memory) => memory.slice(-8));
  return new MemoryError(
    "node-not-found",
    `Nobody has stated ${places ? `that ${id} leads there` : `where ${id} leads`}.`,
    memories.length > 0
      ? `Memories say so: tacit edit or tacit forget ${memories.slice(0, 3).join(", ")}.`
      : "tacit pattern and tacit decision list those that there are.",
  );
}
