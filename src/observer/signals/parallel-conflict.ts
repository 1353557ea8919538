import { moduleOf } from "../scratchpad/module-of.js";
import { oncePerPad } from "../scratchpad/once-per-pad.js";
import type { Action, Scratchpad } from "../scratchpad/session-view.js";
import { evidenceOf, hasFailed, hasPassed } from "./action-evidence.js";
import { newestText } from "./past-data.js";
import { projectFiles } from "../scratchpad/project-files.js";
import type { SignalContext, Draft, PastSighting, Sighting, Signal } from "./signal.js";
import { code } from "./wording.js";

/**
 * Two agents who work at the same time change the same file, and one pays for it: its edit fails because the file is no
 * longer what it read, or what the other wrote is overwritten or taken back. Told once, by the first agent concerned.
 *
 * It must not see: agents in different files, the same file after the other agent was done, an edit of a file that was
 * never read, and edits of one file that both stay.
 */
export const parallelConflict: Signal = {
  name: "parallel-conflict",
  wording: { by: "values", optional: ["message"], terms: ["failed", "overwritten", "taken back"] },
  diagnostic: 0.9,
  crossSession: 0.7,
  falsePositives: 0.2,
  promotesTo: ["gotcha"],
  sessions: 1,
  detect,
  compose,
};

// Every agent is compared with every other one.
const maxAgents = 30;

function detect(pad: Scratchpad, { pads }: SignalContext): Sighting[] {
  if (pads.length < 2) return [];
  const agents = pads.slice(0, maxAgents).map(readAgent);
  const own = agents[pads.indexOf(pad)];
  if (!own) return [];
  return [...own.files.keys()].flatMap((file): Sighting[] => {
    const concerned = agents.filter(({ files, restores }) => files.has(file) || restores.length > 0);
    if (concerned.length < 2) return [];
    const clash = findClash(file, concerned);
    // The agents stand in the same order for each of them, so all agree on who is the first.
    const teller =
      clash && concerned.find((agent) => agent.files.has(file) && (agent === clash.by || agent === clash.of));
    if (!clash || teller !== own) return [];
    const { before, edit, harm } = clash;
    const rested = own === clash.of ? [edit] : [...(before ? [before] : []), harm];
    return [
      {
        signal: "parallel-conflict",
        subject: file,
        orders: rested.map(({ order }) => order),
        data: { file, kind: clash.kind, message: harm.error?.message ?? "" },
        evidence: evidenceOf([...(before ? [before] : []), edit, harm]),
      },
    ];
  });
}

/** What one agent did to files, and from when to when it worked. */
interface Agent {
  pad: Scratchpad;
  first: number;
  last: number;
  /** Reads and edits by file, in their order. Only of files that it edited or tried to. */
  files: Map<string, Action[]>;
  /** Commands that took files back. */
  restores: Action[];
}

// Each agent of a session asks about all of them.
const readAgent = oncePerPad((pad): Agent => {
  const { actions } = pad;
  const edited = new Set(actions.flatMap((action) => (action.does === "edit" ? projectFiles(action) : [])));
  const files = new Map<string, Action[]>([...edited].map((file) => [file, []]));
  for (const action of actions) {
    if (action.does === "edit" || action.does === "read")
      for (const file of action.files ?? []) files.get(file)?.push(action);
  }
  return {
    pad,
    first: actions[0]?.at ?? Infinity,
    last: actions.reduce((last, { at, endedAt }) => Math.max(last, endedAt ?? at), 0),
    files,
    restores: actions.filter(({ command }) => command?.restores),
  };
});

interface Clash {
  kind: "failed" | "overwritten" | "taken back";
  /** Who edited, and who came after. */
  of: Agent;
  by: Agent;
  /** When the second last saw the file, if it did. */
  before?: Action;
  edit: Action;
  harm: Action;
}

