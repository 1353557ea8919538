import { changeMemories } from "../../memory/change/change.js";
import { MemoryError } from "../../base/memory-error.js";
import type { Memory } from "../../memory/memory.js";
import { prepareMemories, type PreparedMemory } from "../../memory/prepare/prepare.js";
import { hashOf } from "../../memory/record/record.js";
import { readProject } from "../../project/project.js";
import { storeMemories } from "../../memory/remember/remember.js";
import { countSessions } from "../cross-session/session-queries.js";
import { countModuleSessions, notePromotedPair } from "../cross-session/statistics-queries.js";
import {
  addSightings,
  listKnownSubjects,
  listRefused,
  notePromoted,
  refusalMark,
  subjectKey,
} from "../cross-session/subject-queries.js";
import { listNovel } from "../promotion/list-novel.js";
import type { PromotionPorts } from "../promotion/promotion-ports.js";
import { listDue, type Occasion } from "./due.js";
import { proposeWithModel } from "./propose-with-model.js";
import { propose, readOverview, type Overview, type Proposal } from "./propose.js";
import type { SynthesisReport } from "./synthesis-report.js";
import { findLastSession, listMade, noteMade } from "./synthesis-queries.js";

/**
 * Looks over many sessions for what no single one tells, where it is due, and notes that it did, so that nothing is done
 * twice. With a language model in one call for each occasion, without one from the figures alone. All of it waits for a
 * person.
 */
export async function synthesize(
  ports: PromotionPorts,
  { force = false }: { force?: boolean } = {},
): Promise<SynthesisReport> {
  const { context } = ports;
  const report: SynthesisReport = { looked: [], waiting: [] };
  if (!(await context.settings()).enabled) return report;
  const due = await readProject(context, [], async (reader, project) =>
    listDue(await countModuleSessions(reader, project), await listMade(reader, project), {
      sessions: await countSessions(reader, project),
      now: context.now(),
      force,
    }),
  );
  for (const occasion of due) {
    const overview = await readOverview(ports, occasion);
    const proposed = (await proposeWithModel(ports, occasion, overview)) ?? propose(occasion, overview);
    const news = await withoutKnown(ports, proposed);
    const novel = new Set<unknown>(await listNovel(ports, news));
    const memories = await write(
      ports,
      occasion,
      overview,
      news.filter((proposal) => novel.has(proposal)),
    );
    if (!memories) continue;
    report.looked.push({ module: occasion.module, occasion: occasion.occasion, memories: memories.length });
    report.waiting.push(...memories);
  }
  return report;
}

/** Without what a memory was made of before, here or by a signal, and what a person never wants to hear of again. */
async function withoutKnown({ context }: PromotionPorts, proposals: Proposal[]): Promise<Proposal[]> {
  const subjectsOf = ({ signal, subject, alsoSeenAs }: Proposal) => [{ signal, subject }, ...alsoSeenAs];
  const marksOf = (proposal: Proposal) => [
    ...subjectsOf(proposal).map(({ signal, subject }) => refusalMark(signal, subject)),
    refusalMark(hashOf(proposal.content)),
  ];
  return readProject(context, proposals, async (reader, project) => {
    const known = await listKnownSubjects(reader, project, proposals.flatMap(subjectsOf), "");
    const refused = await listRefused(reader, project, proposals.flatMap(marksOf));
    return proposals.filter(
      (proposal) =>
        !subjectsOf(proposal).some((subject) => known.get(subjectKey(subject))?.memoryId !== undefined) &&
        !marksOf(proposal).some((mark) => refused.has(mark)),
    );
  });
}

/** Undefined when somebody else has done it meanwhile. */
async function write(
  { context }: PromotionPorts,
  { module, occasion, sessions }: Occasion,
  overview: Overview,
  candidates: Proposal[],
): Promise<Memory[] | undefined> {
  const { maxEntries } = await context.settings();
  const what = module === "*" ? "all modules" : `\`${module}\``;
  const reason = `It was found by looking over ${sessions} sessions of ${what}, and no single one of them shows it.`;
  const prepared: { candidate: Proposal; memory: PreparedMemory }[] = [];
  for (const candidate of candidates) {
    const memory = await prepare(context, candidate);
    if (memory) prepared.push({ candidate, memory: { ...memory, review: { state: "pending", reason } } });
  }
  return changeMemories(context, async (writer, project) => {
    const now = context.now();
    const count = { module, occasion, memories: prepared.length, now };
    if (!(await noteMade(writer, project, count)) && !occasion.startsWith("asked")) return undefined;
    const kept = await storeMemories(
      writer,
      project,
      prepared.map(({ memory }) => memory),
      now,
      { maxEntries },
    );
    const last = await findLastSession(writer, project);
    for (const [index, { id }] of kept.entries()) {
      const candidate = prepared[index]?.candidate;
      if (!candidate || last === undefined) continue;
      const { subject, relatedFiles } = candidate;
      const evidence = evidenceOf(overview, relatedFiles, now);
      const sighting = { signal: "synthesis" as const, subject, agents: 1, data: {}, evidence };
      await addSightings(writer, project, { number: last, at: now.toISOString() }, [sighting]);
      await notePromoted(writer, project, { signal: "synthesis", subject }, id, now);
      const [a, b] = candidate.type === "causal_dependency" ? relatedFiles.toSorted() : [];
      if (a !== undefined && b !== undefined) await notePromotedPair(writer, project, a, b, now);
    }
    return kept;
  });
}

async function prepare(context: PromotionPorts["context"], candidate: Proposal): Promise<PreparedMemory | undefined> {
  const { type, content, data, relatedFiles, relatedModules, confidence, source } = candidate;
  try {
    const [memory] = await prepareMemories(context, [
      {
        type,
        content,
        relatedFiles,
        confidence,
        source,
        ...(data && { data }),
        ...(relatedModules && { relatedModules }),
      },
    ]);
    return memory;
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return undefined;
  }
}

/** The figures about these files, as people see them. */
function evidenceOf({ files, pairs, errors }: Overview, about: readonly string[], now: Date) {
  const at = now.toISOString();
  return [
    ...files
      .filter(({ path }) => about.includes(path))
      .map(({ path, sessions }) => ({ at, did: `${path} was used in ${sessions} sessions` })),
    ...pairs
      .filter(({ a, b }) => about.includes(a) && about.includes(b))
      .map(({ a, b, sessions, edited }) => ({
        at,
        did: `${a} and ${b} were used together in ${sessions} sessions, and both edited in ${edited}`,
      })),
    ...errors
      .filter(({ file }) => file !== undefined && about.includes(file))
      .map(({ message, sessions }) => ({ at, did: `"${message}" was seen in ${sessions} sessions` })),
  ].slice(0, 10);
}
