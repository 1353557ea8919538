import type { MemoryWriter } from "../../memory/change/change.js";
import { noteChanges } from "../../memory/history/history.js";
import { listByKeys } from "../../memory/read/read.js";
import type { Project } from "../../project/project.js";
import { taintedFields } from "../../memory/remember/remember.js";
import { writeFields } from "../../memory/write/write.js";
import type { UntrustedSource } from "../observer.js";
import type { Scratchpad } from "../scratchpad/session-view.js";
import { describeUntrustedSource } from "../untrusted-sources/describe-untrusted-source.js";
import type { ForeignWork } from "../trust/foreign-work.js";
import { instructionsRead } from "../trust/instructions-read.js";
import { repeatsInstruction } from "../untrusted-sources/instructions.js";
import type { Taint } from "../trust/taint.js";
import { listRemembered, listVouchedFor, type Span } from "./sweep-queries.js";

interface SweepOptions {
  pads: readonly Scratchpad[];
  taint: Taint;
  foreign: ForeignWork;
  /** When the session began, by our own clock. */
  startedAt: string;
  now: Date;
}

/**
 * What the agent asked Tacit to remember after it had read from outside is tainted as well, and so is what repeats an
 * instruction that it had read, through whichever door it came: a tool, the command line, another process that knew
 * nothing of the session. What a person has verified is not; what the agent itself let speak waits again.
 */
export async function sweepRemembered(writer: MemoryWriter, project: Project, options: SweepOptions): Promise<void> {
  const { startedAt, now, pads } = options;
  const instructions = instructionsRead(pads);
  const vouched = await takeBackVouching(writer, project, options);
  for (const { mark, span, tainted } of listAsked(options)) {
    if (!tainted && instructions.size === 0) continue;
    const keys = await listRemembered(writer, project, { mark, span, startedAt, vouched });
    for (const { key, record } of await listByKeys(writer, project, keys, now)) {
      const outside = tainted ?? (repeatsInstruction(record.content, instructions) ? instruction : undefined);
      if (!outside) continue;
      await noteChanges(writer, project, { verb: "doubted", keys: [key], now }, async () => {
        const fields = { ...taintedFields(record, describeUntrustedSource(outside)), userVerified: false };
        await writeFields(writer, project, key, fields, now);
      });
    }
  }
}

const instruction: UntrustedSource = { from: "instruction", what: "something it read" };

interface Asked {
  mark: string;
  /** When it was asked for. */
  span: Span;
  /** The content from outside that the agent had read before, if any. */
  tainted: UntrustedSource | undefined;
}

/** What was asked for, each text once, and those that nobody knows each time. */
function listAsked({ pads, taint, foreign, startedAt }: SweepOptions): Asked[] {
  const asked = new Map<string, Asked>();
  const clock = clockOf(pads, startedAt);
  for (const pad of pads) {
    const add = (mark: string, order: number, at: number, endedAt?: number) => {
      const key = mark.startsWith("?") ? `${mark} ${at}` : mark;
      const tainted = asked.get(key)?.tainted ?? taint.of(pad, [order]) ?? foreign.of(pad, [order]);
      asked.set(key, { mark, span: clock(at, endedAt), tainted });
    };
    for (const { order, at, endedAt, remembers } of pad.actions) {
      if (remembers !== undefined) add(remembers, order, at, endedAt);
    }
    for (const { order, at, mark } of pad.remembered) add(mark, order, at);
  }
  return [...asked.values()];
}

// A hook is started before and after the command, and takes up to half a second to tell the time.
const slackMs = 2000;

/** When something happened by our own clock, where the agent's is ahead of it. */
function clockOf(pads: readonly Scratchpad[], startedAt: string): (at: number, endedAt?: number) => Span {
  let first = Infinity;
  for (const { start, prompts, actions, remembered } of pads) {
    for (const note of [start, prompts[0], actions[0], remembered[0]]) first = Math.min(first, note?.at ?? first);
  }
  const ahead = Number.isFinite(first) ? Math.max(0, first - Date.parse(startedAt)) : 0;
  return (at, endedAt = at) => ({ from: timeOf(at - ahead - slackMs), until: timeOf(endedAt + slackMs) });
}

function timeOf(at: number): string {
  const date = new Date(at);
  return Number.isFinite(date.getTime()) ? date.toISOString() : "";
}

/** Memories that waited until the agent itself accepted them wait again. Gives what it vouched for, as keys. */
async function takeBackVouching(
  writer: MemoryWriter,
  project: Project,
  { pads, startedAt, now }: SweepOptions,
): Promise<number[]> {
  const clock = clockOf(pads, startedAt);
  const spans = pads.flatMap(({ actions }) =>
    actions.filter(({ vouches }) => vouches).map(({ at, endedAt }) => clock(at, endedAt)),
  );
  const vouched: number[] = [];
  for (const span of spans) {
    for (const { key, reason } of await listVouchedFor(writer, project, span)) {
      vouched.push(key);
      if (reason === undefined) continue;
      await noteChanges(writer, project, { verb: "doubted", keys: [key], now }, async () => {
        const review = { state: "pending", reason: reason || "An agent accepted it, not a person." } as const;
        await writeFields(writer, project, key, { userVerified: false, review }, now);
      });
    }
  }
  return vouched;
}
