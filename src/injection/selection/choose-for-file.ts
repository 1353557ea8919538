import type { Memory } from "../../memory/memory.js";
import { readProject } from "../../project/project.js";
import { relativeTo } from "../../memory/read/read.js";
import { listOfFiles } from "./selection-queries.js";
import type { SelectionOptions, Choice, InjectionPorts, Moment } from "../injection.js";
import { recipientIn, isEligible } from "../eligibility/is-eligible.js";
import { worthOf } from "./worth.js";

/** What is told beside a file that was just read. */
export const typesBesideFile = ["gotcha", "error_pattern", "dead_end", "causal_dependency"];
const most = 4;

/** What somebody who has just read these files should know before changing them: the best four that were not told yet. */
export async function chooseForFile(
  ports: InjectionPorts,
  moment: Extract<Moment, { point: "file-read" }>,
  asked: SelectionOptions,
): Promise<Choice[]> {
  return chooseOfFiles(ports, { ...moment, types: typesBesideFile, most, why: "was just read" }, asked);
}

export interface FilesQuery {
  sessionId: string;
  files: readonly string[];
  types: string[];
  most: number;
  /** What happened to the file, to complete "is about …, which …". */
  why: string;
}

/** The best memories of these types that are filed under these files and were not told yet. */
export async function chooseOfFiles(
  { context }: InjectionPorts,
  { sessionId, files, types, most: count, why }: FilesQuery,
  asked: SelectionOptions,
): Promise<Choice[]> {
  if (files.length === 0) return [];
  const { root } = await context.folder();
  const relative = [...new Set(files.map((file) => relativeTo(root, file)))].slice(0, maxFiles);
  const now = context.now();
  const listener = await recipientIn(context, asked, { sessionId });
  const query = { files: relative, types, most: maxLookedAt + asked.soFar.ids.size };
  const found = await readProject(context, [], (reader, project) => listOfFiles(reader, project, query, listener, now));
  return found
    .filter((memory) => isEligible(memory, listener) && !asked.soFar.ids.has(memory.id))
    .map((memory) => ({
      memory,
      why: `is about ${nameOf(memory, relative)}, which ${why}`,
      worth: worthOf(memory, { now }),
    }))
    .toSorted((a, b) => b.worth - a.worth)
    .slice(0, count);
}

// More than anybody reads between two steps; a search may name thousands.
const maxFiles = 50;
const maxLookedAt = 40;

function nameOf({ relatedFiles }: Memory, files: readonly string[]): string {
  return relatedFiles.find((file) => files.includes(file)) ?? files[0] ?? "";
}
