import { shareLimits } from "../../base/git/git.js";
import { changeMemories, type MemoryContext } from "../../memory/change/change.js";
import { noteChanges } from "../../memory/history/history.js";
import { listByKeys } from "../../memory/read/read.js";
import { releasedFields } from "../../memory/remember/remember.js";
import { writeFields } from "../../memory/write/write.js";
import { readProject } from "../../project/project.js";
import {
  findMergeCheck,
  listHeld,
  noteMergeCheck,
  type HeldMemory,
  type Releasable,
  type SessionCommit,
} from "../cross-session/commit-queries.js";
import { allSignals } from "../signals/signals.js";
import { findUnacceptedClone } from "../trust/foreign-work.js";
import { findLeftCommits, holdWork, type LeftCommit } from "../trust/left-commits.js";
import { findFetchedTip, findMerged, type Merger } from "../trust/merged-work.js";
import { forgeSlackMs, openOwnMerges, type MayHaveMerged } from "../trust/own-merges.js";
import { findOwnAddress } from "../trust/session-commits.js";
import { cloneReason, instructionReason } from "../untrusted-sources/describe-untrusted-source.js";

const maxHeld = 200;
const gitMs = 3000;

/**
 * Makes memories active that waited only because of what their session had read or where it took place: their work was
 * merged into the remote's default branch by somebody else, or the user has accepted the clone since. Where its author let
 * a forge merge it, that releases the messages of its commits. A few questions to git, and none as long as that branch
 * stands where it stood, or for an hour where git is too slow. Gives how many.
 */
export async function releaseHeld(context: MemoryContext, root: string, mayHaveMerged: MayHaveMerged): Promise<number> {
  const nothing = { held: [] as HeldMemory[], checked: undefined as string | undefined };
  const { held, checked } = await readProject(context, nothing, async (reader, project) => ({
    held: await listHeld(reader, project, releasable),
    checked: await findMergeCheck(reader, project),
  }));
  if (held.length === 0) return 0;
  const ofClone = held.filter(({ reason }) => reason.startsWith(cloneReason));
  const accepted = ofClone.length > 0 && !(await findUnacceptedClone(context)) ? ofClone : [];
  const { merged, state } = await findMergedMemories(context, root, held, checked, mayHaveMerged);
  const why = new Map<number, string>([
    ...accepted.map(({ key }) => [key, "You accepted the project that it was learned in."] as const),
    ...merged,
  ]);
  if (why.size === 0 && state === undefined) return 0;
  return changeMemories(context, async (writer, project) => {
    const now = context.now();
    if (state !== undefined) await noteMergeCheck(writer, project, state);
    const waiting = (await listByKeys(writer, project, [...why.keys()], now)).filter(
      ({ record }) => record.review.state === "pending" && !record.relations.some(({ kind }) => kind === "supersedes"),
    );
    for (const { key, record } of waiting) {
      await noteChanges(writer, project, { verb: "settled", keys: [key], now }, async () =>
        writeFields(writer, project, key, releasedFields(record, why.get(key) ?? ""), now),
      );
    }
    return waiting.length;
  });
}

const worded = allSignals.filter(({ wording }) => wording.by === "git" || wording.by === "agent");

const messageSignals: string[] = worded.filter(({ wording }) => wording.by === "git").map(({ name }) => name);

/**
 * Not what a person has to decide over in any case, nor a sentence that repeats an instruction; but whoever merged a commit
 * had its message before them.
 */
const releasable: Releasable = {
  signals: worded.filter(({ wording }) => !wording.onlyPersonReleases).map(({ name }) => name),
  never: { reason: instructionReason, but: messageSignals },
  withoutCommits: cloneReason,
  limit: maxHeld,
};

// A repository that is too large for the time is not read at every command.
const lateMs = 3_600_000;
const noTip = "-";

