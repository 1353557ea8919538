import type { UntrustedSource } from "../observer.js";
import type { Action, OrderedNote, Scratchpad } from "../scratchpad/session-view.js";
import { openFileOrigins, type FileOrigins, type KnownFiles } from "./file-origins.js";
import type { Origin } from "./folder-origins.js";
import { isForeignAnswer } from "../untrusted-sources/untrusted-source-of.js";

/** What came from outside the project in a session, and what may rest on it. */
export interface Taint {
  /** The content from outside that taints what rests on any of these orders of an agent. */
  of(pad: Scratchpad, orders: readonly number[]): UntrustedSource | undefined;
  /** From where on everything of an agent is tainted, and by what. */
  since(pad: Scratchpad): { order: number; outside: UntrustedSource } | undefined;
  /** The content that also taints what an agent writes into files. */
  spreading(pad: Scratchpad): UntrustedSource | undefined;
  /** From when on something may have been written into files from such content: the earliest of all agents, by their clocks. */
  spreadsSince(): number | undefined;
  /** What the session wrote, to be kept for later ones. */
  written: Map<string, Origin>;
}

/**
 * Follows content from outside through a session: from the call that brought it into everything that its agent does
 * later, through files to other agents, to the agents that it starts, and to the one that is told the answer. Nothing
 * lifts it again.
 *
 * @example
 * const taint = openTaint({ pads, root, tracked, ownFiles });
 * taint.of(pad, sighting.orders); // { from: "web", what: "example.com" }
 */
export function openTaint({
  pads,
  ownAnswers = new Set(),
  ...known
}: {
  pads: readonly Scratchpad[];
  /** Marks of the answers that servers of ours have given. */
  ownAnswers?: ReadonlySet<string>;
} & KnownFiles): Taint {
  const agents = pads.map((pad) => openAgent(pad));
  const timeline = timelineOf(agents);
  const family = familyOf(agents);
  let files: FileOrigins;
  let before: string;
  // What one agent hands to another may concern what came earlier in the list, where clocks differ. Each round taints
  // from earlier on or is the last.
  do {
    before = stateOf(agents);
    files = openFileOrigins(known);
    for (const moment of timeline) pass(moment, files, family, ownAnswers);
    for (const child of agents) tellParent(child, family);
  } while (stateOf(agents) !== before);

  const byPad = new Map(agents.map((agent) => [agent.pad, agent]));
  return {
    written: files.written,
    since(pad) {
      const since = byPad.get(pad)?.since;
      return since && { order: since.order, outside: since.outside };
    },
    spreading: (pad) => byPad.get(pad)?.spreads?.outside,
    spreadsSince() {
      const from = agents.flatMap(({ pad, spreads }) => (spreads ? [firstTimeFrom(pad, spreads.order)] : []));
      return from.length === 0 ? undefined : Math.min(...from);
    },
    of(pad, orders) {
      const agent = byPad.get(pad);
      for (const order of orders) {
        const outside = agent && (isTainted(agent, order) ? agent.since?.outside : agent.answers.get(order));
        if (outside) return outside;
      }
      return undefined;
    },
  };
}

/** The earliest time of all that an agent did from there on: clocks may go back. */
export function firstTimeFrom(pad: Scratchpad, from: number): number {
  return everything(pad).reduce((first, { order, at }) => (order >= from ? Math.min(first, at) : first), Infinity);
}

interface Agent {
  pad: Scratchpad;
  since?: Since;
  /** The same for what also taints the files that it writes. */
  spreads?: Since;
  /** Calls that were open while another agent worked for them: what they were answered is tainted, not what they asked. */
  answers: Map<number, UntrustedSource>;
  firstAt: number;
  lastAt: number;
  /** Calls for which another agent may have worked. */
  asked: readonly Action[];
  /** Worked out when it is first asked for. */
  firstOrders?: FirstOrders;
}

interface Since {
  order: number;
  at: number;
  outside: UntrustedSource;
}

/** By time, and for each the first order from there on: clocks may go back. */
interface FirstOrders {
  times: number[];
  orders: number[];
}

type Moment = { agent: Agent; order: number; at: number } & ({ action: Action } | { note: OrderedNote<"subagent"> });

function openAgent(pad: Scratchpad): Agent {
  let [firstAt, lastAt] = [Infinity, -Infinity];
  for (const { at } of everything(pad)) {
    firstAt = Math.min(firstAt, at);
    lastAt = Math.max(lastAt, at);
  }
  const asked = pad.actions.filter(({ does, endedAt }) => does === "other" && endedAt !== undefined);
  return { pad, answers: new Map(), firstAt, lastAt, asked };
}

function everything(pad: Scratchpad): readonly { order: number; at: number }[] {
  const { actions, sayings, subagents, remembered, units, qa, commits, prompts, steps, start, end } = pad;
  const ends = [start, end].filter((note) => note !== undefined);
  return [
    ...actions,
    ...sayings,
    ...subagents,
    ...remembered,
    ...units,
    ...qa,
    ...commits,
    ...prompts,
    ...steps,
    ...ends,
  ];
}

/** What all agents did, by time; what one did in its own order, whatever its clock said. */
function timelineOf(agents: readonly Agent[]): Moment[] {
  return agents
    .flatMap((agent, index) => {
      const own = [
        ...agent.pad.actions.map((action) => ({ agent, index, order: action.order, at: action.at, action })),
        ...agent.pad.subagents.map((note) => ({ agent, index, order: note.order, at: note.at, note })),
      ].toSorted((a, b) => a.order - b.order);
      let latest = -Infinity;
      for (const moment of own) {
        latest = Math.max(latest, moment.at);
        moment.at = latest;
      }
      return own;
    })
    .toSorted((a, b) => a.at - b.at || a.index - b.index || a.order - b.order);
}

