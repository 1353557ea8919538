import { MemoryError } from "../../base/memory-error.js";
import { isUnvouched } from "../../memory/record/record.js";
import type { MemoryRecord } from "../../memory/memory.js";
import { isBuiltIn, memoryType, memoryTypes } from "../../memory/type-registry/type-registry.js";
import type { IncomingMemory } from "../formats/incoming.js";
import { withDefaults } from "../formats/record-fields.js";
import { typeOfRules } from "./rule-types.js";

const beginMark = "<!-- tacit:begin -->";
const endMark = "<!-- tacit:end -->";
/** Alone in their lines, where no content can stand: it is indented, or behind the dash of its bullet. */
const marks = /^<!-- tacit:(?:begin|end) -->(?=[ \t]*\r?$)/gm;

/** What is about one moment, one machine or one piece of work. */
const passing = new Set([
  "prefetch_pattern",
  "work_state",
  "task_calibration",
  "work_unit_outcome",
  "context_cost",
  "conversation",
  "archive",
]);

/** Whether a memory is worth telling every session, and nothing speaks against trusting it. */
export function isForRules(record: MemoryRecord): boolean {
  const { type, scope, review } = record;
  return (
    !passing.has(type) && (scope === "global" || scope === "module") && review.state === "none" && !isUnvouched(record)
  );
}

/**
 * Memories as a section of a rule file that any agent reads: a heading for each type, one bullet each, its files behind
 * it. Blanks around a content, and files with a backtick in their name, are left out. The same memories always give
 * the same bytes.
 */
export function renderRules(records: readonly MemoryRecord[], title = "Project memory"): string {
  const known = memoryTypes.map(({ type }) => type);
  const others = new Set(records.map(({ type }) => type).filter((type) => !known.includes(type)));
  const groups = [...known, ...[...others].toSorted()].flatMap((type) => {
    const bullets = records
      .filter((record) => record.type === type)
      .toSorted(byAge)
      .map(renderBullet);
    return bullets.length > 0 ? [`### ${headingOf(type)}\n\n${bullets.join("\n")}`] : [];
  });
  const heading = title.replace(/\s+/g, " ").trim();
  const parts = heading === "" ? groups : [`## ${heading}`, ...groups];
  return `${[beginMark, ...parts, endMark].join("\n\n")}\n`;
}

function byAge(a: MemoryRecord, b: MemoryRecord): number {
  return `${a.createdAt} ${a.id}` < `${b.createdAt} ${b.id}` ? -1 : 1;
}

/** A type that every process knows by its label, in the plural; another as it is, in backticks. */
function headingOf(type: string): string {
  return isBuiltIn(type) ? `${memoryType(type).label.replace(/y$/, "ie")}s` : `\`${type}\``;
}

const fileList = /[ \n]\[((?:`[^`\n]+`(?:, `[^`\n]+`)*)?)\]$/;

function renderBullet({ content, relatedFiles }: MemoryRecord): string {
  const text = content.replace(/\r\n?/g, "\n").trim();
  const files = relatedFiles.filter((file) => !/[`\r\n]/.test(file)).map((file) => `\`${file}\``);
  // Where the text itself ends like a list of files, an empty one behind it tells them apart.
  const listed = files.length > 0 || fileList.test(text) ? [`[${files.join(", ")}]`] : [];
  const [first, ...rest] = [text, ...listed].join(text.includes("\n") ? "\n" : " ").split("\n");
  return [`- ${first}`, ...rest.map((line) => (line === "" ? "" : `  ${line}`))].join("\n");
}

/** The rule file with this section in the place of the one that it has, or after its end. Else not a byte is changed. */
export function mergeRules(existing: string | undefined, section: string): string {
  if (existing === undefined || existing === "") return section;
  const lineEnd = /^[^\n]*\r\n/.test(existing) ? "\r\n" : "\n";
  const fitting = section.replaceAll("\n", lineEnd);
  const found = [...existing.matchAll(marks)];
  const [begin, end] = found;
  if (!begin) {
    const gap = existing.endsWith(lineEnd + lineEnd) ? "" : existing.endsWith("\n") ? lineEnd : lineEnd + lineEnd;
    return `${existing}${gap}${fitting}`;
  }
  if (found.length === 2 && begin[0] === beginMark && end?.[0] === endMark) {
    return existing.slice(0, begin.index) + fitting.trimEnd() + existing.slice(end.index + endMark.length);
  }
  const lines = found.map(({ index }) => existing.slice(0, index).split("\n").length);
  throw new MemoryError(
    "invalid-input",
    `The marks of Tacit's section do not form one pair, in line ${lines.join(", ")}.`,
    `Leave one ${beginMark} and one ${endMark} after it, or take them all away.`,
  );
}

/** What a file says beside the section. */
export function outsideSection(existing: string): string {
  const [begin, end] = [...existing.matchAll(marks)];
  if (!begin || !end) return existing;
  return existing.slice(0, begin.index) + existing.slice(end.index + endMark.length);
}

/** Whether a text has a section that Tacit wrote. */
export function hasRuleSection(text: string): boolean {
  return text.search(marks) !== -1;
}

/** The memories of the sections that Tacit wrote, and the text with blank lines in their place. Line ends are \n. */
export function takeRuleSections(text: string, file: string): { memories: IncomingMemory[]; rest: string } {
  const memories: IncomingMemory[] = [];
  const lines = text.split("\n");
  const rest = [...lines];
  let begin: number | undefined;
  for (const [index, line] of lines.entries()) {
    if (line.trimEnd() === beginMark) begin = index;
    if (line.trimEnd() !== endMark || begin === undefined) continue;
    memories.push(...parseSection(lines.slice(begin + 1, index), file, begin + 2));
    rest.fill("", begin, index + 1);
    begin = undefined;
  }
  return { memories, rest: rest.join("\n") };
}

const typesByHeading = new Map(memoryTypes.map(({ type }) => [headingOf(type), type]));

function parseSection(lines: readonly string[], file: string, firstLine: number): IncomingMemory[] {
  const items: { type: string; line: number; lines: string[] }[] = [];
  let type = typeOfRules([]);
  let open = false;
  let afterBlank = false;
  for (const [index, line] of lines.entries()) {
    const [, heading] = /^#{1,6} +(.+)$/s.exec(line) ?? [];
    const [, bullet] = /^[-*+] (.*)$/s.exec(line) ?? [];
    if (heading !== undefined) {
      const [, custom] = /^`([a-z][a-z0-9_]{0,63})`$/.exec(heading) ?? [];
      type = typesByHeading.get(heading) ?? custom ?? typeOfRules([heading]);
      open = false;
    } else if (bullet !== undefined || (line.trim() !== "" && (!open || (afterBlank && !line.startsWith("  "))))) {
      items.push({ type, line: firstLine + index, lines: [bullet ?? line] });
      open = true;
    } else if (open) {
      items.at(-1)?.lines.push(line.replace(/^ {2}/, ""));
    }
    afterBlank = line.trim() === "";
  }
  return items
    .map((item) => ({ ...item, text: item.lines.join("\n").trim() }))
    .filter((item) => item.text !== "")
    .map((item) => toMemory(item.text, item.type, `${file}:${item.line}`));
}

function toMemory(text: string, type: string, origin: string): IncomingMemory {
  const [list, files = ""] = fileList.exec(text) ?? [];
  return {
    record: withDefaults({
      content: list === undefined ? text : text.slice(0, -list.length),
      type,
      relatedFiles: [...files.matchAll(/`([^`]+)`/g)].map(([, file = ""]) => file),
    }),
    origin,
  };
}
