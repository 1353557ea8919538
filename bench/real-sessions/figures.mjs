// What is counted of replayed sessions.
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";

const verdicts = ["useful", "little", "noise", "wrong"];

export function renderFigures(measured, labelsFile) {
  const labels = readLabels(labelsFile);
  const whole = measured.length > 1 ? [{ name: "all", ...joined(measured) }] : [];
  return [...measured, ...whole].map((one) => renderOne(one, labels)).join("\n\n");
}

function joined(measured) {
  const all = (name) => measured.flatMap((one) => one[name]);
  const sum = (name) => measured.reduce((total, one) => total + one[name], 0);
  return {
    rows: all("rows"),
    memories: all("memories"),
    people: sum("people"),
    missing: sum("missing"),
    known: sum("known"),
    seconds: sum("seconds"),
  };
}

function renderOne({ name, rows, memories, people, missing, known, seconds }, labels) {
  const held = memories.filter((one) => isHeld(one, one.atEnd));
  const heldIn = new Set(held.flatMap(({ after, sessions }) => [after, ...sessions]));
  const sessions = rows.filter((row) => !row.isEmpty);
  const teaching = new Set(memories.flatMap(({ after, sessions: seen }) => [after, ...seen]));
  const lines = [
    `## ${name}: ${rows.length} sessions of ${known} by ${people} people (${missing} transcripts are missing), ${seconds} s`,
    "",
    `begun at: ${[...countBy(rows, ({ how }) => how)].map(([how, count]) => `${how} ${count}`).join(", ")}`,
    `sessions with tool calls: ${sessions.length}`,
    `sessions that read from outside: ${share(sessions.filter(({ outside }) => outside).length, sessions.length)}`,
    `sessions with anything held back: ${share(sessions.filter(({ id }) => heldIn.has(id)).length, sessions.length)}`,
    `… of sessions that led to a memory: ${share(sessions.filter(({ id }) => heldIn.has(id)).length, sessions.filter(({ id }) => teaching.has(id)).length)}`,
    `memories: ${memories.length}`,
    ...heldBack("memories", memories),
    ...usefulness(memories, labels),
    "",
    "by signal (active / held back / pending for other reasons):",
    ...counted(memories, ({ signals }) => signals.join("+") || "none"),
    "by reason:",
    ...counted(
      memories.filter(({ atEnd }) => atEnd.status === "waiting"),
      ({ atEnd }) => kindOf(atEnd.reason),
    ),
  ];
  return lines.join("\n");
}

/** Whether it waits for reasons of trust; what synthesis proposes always waits. */
function isHeld({ signals }, state) {
  return state?.status === "waiting" && !(signals.length === 1 && signals[0] === "synthesis");
}

/** At the end of their sessions, and after the last fetch: of all, and of those whose session's work was merged. */
function heldBack(what, memories) {
  const held = memories.filter((one) => isHeld(one, one.atEnd));
  const stillHeld = new Set(held.filter(({ atLast }) => atLast?.status !== "active"));
  const kept = (of) => share(of.filter((one) => stillHeld.has(one)).length, of.length);
  const ofOthers = memories.filter(({ mergedBy }) => mergedBy === "other");
  const ofSelf = memories.filter(({ mergedBy }) => mergedBy === "self");
  return [
    `${what} held back at session end: ${share(held.length, memories.length)}; in the end: ${kept(memories)}`,
    `… in the end, of those whose work somebody else merged: ${kept(ofOthers)}; … whose author merged it: ${kept(ofSelf)}`,
  ];
}

function usefulness(memories, labels) {
  if (!labels) return [];
  const judged = memories.filter(({ content }) => labels.has(hashOf(content)));
  const of = (verdict) => judged.filter(({ content }) => labels.get(hashOf(content)) === verdict);
  const useful = of("useful");
  return [
    `judged: ${judged.length} of ${memories.length}: ${verdicts.map((verdict) => `${verdict} ${of(verdict).length}`).join(", ")}`,
    ...heldBack("useful memories", useful),
  ];
}

function counted(memories, keyOf) {
  const counts = new Map();
  for (const one of memories) {
    const count = counts.get(keyOf(one)) ?? [0, 0, 0];
    count[one.atEnd.status === "active" ? 0 : isHeld(one, one.atEnd) ? 1 : 2] += 1;
    counts.set(keyOf(one), count);
  }
  const sum = (count) => count.reduce((total, one) => total + one, 0);
  const sorted = [...counts].toSorted(([, a], [, b]) => sum(b) - sum(a));
  return sorted.map(([key, count]) => `  ${count.map((one) => String(one).padStart(4)).join("")}  ${key}`);
}

function countBy(rows, keyOf) {
  const counts = new Map();
  for (const row of rows) counts.set(keyOf(row), (counts.get(keyOf(row)) ?? 0) + 1);
  return counts;
}

/** Without the names, so that reasons can be counted. */
function kindOf(reason = "no reason") {
  return reason
    .replaceAll(/\([^)]*\)/g, "(…)")
    .replaceAll(/`[^`]*`/g, "`…`")
    .slice(0, 140);
}

function share(part, whole) {
  return `${part} of ${whole} (${whole === 0 ? 0 : Math.round((1000 * part) / whole) / 10} %)`;
}

/** What a judgement is found by. */
function hashOf(content) {
  return createHash("sha256").update(content.trim()).digest("hex").slice(0, 16);
}

function readLabels(file) {
  if (file === undefined || !existsSync(file)) return undefined;
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  return new Map(lines.map((line) => JSON.parse(line)).map(({ hash, label }) => [hash, label]));
}