function findClash(file: string, agents: readonly Agent[]): Clash | undefined {
  for (const of of agents) {
    const edits = (of.files.get(file) ?? []).filter((action) => action.does === "edit" && hasPassed(action));
    for (const by of edits.length === 0 ? [] : agents) {
      const clash = by !== of && of.first <= by.last && by.first <= of.last && findHarm(file, of, by, edits);
      if (clash) return clash;
    }
  }
  return undefined;
}

/** The first thing that `by` did to the file that does not go with what `of` had written there. */
function findHarm(file: string, of: Agent, by: Agent, edits: readonly Action[]): Clash | undefined {
  const inverse = new Map(
    edits.flatMap((edit) => (edit.edit?.pairs ?? []).map(([before, after]) => [`${after} ${before}`, edit])),
  );
  let seen: Action | undefined;
  let past = 0;
  for (const action of [...(by.files.get(file) ?? []), ...by.restores].toSorted((a, b) => a.at - b.at)) {
    while ((edits[past]?.at ?? Infinity) < action.at) past++;
    const newest = edits[past - 1];
    const undone = hasFailed(action) ? undefined : findUndone(file, action, newest, inverse);
    const isUndone = undone !== undefined && undone.at > by.first && undone.at < action.at;
    const isUnseen = newest !== undefined && newest.at > Math.max(seen?.at ?? 0, by.first);
    const edit = isUndone ? undone : newest;
    const kind = isUndone ? "taken back" : isUnseen ? harmOf(action, newest, seen !== undefined) : undefined;
    if (edit && kind && isWithin(action, of, by)) {
      return { kind, of, by, ...(seen && { before: seen }), edit, harm: action };
    }
    if (!hasFailed(action) && action.files?.includes(file)) seen = action;
  }
  return undefined;
}

/** The edit that an action takes back, whether its agent knew of it or not. */
function findUndone(
  file: string,
  { does, command, edit }: Action,
  newest: Action | undefined,
  inverse: ReadonlyMap<string, Action>,
): Action | undefined {
  if (command?.restores) return isRestored(command.restores, file) ? newest : undefined;
  const pair =
    does === "edit" && edit?.pairs.find(([before, after]) => before !== after && inverse.has(`${before} ${after}`));
  return pair ? inverse.get(pair.join(" ")) : undefined;
}

/** The main agent outlives those that it starts, and what it does when one is done is no longer at the same time. */
function isWithin({ at }: Action, of: Agent, by: Agent): boolean {
  return by.pad.agentId !== undefined || at <= of.last;
}

/** What an edit does to another that its agent had not seen. */
function harmOf(action: Action, unseen: Action, hasSeen: boolean): Clash["kind"] | undefined {
  if (action.does !== "edit") return undefined;
  // One who never read the file was refused for that.
  if (hasFailed(action)) return hasSeen && !/not been read/i.test(action.error?.message ?? "") ? "failed" : undefined;
  const { whole, pairs = [] } = action.edit ?? {};
  return whole !== undefined && pairs.length === 0 && whole !== unseen.edit?.whole ? "overwritten" : undefined;
}

function isRestored(paths: readonly string[], file: string): boolean {
  return paths.some((path) => path === "." || path === file || file.startsWith(`${path.replace(/\/$/, "")}/`));
}

const harms: Record<Clash["kind"], string> = {
  failed: "the edit of one failed, because the other had changed the file since",
  overwritten: "one wrote the whole file anew over what the other had just changed",
  "taken back": "one took back what the other had just written",
};

function compose(file: string, sightings: readonly PastSighting[]): Draft {
  const kind = newestText(sightings, "kind") ?? "";
  const harm = kind in harms ? harms[kind as Clash["kind"]] : harms.failed;
  const message = newestText(sightings, "message");
  return {
    type: "gotcha",
    content: `Two agents at the same time got in each other's way in ${code(file)}: ${harm}. Give that file to one agent only.`,
    data: { file, kind, ...(message !== undefined && { error: message }) },
    relatedFiles: [file],
    relatedModules: [moduleOf(file)],
  };
}
