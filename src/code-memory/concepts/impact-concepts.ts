import { parseConceptId } from "../../base/ids/ids.js";
import type { CodeImpact } from "../code-memory.js";
import type { CodeNode } from "../../codegraph/codegraph.js";
import { touching } from "../../codegraph/concepts/concepts.js";
import { listByKeys } from "../../memory/read/read.js";
import type { Project } from "../../project/project.js";
import { getConcept, listTouching, readConcepts, type FoundConcept } from "./read-concepts.js";
import type { Reader } from "../../storage/storage.js";

type Joined = Pick<CodeImpact, "concepts" | "memories">;

interface ImpactConcepts {
  /** Where a pattern or a decision leads, where that is what was asked about. */
  places?: string[];
  /**
   * The patterns and decisions that concern these nodes. Their memories come after those of the nodes, and before those of
   * what depends on them; but what was asked about comes first.
   */
  join: (target: readonly CodeNode[], memories: Joined["memories"]) => Promise<Joined>;
}

// Of each; tacit pattern NAME shows the others.
const maxMemories = 5;

/** What an answer about code has to know of patterns and decisions. */
export async function openImpactConcepts(
  reader: Reader,
  project: Project,
  named: string,
  now: Date,
): Promise<ImpactConcepts> {
  const all = await readConcepts(reader, project, now);
  const asked = parseConceptId(named) && getConcept(all, named);
  const memoriesOf = (concepts: readonly FoundConcept[]) => listMemories(reader, project, concepts, now);
  return {
    ...(asked && { places: asked.places.map(({ node }) => node) }),
    join: async (found, memories) => {
      const nodes = found.map(({ id }) => id);
      const concepts = listTouching(all.values(), nodes).filter(({ id }) => id !== asked?.id);
      const isTouching = touching(nodes);
      const ofNodes = memories.filter(({ on }) => isTouching(on));
      const listed = [
        ...(asked ? await memoriesOf([asked]) : []),
        ...ofNodes,
        ...(await memoriesOf(concepts.flatMap(({ id }) => all.get(id) ?? []))),
        ...memories,
      ];
      const firsts = new Map<string, Joined["memories"][number]>();
      for (const link of listed) if (!firsts.has(link.memory.id)) firsts.set(link.memory.id, link);
      return { concepts, memories: [...firsts.values()] };
    },
  };
}

async function listMemories(
  reader: Reader,
  project: Project,
  concepts: readonly FoundConcept[],
  now: Date,
): Promise<Joined["memories"]> {
  const attached = concepts.flatMap(({ id, members }) => members.slice(0, maxMemories).map(({ key }) => ({ key, id })));
  const known = new Map(
    (await listByKeys(reader, project, [...new Set(attached.map(({ key }) => key))], now)).map((one) => [
      one.key,
      one.memory,
    ]),
  );
  return attached.flatMap(({ key, id }) => {
    const memory = known.get(key);
    return memory ? [{ memory, on: id, by: "node", confidence: 1 }] : [];
  });
}
