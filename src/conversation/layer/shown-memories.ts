import type { Memory, MemoryFilter } from "../../memory/memory.js";
import { readProject, type ProjectStore } from "../../memory/project-store.js";
import { userProject } from "../../memory/projects.js";
import { listWorthiest } from "./layer-queries.js";
import { shownTypes } from "./statement.js";

/** What MEMORY.md may show. */
export interface ShownMemories {
  project: Memory[];
  /** Of the project `user`. */
  everywhere: Memory[];
  /** How many more there are, less worth telling than all of these. */
  more?: number;
}

// Eight times as many as fit into a file of the usual size: a project of 100,000 memories is not read whole for it.
const mostLookedAt = 1000;

/** What MEMORY.md may show: what is in force, sure enough to be told unasked, and about more than one piece of work. */
export async function listShown(from: ProjectStore): Promise<ShownMemories> {
  const { injectionConfidence } = await from.settings();
  let more = 0;
  const shown = async (of: ProjectStore): Promise<Memory[]> => {
    const filter: MemoryFilter = {
      types: [...shownTypes],
      scope: ["global", "module"],
      includeTainted: false,
      includeUnverified: false,
    };
    const { memories, all } = await readProject(of, { memories: [], all: 0 }, (reader, project) =>
      listWorthiest(reader, project, filter, mostLookedAt, of.now()),
    );
    more += all - memories.length;
    // To the thousandth, since what is left of a confidence is reckoned when a memory is looked at.
    return memories.filter(({ currentConfidence }) => currentConfidence >= injectionConfidence - 0.001);
  };
  const isUsers = "id" in from.project && from.project.id === userProject;
  const project = await shown(from);
  const everywhere = isUsers ? [] : await shown(userStore(from));
  return { project, everywhere, ...(more > 0 && { more }) };
}

/** The same store, seen from the project of what is true everywhere. */
export function userStore(from: ProjectStore): ProjectStore {
  return { ...from, project: { id: userProject }, settings: async () => from.settings("user") };
}

// Chosen, not measured. What time changes by itself counts in tenths, so that the file stays as it is from day to day.
const taught = 1.2;
const byUse = 0.05;
const mostByUse = 0.25;
const elsewhere = 0.9;
const pinned = 10;

/** How much a memory is worth telling in every session; of two that are worth the same, the newer comes first. */
export function worthOf({ currentConfidence, accessCount, source, userVerified, project, ...memory }: Memory): number {
  const use = 1 + Math.min(mostByUse, byUse * Math.floor(Math.log2(1 + accessCount)));
  const trust = userVerified || source === "user_taught" ? taught : 1;
  const place = project === userProject ? elsewhere : 1;
  return (memory.pinned ? pinned : 0) + (Math.round(currentConfidence * 10) / 10) * use * trust * place;
}
