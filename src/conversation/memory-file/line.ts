import { createHash } from "node:crypto";
import { disarmKnown } from "../../hygiene/quote-data.js";
import { memoryType } from "../../memory/type-registry/type-registry.js";

/** What one memory says in MEMORY.md: a bullet with what is indented below it, or a paragraph. */
export interface Line {
  text: string;
  /** Where it begins, from 1. */
  line: number;
  /** Where it ends. */
  lastLine: number;
  /** By the headings above it; absent where they name none. */
  type?: string;
  /** True below "Everywhere": it is about the project `user`. */
  isEverywhere: boolean;
  /** Of the headings above it that name no type. */
  tags: string[];
  isBullet: boolean;
}

/** The types that MEMORY.md shows, in the order of their sections. */
export const shownTypes: readonly string[] = [
  "preference",
  "convention",
  "requirement",
  "decision",
  "fact",
  "gotcha",
  "pattern",
  "module_insight",
  "context",
  "note",
];

/** The heading of what is true everywhere. */
export const everywhere = "Everywhere";

/** The heading of a type: its label, of which there are several. */
export function headingOf(type: string): string {
  const { label } = memoryType(type);
  return type === "context" ? label : `${label.replace(/y$/, "ie")}s`;
}

const typesByHeading = new Map(
  shownTypes.flatMap((type) =>
    [headingOf(type), memoryType(type).label, type].map((name) => [name.toLowerCase(), type]),
  ),
);

/** The type that a heading names, however it is written. */
export function findTypeOfHeading(heading: string): string | undefined {
  return typesByHeading.get(heading.toLowerCase());
}

/** A text as the file can hold it: blanks at the ends of lines and around it say nothing, and a line ends in one way. */
export function plainText(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .trim();
}

/**
 * A text as the file shows it: agents read the file as well, so nothing in it may pass for a tag or a turn of theirs. What is
 * stored keeps its own brackets, unless somebody edits the line.
 */
export function shownText(text: string): string {
  return plainText(disarmKnown(text));
}

/** Stands for a line in the last line of the file: what it says, of which type, and where. */
export function markOf(text: string, type: string, isEverywhere: boolean): string {
  const said = JSON.stringify([isEverywhere ? everywhere : "", type, shownText(text)]);
  return createHash("sha256").update(said).digest("hex").slice(0, 6);
}

/** The marks that a line may have been written with: where no heading names its type, that of any. */
export function marksOf({ text, type, isEverywhere }: Line): string[] {
  const types = type === undefined ? shownTypes : [type];
  return types.map((one) => markOf(text, one, isEverywhere));
}
