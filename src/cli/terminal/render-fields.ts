import { oneLine } from "./one-line.js";
import type { Page } from "./page.js";
import { fold, padTo, widthOf } from "./text-width.js";

/** `label  value` lines with the values under each other, after at least so many columns. */
export function renderFields(fields: [label: string, value: string][], page: Page, leastColumn = 0): string {
  const column = Math.max(leastColumn, ...fields.map(([label]) => widthOf(label)));
  return fields
    .map(([label, value]) => {
      const lines = fold(oneLine(value, page), page.width - column - 2);
      return `${page.paint("dim", padTo(label, column))}  ${lines.join(`\n${" ".repeat(column + 2)}`)}`;
    })
    .join("\n");
}
