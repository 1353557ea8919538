import type { Memory } from "../index.js";
import type { Page } from "./page.js";
import { renderAge } from "./render-age.js";
import { renderFields, shortId } from "./render-memory.js";

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
    ...pairsOf("data", memory.data ?? {}),
    ...pairsOf("metadata", memory.metadata),
    ["confidence", `${memory.confidence}${memory.userVerified ? ", verified by you" : ""}`],
    ["pinned", memory.pinned ? "yes" : undefined],
    ["scope", memory.scope],
    ["visibility", memory.visibility],
    ["source", memory.source],
    ["session", memory.sessionId],
    ["agent", memory.agent],
    ...originOf(memory),
    ["taken out", memory.trustFlags.join(", ")],
    ...memory.relations.map((relation): [string, string] => [
      relation.kind.replaceAll("_", " "),
      relation.memory === undefined ? (relation.file ?? "") : shortId(relation.memory),
    ]),
    ["project", memory.project],
    ["created", moment(memory.createdAt)],
    ["changed", memory.updatedAt === memory.storedAt ? undefined : moment(memory.updatedAt)],
    ["expires", memory.expiresAt && moment(memory.expiresAt)],
    ["forgotten", memory.forgottenAt && moment(memory.forgottenAt)],
    ["used", usesOf(memory, now)],
  ];
  return fields.filter((field): field is [string, string] => field[1] !== undefined && field[1] !== "");
}

function statusOf({ status, id, review, supersededBy, forgottenAt }: Memory, now: Date): string {
  if (status === "flagged") return `flagged as wrong: ${review.reason ?? "no reason given"}`;
  if (status === "superseded" && supersededBy !== undefined) return `superseded by ${shortId(supersededBy)}`;
  if (status === "forgotten" && forgottenAt !== undefined) {
    const end = new Date(Date.parse(forgottenAt) + restorableDays * 86_400_000);
    return now > end
      ? `forgotten more than ${restorableDays} days ago; it cannot be restored any more`
      : `forgotten; tacit restore ${shortId(id)} brings it back until ${end.toISOString()}`;
  }
  return status;
}

function originOf({ commit, branch }: Memory): [string, string | undefined][] {
  if (commit === undefined) return [["branch", branch]];
  return [["commit", branch === undefined ? commit : `${commit} on ${branch}`]];
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
