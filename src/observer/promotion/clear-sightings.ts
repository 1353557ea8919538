import type { Json } from "../../base/base.js";
import { readProject, type ProjectContext } from "../../project/project.js";
import { findStartCommit } from "../cross-session/commit-queries.js";
import { listKnownSubjects, type KnownSubject } from "../cross-session/subject-queries.js";
import type { SignalName, UntrustedSource } from "../observer.js";
import type { Scratchpad } from "../scratchpad/session-view.js";
import { allSignals } from "../signals/signals.js";
import type { Wording } from "../signals/signal.js";
import { clearWords, listWords } from "../trust/clear-words.js";
import { openKnownNames } from "../trust/known-names.js";
import type { Taint } from "../trust/taint.js";
import { listTrackedFiles, type TrackedFiles } from "../trust/tracked-files.js";
import { wordsBefore } from "../trust/words-before.js";
import { textsIn } from "./texts-in.js";

/** What a session showed of a subject, now or earlier, as far as its words go. */
interface WordedSighting {
  signal: SignalName;
  subject: string;
  data: Record<string, Json>;
  outside?: UntrustedSource;
}

/** A session, as far as its words are judged by what the project knew before it. */
export interface WordedSession {
  sessionId: string;
  root: string;
  pads: readonly Scratchpad[];
  taint: Taint;
  /** The commit that it began at, and what git had there. */
  commit?: string | undefined;
  tracked: TrackedFiles;
}

// Beside the list of files, which has two seconds.
const gitMs = 2000;

export async function openWordedSession(
  context: ProjectContext,
  session: Pick<WordedSession, "sessionId" | "root" | "pads" | "taint">,
): Promise<WordedSession> {
  const { sessionId, root, pads } = session;
  // Of a session that goes on, the beginning counts: it may have committed what it had read meanwhile.
  const first = await readProject(context, undefined, (reader, project) => findStartCommit(reader, project, sessionId));
  const commit = first ?? pads[0]?.start?.commit;
  return { ...session, commit, tracked: await listTrackedFiles(root, commit, { timeoutMs: gitMs }) };
}

/**
 * Tells by the words of a sighting whether anything from outside can stand in it. What holds nothing but values and
 * commands that the project knew before is no longer from outside, without what it can do without. The rest stays as it is.
 */
export async function clearSightings<S extends WordedSighting>(
  context: ProjectContext,
  session: WordedSession,
  sightings: readonly S[],
): Promise<S[]> {
  const doubtful = sightings.filter(
    ({ outside, signal }) => outside !== undefined && mayBeValues(wordings.get(signal)),
  );
  if (doubtful.length === 0) return [...sightings];
  const { root, commit, tracked } = session;
  const seen = new Set([
    ...wordsBefore(session.pads, session.taint),
    ...(await wordsOfEarlier(context, session, doubtful)),
  ]);
  const words = doubtful.flatMap((one) => listWords(one, wordings.get(one.signal) as Wording));
  const names = await openKnownNames({ root, commit, tracked, seen }, words, { timeoutMs: gitMs });
  return sightings.map((sighting) => {
    const wording = wordings.get(sighting.signal);
    const data = sighting.outside && wording && clearWords(sighting, wording, names);
    if (!data) return sighting;
    const { outside: _outside, ...rest } = sighting;
    return { ...rest, data } as S;
  });
}

/** The same for what earlier sessions showed of the subjects of this one. */
export async function clearSubjects(
  context: ProjectContext,
  session: WordedSession,
  subjects: ReadonlyMap<string, KnownSubject>,
): Promise<Map<string, KnownSubject>> {
  const all = [...subjects].flatMap(([key, { sightings }]) => {
    const [signal = "", subject = ""] = key.split("\n");
    return sightings.map((sighting) => ({ ...sighting, signal: signal as SignalName, subject, key }));
  });
  if (!all.some(({ outside, signal }) => outside !== undefined && mayBeValues(wordings.get(signal)))) {
    return new Map(subjects);
  }
  const cleared = await clearSightings(context, session, all);
  const byKey = new Map<string, KnownSubject["sightings"]>();
  for (const sighting of cleared) byKey.set(sighting.key, [...(byKey.get(sighting.key) ?? []), sighting]);
  return new Map([...subjects].map(([key, known]) => [key, { ...known, sightings: byKey.get(key) ?? [] }]));
}

const wordings = new Map<string, Wording>(allSignals.map(({ name, wording }) => [name, wording]));

function mayBeValues(wording: Wording | undefined): boolean {
  return wording?.by === "values" || wording?.by === "command";
}

/** What sessions said of the same subjects that had read nothing from outside. */
async function wordsOfEarlier(
  context: ProjectContext,
  { sessionId }: WordedSession,
  sightings: readonly WordedSighting[],
): Promise<string[]> {
  const known = await readProject(context, new Map<string, KnownSubject>(), (reader, project) =>
    listKnownSubjects(reader, project, sightings, sessionId),
  );
  const clean = [...known.values()].flatMap((subject) => subject.sightings.filter(({ outside }) => !outside));
  return clean.flatMap(({ data }) => textsIn(data)).flatMap((text) => [text, ...text.split(/[\s=]+/)]);
}