interface Family {
  byId: Map<string, Agent>;
  /** Who started an agent; the main one where nobody says. */
  parentOf: Map<Agent, Agent>;
  /** The notes that tell of an agent's start and end, where there are. */
  started: Map<Agent, OrderedNote<"subagent">>;
  ended: Set<Agent>;
}

function familyOf(agents: readonly Agent[]): Family {
  const byId = new Map(
    agents.flatMap((agent) => (agent.pad.agentId === undefined ? [] : [[agent.pad.agentId, agent]])),
  );
  const family: Family = { byId, parentOf: new Map(), started: new Map(), ended: new Set() };
  for (const parent of agents) {
    for (const note of parent.pad.subagents) {
      const child = byId.get(note.child);
      if (!child || child === parent) continue;
      family.parentOf.set(child, parent);
      if (note.state === "ended") family.ended.add(child);
      else if (!family.started.has(child)) family.started.set(child, note);
    }
  }
  const main = agents.find(({ pad }) => pad.agentId === undefined) ?? agents[0];
  for (const agent of agents) {
    if (main && agent !== main && !family.parentOf.has(agent)) family.parentOf.set(agent, main);
  }
  return family;
}

function pass(moment: Moment, files: FileOrigins, family: Family, ownAnswers: ReadonlySet<string>): void {
  const { agent, order, at } = moment;
  if ("action" in moment) {
    const { action } = moment;
    const foreign = isForeignAnswer(action, ownAnswers) ? { from: "mcp" as const, what: action.tool } : undefined;
    const outside = foreign ?? ownOutside(action) ?? files.shownBy(action);
    if (outside) taintFrom(agent, { order, at, outside });
    const spreads = agent.spreads !== undefined && order >= agent.spreads.order;
    return files.write(action, spreads ? "spreads" : isTainted(agent, order) ? "stays" : "none");
  }
  const child = family.byId.get(moment.note.child);
  if (!child || child === agent) return;
  if (moment.note.state === "started") {
    const isFirst = family.started.get(child) === moment.note;
    // One that is started again has done its first part already.
    const from = isFirst ? 0 : firstOrderAt(child, at);
    if (from === undefined) return;
    for (const since of sourcesOf(agent)) {
      if (order < since.order) continue;
      taintFrom(child, { order: from, at: isFirst ? child.firstAt : at, outside: since.outside });
    }
  } else if (child.since && child.since.at <= at) {
    for (const since of sourcesOf(child)) {
      if (since.at <= at) taintFrom(agent, { order, at, outside: since.outside });
    }
    taintAnswer(agent, child, family);
  }
}

/** Which files an action showed is judged by the files. */
function ownOutside({ outside, files, search }: Action): UntrustedSource | undefined {
  return outside?.from === "file" && (files?.length || search?.where) ? undefined : outside;
}

/** For agents whose start or end nobody noted: by time alone. */
function tellParent(child: Agent, family: Family): void {
  const parent = family.parentOf.get(child);
  if (!parent) return;
  for (const since of family.started.has(child) ? [] : sourcesOf(parent)) {
    if (since.at <= child.firstAt) taintFrom(child, { ...since, order: 0, at: child.firstAt });
  }
  if (family.ended.has(child) || !child.since) return;
  const first = firstOrderAt(parent, child.lastAt);
  for (const { outside } of first === undefined ? [] : sourcesOf(child)) {
    taintFrom(parent, { order: first as number, at: child.lastAt, outside });
  }
  taintAnswer(parent, child, family);
}

function firstOrderAt(agent: Agent, from: number): number | undefined {
  // A session with thirty agents asks thirty times.
  const { times, orders } = (agent.firstOrders ??= firstOrdersOf(agent.pad));
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] as number) >= from) high = middle;
    else low = middle + 1;
  }
  return orders[low];
}

function firstOrdersOf(pad: Scratchpad): FirstOrders {
  const all = everything(pad).toSorted((a, b) => a.at - b.at);
  const orders = all.map(({ order }) => order);
  for (let index = orders.length - 2; index >= 0; index--) {
    orders[index] = Math.min(orders[index] as number, orders[index + 1] as number);
  }
  return { times: all.map(({ at }) => at), orders };
}

/** The call that an agent worked for: it was made before, and answered when that one was done. */
function taintAnswer(parent: Agent, child: Agent, family: Family): void {
  const outside = child.since?.outside;
  const startedAt = family.started.get(child)?.at ?? child.firstAt;
  if (!outside) return;
  for (const { order, at, endedAt } of parent.asked) {
    if (at <= startedAt && endedAt !== undefined && endedAt >= child.lastAt) {
      parent.answers.set(order, outside);
    }
  }
}

function isTainted({ since }: Agent, order: number): boolean {
  return since !== undefined && order >= since.order;
}

function sourcesOf({ since, spreads }: Agent): Since[] {
  return [since, spreads].filter((one) => one !== undefined);
}

function taintFrom(agent: Agent, since: Since): void {
  if (!agent.since || since.order < agent.since.order) agent.since = since;
  // What a tracked file says taints what is worded from it, and not each file that its reader changes: one page would taint
  // the whole project for good. Of 98 real sessions 84 were tainted, three of which had read the web (2026-11).
  const isSpreading = since.outside.from !== "written";
  if (isSpreading && (!agent.spreads || since.order < agent.spreads.order)) agent.spreads = since;
}

function stateOf(agents: readonly Agent[]): string {
  return agents.map(({ since, spreads }) => `${since?.order ?? ""}/${spreads?.order ?? ""}`).join();
}
