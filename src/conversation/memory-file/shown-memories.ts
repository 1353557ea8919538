import type { Memory, MemoryFilter } from "../../memory/memory.js";
import { findPendingNotice, type ProjectContext, readProject, userProject } from "../../project/project.js";
import { countWorth, listWorthiest } from "./memory-file-queries.js";
import { shownTypes } from "./line.js";

/** What MEMORY.md may show. */
export interface ShownMemories {
  project: Memory[];
  /** Of the project `user`. */
  everywhere: Memory[];
  /** How many more there are, less worth telling than all of these. */
  more?: number;
}

// Two pages fill a file of the usual size with lines of 80 bytes.
const pageLength = 64;
// The beginning of a bullet, the end of its line, and what the last line says of it.
const besidesText = 20;
// Read beyond what fits, because what use and time make of a memory's worth is reckoned here and not in the store.
const timesTheRoom = 1.25;
// Where most of them have faded, it is not looked further.
const maxLookedAt = 1000;

/**
 * What a MEMORY.md of so many bytes may show: what is in force, sure enough to be told unasked, and about more than one piece
 * of work. A project of 100,000 memories is not read whole for it.
 */
export async function listShown(context: ProjectContext, maxBytes?: number): Promise<ShownMemories> {
  const { injectionConfidence, maxMemorySize } = await context.settings();
  const room = timesTheRoom * (maxBytes ?? maxMemorySize);
  let more = 0;
  const shown = async (of: ProjectContext): Promise<Memory[]> =>
    readProject(of, [], async (reader, project) => {
      const now = of.now();
      const found: Memory[] = [];
      let bytes = 0;
      for (let after = 0; ; after += pageLength) {
        const page = await listWorthiest(reader, project, filter, { after, most: pageLength }, now);
        // To the thousandth, since what is left of a confidence is reckoned when a memory is looked at.
        const sure = page.filter(({ currentConfidence }) => currentConfidence >= injectionConfidence - 0.001);
        found.push(...sure);
        if (page.length < pageLength) return found;
        bytes += sure.reduce((sum, { content }) => sum + Buffer.byteLength(content) + besidesText, 0);
        const looked = after + pageLength;
        if (bytes > room || looked >= maxLookedAt) {
          more += (await countWorth(reader, project, filter, now)) - looked;
          return found;
        }
      }
    });
  const isUsers = "id" in context.project && context.project.id === userProject;
  const project = await shown(context);
  // A folder that waits is told nothing, not even what holds everywhere.
  const everywhere = isUsers || (await findPendingNotice(context)) ? [] : await shown(userStore(context));
  return { project, everywhere, ...(more > 0 && { more }) };
}

const filter: MemoryFilter = {
  types: [...shownTypes],
  scope: ["global", "module"],
  includeTainted: false,
  includeUnverified: false,
};

/** The same store, seen from the project of what is true everywhere. */
export function userStore(context: ProjectContext): ProjectContext {
  return { ...context, project: { id: userProject }, settings: async () => context.settings("user") };
}

// Chosen, not measured. What time changes by itself counts in tenths, so that the file stays as it is from day to day.
const taught = 1.2;
const byUse = 0.05;
const maxByUse = 0.25;
const elsewhere = 0.9;
const pinned = 10;

/** How much a memory is worth telling in every session; of two that are worth the same, the newer comes first. */
export function worthOf(memory: Memory): number {
  const { currentConfidence, accessCount, source, userVerified, project } = memory;
  const use = 1 + Math.min(maxByUse, byUse * Math.floor(Math.log2(1 + accessCount)));
  const trust = userVerified || source === "user_taught" ? taught : 1;
  const place = project === userProject ? elsewhere : 1;
  return (memory.pinned ? pinned : 0) + (Math.round(currentConfidence * 10) / 10) * use * trust * place;
}