async function findMergedMemories(
  context: MemoryContext,
  root: string,
  held: readonly HeldMemory[],
  checked: string | undefined,
  mayHaveMerged: MayHaveMerged,
): Promise<{ merged: [number, string][]; state?: string }> {
  const now = context.now();
  const concerned = held.filter(({ commits, leftFiles }) => commits.length > 0 || leftFiles.length > 0);
  if (concerned.length === 0) return { merged: [] };
  const [before = "", late = ""] = checked?.split(" late ") ?? [];
  const age = now.getTime() - Date.parse(late);
  const lateAt = age >= 0 && age < lateMs ? before.split(" ")[0] : undefined;
  const asLate = (state: string) => `${state} late ${now.toISOString()}`;
  if (lateAt === noTip) return { merged: [] };
  const limits = shareLimits({ timeoutMs: gitMs });
  const { tip, isLate } = await findFetchedTip(root, limits());
  if (isLate) return { merged: [], state: asLate(noTip) };
  const state = `${tip} ${Math.max(...concerned.map(({ key }) => key))}`;
  if (tip === undefined || tip === lateAt || state === checked) return { merged: [] };
  const works = new Map(concerned.map((one) => [one.session, one]));
  const own = await findOwnAddress(root, limits());
  const left = await findLeftCommits(root, [...works.values()], { own, tip }, limits());
  const byHand = [...left.found.values()].flat().map(({ commit }) => commit);
  const commits = new Map([...concerned.flatMap(commitsOf), ...byHand].map((commit) => [commit.sha, commit]));
  const since = concerned.map(({ startedAt }) => startedAt).reduce((a, b) => (a < b ? a : b));
  const { merged: found, isWhole } = await findMerged(root, tip, { commits: [...commits.values()], since }, limits());
  const isPressedByPerson = openOwnMerges(now, mayHaveMerged);
  const merged: [number, string][] = [];
  let isOpen = false;
  for (const one of concerned) {
    const work = { work: one, found: laterThan(one, found) };
    const merger =
      findMergerOfCommits(work) ?? findMergerOfLeft(work, left.found.get(one.session) ?? []) ?? findOwnMerger(work);
    const isBelieved = merger?.isOwn ? await isPressedByPerson(merger) : true;
    if (isBelieved === "unknown") isOpen = true;
    else if (merger && isBelieved) merged.push([one.key, describeMerge(merger)]);
  }
  // What hangs on a session that goes on is looked at again whenever one was learned from.
  if (isOpen) return { merged };
  return { merged, state: isWhole && left.isWhole ? state : asLate(state) };
}

interface MergedSince {
  work: HeldMemory;
  /** By commit. */
  found: ReadonlyMap<string, Merger>;
}

/** What was merged before a session began holds nothing of it. */
function laterThan({ startedAt }: HeldMemory, found: ReadonlyMap<string, Merger>): ReadonlyMap<string, Merger> {
  return new Map([...found].filter(([, { at }]) => at + forgeSlackMs >= Date.parse(startedAt)));
}

function findMergerOfCommits({ work, found }: MergedSince): Merger | undefined {
  return commitsOf(work)
    .flatMap(({ sha }) => found.get(sha) ?? [])
    .find(({ isOwn }) => !isOwn);
}

/** What a forge merged for its author, of a memory whose words stood in that. */
function findOwnMerger({ work, found }: MergedSince): Merger | undefined {
  if (!isMessage(work)) return undefined;
  const [merger] = ownCommitOf(work).flatMap(({ sha }) => found.get(sha) ?? []);
  return merger?.isOwn ? merger : undefined;
}

/** Its words stand in what was merged: whoever did that had them in front of them. What sounds like an order is read again. */
function isMessage({ signal, reason }: HeldMemory): boolean {
  const isSuspicious = reason.includes(instructionReason) || reason.startsWith(cloneReason);
  return messageSignals.includes(signal ?? "") && !isSuspicious;
}

/** Who merged what a session left: a commit or several that came in together hold it. What tells of a commit has that one. */
function findMergerOfLeft({ work, found }: MergedSince, commits: readonly LeftCommit[]): Merger | undefined {
  if (ownCommitOf(work).length > 0) return undefined;
  const byMerge = new Map<string, LeftCommit[]>();
  for (const one of commits) {
    const { sha: merge, isOwn } = found.get(one.commit.sha) ?? {};
    if (merge !== undefined && !isOwn) byMerge.set(merge, [...(byMerge.get(merge) ?? []), one]);
  }
  const whole = [...byMerge.values()].find((parts) => holdWork(work, parts));
  return whole?.[0] && found.get(whole[0].commit.sha);
}

/** Of a memory about a commit, that commit; of others all that the session made. */
function commitsOf(held: HeldMemory): SessionCommit[] {
  const own = ownCommitOf(held);
  return own.length > 0 ? own : held.commits;
}

function ownCommitOf({ commits, commit }: HeldMemory): SessionCommit[] {
  return commit === undefined ? [] : commits.filter(({ sha }) => sha.startsWith(commit.toLowerCase()));
}

function describeMerge({ sha, by, isOwn }: Merger): string {
  const merged = isOwn ? `on the remote's web page, as ${by}` : `by ${by}`;
  return `Its work was merged into the remote's default branch ${merged} (${sha.slice(0, 10)}).`;
}
