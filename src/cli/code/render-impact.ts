import type { CodeImpact } from "../../index.js";
import { countOf } from "../../base/count-of.js";
import type { Page } from "../terminal/page.js";
import { oneLine } from "../terminal/one-line.js";
import { renderMemoryList } from "../listing/render-memory-list.js";

type Dependent = CodeImpact["dependents"][number];

// Names beyond these are many small ones as a rule; --json has all.
const namesShown = 8;

// What fits on a page or two; --limit tells another number, and --json has all.
const dependentsShown = 40;
const testsShown = 20;

/** What a change can concern: what is known about it and which tests to run, then who depends on it, by depth and file. */
export function renderImpact(impact: CodeImpact, page: Page, { isLimited = false } = {}): string {
  const shown = isLimited ? impact.dependents : impact.dependents.slice(0, dependentsShown);
  const sections = [
    renderTarget(impact, page),
    renderConcepts(impact, page),
    renderMemories(impact, page),
    renderTests(impact, page),
    ...renderDependents(shown, page),
    renderRest(impact, shown.length, page),
    renderUnresolved(impact, page),
    impact.notes.map((note) => page.paint("yellow", oneLine(note, page))).join("\n"),
  ];
  return sections.filter((section) => section !== "").join("\n\n");
}

function renderTarget({ target, dependents, isCut }: CodeImpact, page: Page): string {
  const [first] = target;
  const name = first && target.length === 1 ? oneLine(first.id, page) : countOf(target.length, nounOf(target));
  const files = new Set(dependents.map(({ node }) => node.file)).size;
  if (dependents.length === 0) return `Nothing known depends on ${page.paint("bold", name)}.`;
  const most = isCut ? "The nearest " : "";
  return `${most}${countOf(dependents.length, "dependent")} of ${page.paint("bold", name)} in ${countOf(files, "file")}`;
}

/** A folder has files, a pattern may lead to symbols, too. */
function nounOf(target: CodeImpact["target"]): string {
  return target.every(({ kind }) => kind === "file") ? "file" : "place";
}

/** A paragraph a depth, a line a dependent, those of one file under each other. */
function renderDependents(dependents: readonly Dependent[], page: Page): string[] {
  const depths = new Map<number, Dependent[]>();
  for (const dependent of dependents) depths.set(dependent.depth, [...(depths.get(dependent.depth) ?? []), dependent]);
  return [...depths].map(([depth, group]) => {
    const heading = depth === 1 ? "Directly" : `${depth} steps away`;
    const lines = byFile(group).map((dependent) => renderDependent(dependent, page));
    return [page.paint("bold", heading), ...lines].join("\n");
  });
}

/** The files in the order of their nearest and surest, as they came. */
function byFile(dependents: readonly Dependent[]): Dependent[] {
  const files = new Map<string, Dependent[]>();
  for (const dependent of dependents) {
    const group = files.get(dependent.node.file);
    if (group) group.push(dependent);
    else files.set(dependent.node.file, [dependent]);
  }
  return [...files.values()].flat();
}

/** `src/cli/x.ts:12  run → calls (0.98)`; further away with what it hangs on. */
function renderDependent({ node, kinds, path, confidence, depth, line }: Dependent, page: Page): string {
  const place = oneLine(line === undefined ? node.file : `${node.file}:${line}`, page);
  const symbol = node.id === node.file ? "" : `${oneLine(node.id.slice(node.file.length + 1), page)} `;
  const through = depth > 1 ? ` ${oneLine(path.at(-2) ?? "", page)}` : "";
  const sureness = page.paint("dim", `(${confidence.toFixed(2)})`);
  return `  ${page.paint("cyan", place)}  ${symbol}→ ${kinds.at(-1)}${through} ${sureness}`;
}

function renderRest({ dependents, mayGoOn }: CodeImpact, shown: number, page: Page): string {
  const left = dependents.length - shown;
  const deepest = Math.max(0, ...dependents.map(({ depth }) => depth));
  return [
    ...(left > 0 ? [`… and ${countOf(left, "more dependent")}: --limit ${dependents.length} shows them all.`] : []),
    ...(mayGoOn ? [`More may lie beyond ${countOf(deepest, "step")}: --depth ${deepest * 2}.`] : []),
  ]
    .map((line) => page.paint("dim", line))
    .join("\n");
}

function renderTests({ tests }: CodeImpact, page: Page): string {
  if (tests.length === 0) return "";
  const lines = tests.slice(0, testsShown).map(({ file, depth, through }) => {
    const reason = depth === 0 ? "" : page.paint("dim", `  through ${oneLine(through, page)}`);
    return `  ${oneLine(file, page)}${reason}`;
  });
  const left = tests.length - testsShown;
  const more = left > 0 ? [page.paint("dim", `  … and ${countOf(left, "more test file")}; --json names all`)] : [];
  return [page.paint("bold", "Tests to run"), ...lines, ...more].join("\n");
}

/** The patterns that it is built by and the decisions about it; what they say stands below, with their memories. */
function renderConcepts({ concepts, target }: CodeImpact, page: Page): string {
  if (concepts.length === 0) return "";
  const lines = concepts.map(({ id, on, isUnverified }) => {
    const through = target.length === 1 && target[0]?.id === on ? "" : `  on ${oneLine(on, page)}`;
    return `  ${oneLine(id, page)}${isUnverified ? " (unverified)" : ""}${page.paint("dim", through)}`;
  });
  return [page.paint("bold", "Patterns and decisions"), ...lines].join("\n");
}

function renderMemories({ memories }: CodeImpact, page: Page): string {
  if (memories.length === 0) return "";
  const groups = new Map<string, CodeImpact["memories"][number]["memory"][]>();
  for (const { memory, on } of memories) groups.set(on, [...(groups.get(on) ?? []), memory]);
  const parts = [...groups].map(
    ([on, group]) => `${page.paint("dim", `on ${oneLine(on, page)}`)}\n${renderMemoryList(group, page)}`,
  );
  return [page.paint("bold", "Memories"), ...parts].join("\n");
}

function renderUnresolved({ unresolved: { sites, files, names } }: CodeImpact, page: Page): string {
  if (sites === 0) return "";
  const told = names.slice(0, namesShown).map((name) => oneLine(name, page));
  const more = names.length > namesShown ? ` and ${names.length - namesShown} more names` : "";
  const may = sites === 1 ? "It may be a dependent" : "They may be dependents";
  return page.paint(
    "yellow",
    `Not resolved: ${countOf(sites, "call")} in ${countOf(files, "file")} by the name ${told.join(", ")}${more}. ${may} too.`,
  );
}
