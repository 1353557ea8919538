import { findMemoryOrForgotten, notFoundHere } from "../../memory/read/read.js";
import { findProject, type ProjectContext } from "../../project/project.js";
import { listEvidence } from "../cross-session/subject-queries.js";
import type { EvidenceItem } from "../observer.js";
import { describeUntrustedSource } from "../untrusted-sources/describe-untrusted-source.js";

/** What one way of looking saw, in each session that showed it. */
export interface Evidence {
  /** Which signal, or `synthesis`. */
  signal: string;
  /** What it is about. */
  subject: string;
  sessions: { sessionId: string; at: string; agents: number; outside?: string; seen: readonly EvidenceItem[] }[];
}

/** What was seen that led to a memory; empty for one that somebody stated. */
export async function listMemoryEvidence(context: ProjectContext, reference: string): Promise<Evidence[]> {
  return context.store.read(async (reader) => {
    const now = context.now();
    const { project } = await findProject(reader, context.project);
    const found = project && (await findMemoryOrForgotten(reader, project, reference, now));
    if (!found) throw await notFoundHere(reader, project, reference, now);
    const subjects = await listEvidence(reader, found.record.id);
    return subjects.map(({ signal, subject, sightings }) => ({
      signal,
      subject,
      sessions: sightings.map(({ sessionId, at, agents, outside, evidence }) => ({
        sessionId,
        at,
        agents,
        ...(outside && { outside: describeUntrustedSource(outside) }),
        seen: evidence,
      })),
    }));
  });
}
