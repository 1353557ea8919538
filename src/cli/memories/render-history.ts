import type { HistoryEntry, Relation } from "../../index.js";
import type { Page } from "../terminal/page.js";
import { renderAge } from "../terminal/render-age.js";
import { longestUnfolded, oneLine } from "../terminal/one-line.js";
import { shortId } from "../terminal/short-id.js";
import { fold, padTo, widthOf } from "../terminal/text-width.js";

const arrow = " → ";

/** Changes under each other: number, verb and age of each, with what it changed below. */
export function renderHistory(changes: HistoryEntry[], page: Page): string {
  const told = changes.map((change) => ({
    number: String(change.number),
    verb: oneLine(change.verb, page),
    age: renderAge(change.at, page.now),
    rows: rowsOf(change, page),
  }));
  const numbers = widest(told.map(({ number }) => number));
  const labels = widest(told.flatMap(({ verb, rows }) => [verb, ...rows.map(({ label }) => label)]));
  return told
    .flatMap(({ number, verb, age, rows }) => [
      `${page.paint("cyan", number.padStart(numbers))}  ${page.paint("bold", padTo(verb, labels))}  ${age}`,
      ...renderRows(rows, page, { indent: numbers + 2, labels }),
    ])
    .join("\n");
}

/** What one change did: each field in a line, and the other memories that it reached. */
export function renderChange(change: HistoryEntry, page: Page): string {
  const rows = rowsOf(change, page);
  return renderRows(rows, page, { indent: 2, labels: widest(rows.map(({ label }) => label)) }).join("\n");
}

interface Row {
  label: string;
  /** Before and after, or one that says it all. */
  values: [string, string] | [string];
}

function rowsOf({ fields, alsoChanged }: HistoryEntry, page: Page): Row[] {
  const rows = Object.entries(fields)
    .filter(([field]) => !followsFrom(field, fields))
    .map(([field, { before, after }]): Row => ({
      label: oneLine(labelOf(field), page),
      values: [valueOf(field, before, page), valueOf(field, after, page)],
    }));
  if (alsoChanged.length === 0) return rows;
  return [...rows, { label: "also changed", values: [oneLine(alsoChanged.map(shortId).join(", "), page)] }];
}

function renderRows(rows: Row[], page: Page, { indent, labels }: { indent: number; labels: number }): string[] {
  const room = page.width - indent - labels - 2;
  return rows.map(({ label, values: [before, after] }) => {
    const value = after === undefined ? fold(before, room, 1).join("") : sideBySide(before, after, room);
    return `${" ".repeat(indent)}${page.paint("dim", padTo(label, labels))}  ${value}`;
  });
}

function widest(texts: string[]): number {
  return Math.max(0, ...texts.map(widthOf));
}

/** True for a field that says nothing which another does not say. */
function followsFrom(field: string, fields: HistoryEntry["fields"]): boolean {
  return field === "releasedNames" || (field === "citationText" && "content" in fields);
}

/** "relatedFiles" as "related files". */
function labelOf(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

type Value = HistoryEntry["fields"][string]["before"];

function valueOf(field: string, value: Value, page: Page): string {
  const text = field === "relations" ? relationsIn(value) : textOf(value);
  const shown = field === "supersededBy" ? shortId(text) : text;
  return shown === "" ? "(none)" : oneLine(shown, page);
}

function relationsIn(value: Value): string {
  const relations = (value ?? []) as unknown as Relation[];
  return relations
    .map(({ kind, memory, file }) => `${kind.replaceAll("_", " ")} ${memory === undefined ? file : shortId(memory)}`)
    .join(", ");
}

function textOf(value: Value): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) return value.map(textOf).join(", ");
  return Object.entries(value)
    .map(([key, each]) => `${key}: ${textOf(each)}`)
    .join(", ");
}

/** Before and after in one line. What a short one leaves free the other may use. */
function sideBySide(before: string, after: string, room: number): string {
  const width = Number.isFinite(room) ? room - arrow.length : 2 * longestUnfolded;
  if (widthOf(before) + widthOf(after) <= width) return `${before}${arrow}${after}`;
  const half = Math.floor(width / 2);
  const [left, right] = fromDifference(before, after, Math.floor(half / 3));
  return [
    fold(left, Math.max(half, width - widthOf(right)), 1).join(""),
    fold(right, Math.max(half, width - widthOf(left)), 1).join(""),
  ].join(arrow);
}

/** Two texts from a little before where they part: a long beginning that they share would hide what changed. */
function fromDifference(before: string, after: string, lead: number): [string, string] {
  let parting = 0;
  while (parting < before.length && before[parting] === after[parting]) parting++;
  if (parting <= lead) return [before, after];
  // Not into the middle of a character that takes two units.
  const start = parting - lead - (/[\uDC00-\uDFFF]/.test(before[parting - lead] ?? "") ? 1 : 0);
  return [`…${before.slice(start)}`, `…${after.slice(start)}`];
}
