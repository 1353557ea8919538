import { shareLimits } from "../../base/git/git.js";
import { isAccepted, readProject, type ProjectContext } from "../../project/project.js";
import type { UntrustedSource } from "../observer.js";
import type { Scratchpad } from "../scratchpad/session-view.js";
import { findStartCommit } from "../cross-session/commit-queries.js";
import { describeForeignWork, describeUntrustedSource } from "../untrusted-sources/describe-untrusted-source.js";
import { findArrivals, orderSince, type Arrivals } from "./arrivals.js";
import { openRefQuestions, type RefQuestions } from "./ref-questions.js";
import { findOwnAddress } from "./session-commits.js";
import { takenByGit } from "../tools/taken-by-git.js";

/** Whether what an agent words in this work tree may be somebody else's doing although nothing came from outside of it. */
export interface ForeignWork {
  /** Undefined where neither the clone nor what was pulled into it speaks against what rests on these orders. */
  of(pad: Scratchpad, orders: readonly number[]): UntrustedSource | undefined;
}

const gitMs = 1500;

export async function openForeignWork(
  context: ProjectContext,
  { root, pads, commit }: { root: string; pads: readonly Scratchpad[]; commit?: string | undefined },
): Promise<ForeignWork> {
  const clone = await findUnacceptedClone(context);
  if (clone) return { of: () => clone };
  const since = new Map<Scratchpad, Brought>();
  const limits = shareLimits({ timeoutMs: gitMs });
  const own = (await findOwnAddress(root, limits())) ?? "";
  // With a time of its own: what it does not leave to the other questions would count as others'.
  const arrivals = await findArrivals({ root, pads, commit, own }, shareLimits({ timeoutMs: gitMs }));
  const git = openRefQuestions(root, { commit, own }, limits);
  for (const pad of pads) {
    const came = arrivals.since && { order: orderSince(pad, arrivals.since.at), outside: arrivals.since.outside };
    const brought = await findBrought(pad, git, arrivals);
    const first = came && brought ? (came.order < brought.order ? came : brought) : (came ?? brought);
    if (first) since.set(pad, first);
  }
  return {
    of(pad, orders) {
      const from = since.get(pad);
      return from && orders.some((order) => order >= from.order) ? from.outside : undefined;
    },
  };
}

/** Why nothing that a session words from now on is to be trusted yet, here or in another project; undefined where it may be. */
export async function findForeignReason(
  context: ProjectContext,
  { sessionId, isHere, ...work }: { sessionId: string; root: string; pads: readonly Scratchpad[]; isHere: boolean },
): Promise<string | undefined> {
  const before = await readProject(context, undefined, (reader, project) =>
    findStartCommit(reader, project, sessionId),
  );
  const foreign = await openForeignWork(context, { ...work, commit: before ?? work.pads[0]?.start?.commit });
  const found =
    work.pads.map((pad) => foreign.of(pad, [Infinity])).find((one) => one !== undefined) ??
    (await findUnacceptedClone(context));
  return found && (isHere ? describeUntrustedSource(found) : describeForeignWork(found));
}

/** A folder that has a remote, and of which its user has not said that what lies in it may be trusted. */
export async function findUnacceptedClone(context: ProjectContext): Promise<UntrustedSource | undefined> {
  const folder = await context.folder();
  if (folder.remoteKey === undefined) return undefined;
  return (await isAcceptedFolder(context)) ? undefined : { from: "clone", what: folder.name };
}

/** Whether the user has said that what lies in this work tree may be trusted. */
export async function isAcceptedFolder(context: ProjectContext): Promise<boolean> {
  const folder = await context.folder();
  return readProject(context, false, (reader, project) => isAccepted(reader, project, folder));
}

interface Brought {
  order: number;
  outside: UntrustedSource;
}

/** The first action by which an agent brought commits of others into the work tree, or had them shown. */
async function findBrought(
  pad: Scratchpad,
  git: RefQuestions,
  { isLogged }: Pick<Arrivals, "isLogged">,
): Promise<Brought | undefined> {
  for (const action of pad.actions) {
    if (!/\bgit\b|\bgh\b/.test(action.command?.line ?? "")) continue;
    const isBranch = await git.openNames();
    for (const { verb, target } of takenByGit(action, isBranch)) {
      // Which commits those are stands in git's log of HEAD, where it keeps one: a pull may bring none.
      if (target === "" && verb !== "am" && isLogged) continue;
      if (await git.holdsOthers({ verb, target }, action.at)) {
        return { order: action.order, outside: { from: "others", what: `git ${verb}` } };
      }
    }
  }
  return undefined;
}
