import type { Memory } from "../../index.js";
import { countOf } from "../../base/count-of.js";
import type { Page } from "../terminal/page.js";
import { renderAge } from "../terminal/render-age.js";
import { renderFields } from "../terminal/render-fields.js";
import { shortId } from "../terminal/short-id.js";

// As long as forget promises.
const restorableDays = 30;

/** Everything there is to know about one memory: its whole text, then every field that is set. */
export function renderWholeMemory(memory: Memory, page: Page): string {
  const content = memory.content.split("\n").map((line) => page.clean(line));
  return `${content.join("\n")}\n\n${renderFields(fieldsOf(memory, page.now), page)}`;
}

function fieldsOf(memory: Memory, now: Date): [string, string][] {
  const moment = (time: string): string => `${time} (${renderAge(time, now)})`;
  const fields: [string, string | undefined][] = [
    ["id", `${memory.id} (short: ${shortId(memory.id)})`],
    ["name", memory.name],
    ["aliases", memory.aliases.join(", ")],
    ["type", memory.type],
    ["status", statusOf(memory, now)],
    ["files", memory.relatedFiles.join(", ")],
    ["modules", memory.relatedModules.join(", ")],
    ["tags", memory.tags.map((tag) => `#${tag}`).join(" ")],
    ...(memory.type === "archive" ? archivedPlace(memory) : pairsOf("data", memory.data ?? {})),
    ...pairsOf("metadata", memory.metadata),
    ["confidence", confidenceOf(memory)],
    ["pinned", memory.pinned ? "yes" : undefined],
    ["scope", memory.scope],
    ["visibility", memory.visibility],
    ["source", memory.source],
    ["session", memory.sessionId],
    ["agent", memory.agent],
    ...originOf(memory),
    ["trust", trustOf(memory)],
    ...(memory.drift ?? []).map(({ outcome, reason }): [string, string] => [
      outcome === "doubt" ? "in doubt" : outcome,
      reason,
    ]),
    ["taken out", memory.trustFlags.filter((flag) => flag !== "tainted" && flag !== "unverified").join(", ")],
    ...memory.relations.map((relation): [string, string] => [relation.kind.replaceAll("_", " "), targetOf(relation)]),
    ["project", memory.project],
    ["created", moment(memory.createdAt)],
    ["changed", memory.updatedAt === memory.storedAt ? undefined : moment(memory.updatedAt)],
    ["expires", memory.expiresAt && moment(memory.expiresAt)],
    ["forgotten", memory.forgottenAt && moment(memory.forgottenAt)],
    ["used", usesOf(memory, now)],
  ];
  return fields.filter((field): field is [string, string] => field[1] !== undefined && field[1] !== "");
}

function trustOf({ trustFlags, userVerified }: Memory): string | undefined {
  if (trustFlags.includes("tainted")) {
    return `tainted: it comes from outside the project${userVerified ? "; you have approved it" : ""}`;
  }
  if (!trustFlags.includes("unverified") || userVerified) return undefined;
  return "unverified: an agent said it that no hooks watched";
}

const forgottenBecause: Record<NonNullable<Memory["forgottenReason"]>, string> = {
  faded: "it had faded: nobody used it for three half-lives",
  evicted: "there were more memories than maxEntries",
  unshared: "its file was taken away from the shared ones",
  imported: "you accepted it, and the memory that its shared file stands for says it now",
  unproved: "the build that it came from did not pass its checks",
};

function statusOf(memory: Memory, now: Date): string {
  const { status, review, supersededBy } = memory;
  if (status === "flagged") return `flagged as wrong: ${review.reason ?? "no reason given"}`;
  if (status === "waiting") return `waiting for your review: ${review.reason ?? "no reason given"}`;
  if (status === "superseded" && supersededBy !== undefined) {
    const why = review.state === "none" && review.reason !== undefined ? `, which ${review.reason}` : "";
    return `superseded by ${shortId(supersededBy)}${why}`;
  }
  return status === "forgotten" ? forgottenStatus(memory, now) : status;
}

function forgottenStatus({ id, forgottenAt = "", forgottenReason }: Memory, now: Date): string {
  const end = new Date(Date.parse(forgottenAt) + restorableDays * 86_400_000);
  const restore = `tacit restore ${shortId(id)}`;
  if (forgottenReason === undefined) {
    return now > end
      ? `forgotten more than ${restorableDays} days ago; it cannot be restored any more`
      : `forgotten; ${restore} brings it back until ${end.toISOString()}`;
  }
  const because = `forgotten, because ${forgottenBecause[forgottenReason]}`;
  // What Tacit let go by itself stays where it was verified or another memory leads to it, which is not to be seen here.
  return now > end
    ? `${because}; the ${restorableDays} days are over, and ${restore} tells whether it can still come back`
    : `${because}; ${restore} brings it back until ${end.toISOString()}`;
}

/** As it was stated, and what is left of it. */
function confidenceOf({ confidence, currentConfidence, halfLifeDays, pinned, userVerified }: Memory): string {
  const left = Math.round(currentConfidence * 100) / 100;
  const now = left < Math.round(confidence * 100) / 100 ? `${confidence}, now ${left}` : String(confidence);
  const fades = pinned ? "; pinned: does not fade" : `: fades, half-life ${countOf(halfLifeDays ?? 0, "day")}`;
  return `${now}${halfLifeDays === undefined ? "" : fades}${userVerified ? "; verified by you" : ""}`;
}

function targetOf({ memory, file, confidence, automatic }: Memory["relations"][number]): string {
  const target = memory === undefined ? (file ?? "") : shortId(memory);
  return confidence === 1 || automatic ? target : `${target} (confidence ${confidence})`;
}

function originOf({ commit, branch }: Memory): [string, string | undefined][] {
  if (commit === undefined) return [["branch", branch]];
  return [["commit", branch === undefined ? commit : `${commit} on ${branch}`]];
}

/** What an archive sums up, where it says so. The parts of a long turn have places of their own. */
function archivedPlace({ id, name, data = {}, sessionId }: Memory): [string, string][] {
  const { first, last, archivedAt, fallback, ...rest } = data;
  if (typeof first !== "number" || typeof last !== "number") return pairsOf("data", data);
  const which = first === last ? `turn ${first}` : `turns ${first} to ${last}`;
  const of = sessionId === undefined ? "" : ` of ${sessionId}`;
  return [
    ["sums up", `${which}${of}; tacit show ${name ?? shortId(id)} --turns shows every one`],
    ...(typeof archivedAt === "string" ? [["archived", archivedAt] as [string, string]] : []),
    ...(fallback === true ? [["summary", "by rules, since the language model failed"] as [string, string]] : []),
    ...pairsOf("data", rest),
  ];
}

function pairsOf(label: string, values: Record<string, unknown>): [string, string][] {
  return Object.entries(values).map(([key, value]) => [
    label,
    `${key}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
  ]);
}

function usesOf(memory: Memory, now: Date): string {
  if (memory.accessCount === 0) return "never";
  const times = memory.accessCount === 1 ? "once" : `${memory.accessCount} times`;
  return memory.lastAccessedAt === undefined ? times : `${times}, last ${renderAge(memory.lastAccessedAt, now)}`;
}
