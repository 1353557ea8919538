import type { DescribedModules, ModuleDigest, ModuleList } from "../../index.js";
import { countOf } from "../../base/count-of.js";
import type { Page } from "../terminal/page.js";
import { longestUnfolded, oneLine } from "../terminal/one-line.js";
import { fold, padTo, widthOf } from "../terminal/text-width.js";

/** A module a line: its name, how many files it has, and the beginning of what it is for. */
export function renderModules({ modules, notes }: ModuleList, page: Page): string {
  if (modules.length === 0) return [...notesOf(notes, page), "The index holds no source file."].join("\n");
  const names = modules.map(({ name }) => oneLine(name, page));
  const widest = Math.max(...names.map(widthOf));
  const lines = modules.map(({ files, tests, purpose }, at) => {
    const lead = `${page.paint("bold", padTo(names[at] ?? "", widest))}  ${String(files + tests).padStart(4)}  `;
    const width = Number.isFinite(page.width) ? Math.max(page.width - widest - 8, 20) : longestUnfolded;
    return `${lead}${fold(oneLine(purpose.text, page), width, 1).join("")}`.trimEnd();
  });
  const said = page.paint(
    "dim",
    `${countOf(modules.length, "module")}, each with its files. More of one: tacit module NAME`,
  );
  return [...lines, "", said, ...notesOf(notes, page)].join("\n");
}

/** The digest as it was chosen to fit. */
export function renderModule({ sections, notes }: Pick<ModuleDigest, "sections" | "notes">, page: Page): string {
  const parts = sections.map(({ title, lines }) =>
    [page.paint("bold", oneLine(title, page)), ...lines.map((line) => `  ${oneLine(line, page)}`)].join("\n"),
  );
  return [...parts, ...notesOf(notes, page)].join("\n\n");
}

export function renderDescribed({ described, unchanged, failed, left }: DescribedModules, page: Page): string {
  return [
    ...described.map(
      ({ module, purpose }) => `${page.paint("bold", oneLine(module, page))}  ${oneLine(purpose, page)}`,
    ),
    ...failed.map(({ module, problem }) => page.paint("yellow", `${oneLine(module, page)}: ${oneLine(problem, page)}`)),
    `${countOf(described.length, "module")} described, ${unchanged.length} unchanged since${left.length === 0 ? "." : `, ${left.length} left.`}`,
  ].join("\n");
}

function notesOf(notes: readonly string[], page: Page): string[] {
  return notes.map((note) => page.paint("yellow", oneLine(note, page)));
}
