import { wholeText } from "./format-work-state.js";
import type { WorkState } from "./methodology.js";

// Where work stands is said at the end of a session: this is about the last 15 messages of one.
const maxRead = 65_536;
const longestLine = 1000;
const longestEntry = 200;
// What fits on a screen. The latest count: the first are long done.
const maxEntries = 20;

type Standing = "done" | "left" | "blocked";

/**
 * What an agent says is done, left or blocked: ticked and open boxes, and what stands under or behind "Done:", "Next:",
 * "Remaining:", "TODO:", "Blocked:" and their like. What is said later holds. Code is not read, so that a TODO in it is none
 * of ours. Empty where nothing of the kind is said.
 */
export function extractWorkState(sessionOutput: string): WorkState {
  const standings = new Map<string, { entry: string; standing: Standing }>();
  let section: Standing | undefined;
  let hasEntries = false;
  const lines = linesOf(sessionOutput);
  // An odd number of fences in the end of a text: it was cut inside of code.
  const fences = lines.flatMap((line) => fenceIn(line) ?? []);
  let fence = sessionOutput.length > maxRead && fences.length % 2 === 1 ? fences[0] : undefined;

  const tell = (text: string, standing: Standing): void => {
    const entry = tidy(text);
    if (entry === "" || /^(?:none|nothing|n\/a|no|-)$/i.test(entry)) return;
    const key = entry.toLowerCase();
    standings.delete(key);
    standings.set(key, { entry, standing });
    hasEntries = true;
  };

  for (const line of lines) {
    const mark = fenceIn(line);
    if (mark !== undefined) fence = fence === undefined ? mark : fence === mark ? undefined : fence;
    if (mark !== undefined || fence !== undefined) continue;

    const box = /^\s*(?:[-*+]|\d{1,3}[.)])?\s*(?:\[([ xX✓✔])\]|([✅☑✓✔☐]))\s*(.+)$/u.exec(line);
    const heading = headingIn(line);
    const bullet = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+(.+)$/u.exec(line);
    if (box) {
      const sign = box[1] ?? box[2] ?? " ";
      const open: Standing = section === "blocked" ? "blocked" : "left";
      tell(box[3] ?? "", sign === " " || sign === "☐" ? open : "done");
    } else if (heading) {
      section = heading.standing;
      hasEntries = false;
      if (heading.rest !== "") tell(heading.rest, section);
    } else if (section !== undefined && bullet) {
      tell(bullet[1] ?? "", section);
    } else if (section !== undefined && line.trim() !== "") {
      // A sentence right under a heading belongs to it; after its entries something else begins.
      if (hasEntries || /^\s{0,3}#/.test(line)) section = undefined;
      else tell(line, section);
    }
  }
  return toState([...standings.values()]);
}

/** The lines of the end of a text, whole ones. A line that is longer than anybody writes is data. */
function linesOf(text: string): string[] {
  return text
    .slice(-maxRead)
    .split(/\r\n?|\n/)
    .slice(text.length > maxRead ? 1 : 0)
    .filter((line) => line.length <= longestLine);
}

function fenceIn(line: string): string | undefined {
  return /^\s{0,3}(`|~)\1\1/.exec(line)?.[1];
}

const words: readonly (readonly [standing: Standing, words: string])[] = [
  ["done", "done(?: so far)?|completed?(?: so far)?|finished|what (?:i(?:'ve| have)? |was )(?:did|done)"],
  [
    "left",
    "next(?: steps?| up)?|remaining(?: (?:work|steps?|tasks?))?|to[- ]?dos?|left(?: to do)?|still (?:to do|open|missing)|not (?:yet )?done(?: yet)?|in progress|pending|open (?:items|tasks|points)",
  ],
  ["blocked", "blocked(?: (?:by|on))?|blockers?|stuck(?: on)?|waiting (?:for|on)"],
];

// "Done: …", "## Next steps", "**Blocked:**", "Remaining work (3):". Without a colon only as a heading of its own.
const headings = words.map(
  ([standing, alternatives]) =>
    [
      standing,
      new RegExp(
        `^\\s{0,3}(?:[-*+] )?(#{1,6} |\\*\\*|__)?(?:[✅❌⏳🚧] ?)?(?:${alternatives})(?: \\(\\d{1,4}\\))?(\\*\\*|__)?(:)?(?:\\*\\*|__)?(?: (.*))?$`,
        "iu",
      ),
    ] as const,
);

function headingIn(line: string): { standing: Standing; rest: string } | undefined {
  const text = line.trimEnd();
  for (const [standing, pattern] of headings) {
    const [all, opened, closed, colon, rest = ""] = pattern.exec(text) ?? [];
    if (all === undefined) continue;
    if (colon !== undefined) return { standing, rest };
    const isAlone = rest === "" && (opened?.startsWith("#") === true || (opened !== undefined && closed !== undefined));
    if (isAlone) return { standing, rest };
  }
  return undefined;
}

function tidy(text: string): string {
  const line = wholeText(text)
    .replace(/\*\*|__|~~/g, "")
    .replace(/\s+/g, " ")
    .trim();
  const letters = Array.from(line);
  return letters.length <= longestEntry ? line : `${letters.slice(0, longestEntry - 1).join("")}…`;
}

function toState(found: readonly { entry: string; standing: Standing }[]): WorkState {
  const of = (wanted: Standing) =>
    found
      .filter(({ standing }) => standing === wanted)
      .map(({ entry }) => entry)
      .slice(-maxEntries);
  return Object.fromEntries(
    (["done", "left", "blocked"] as const)
      .map((standing) => [standing, of(standing)])
      .filter(([, list]) => list?.length),
  );
}
