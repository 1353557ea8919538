import type { SignalName } from "../observer.js";
import type { Scratchpad } from "./session-view.js";

/** Something that is worth a look while the session still goes on. */
export interface Acute {
  signal: SignalName;
  /** 0 to 1. */
  priority: number;
  /** What it is about: a pattern, an error's fingerprint, a file. */
  subject: string;
  /** A sentence for people. */
  text: string;
  files: string[];
}

// Priorities and counts: seed of the product.
const sameSearches = 3;
const differentErrors = 2;
const editsBesides = 2;
// More than these nobody looks at, and the cost stays the same however long a session is.
const maxOfAKind = 5;
const longestQuote = 200;

/**
 * What a session shows already: a correction of the agent by itself, the same search three times, two different errors,
 * configuration changed along with other files. The most pressing first. Nothing is learned from it before the end.
 */
export function findAcute(pad: Scratchpad): Acute[] {
  return [...corrections(pad), ...searches(pad), ...errors(pad), ...configuration(pad)].toSorted(
    (a, b) => b.priority - a.priority,
  );
}

function corrections({ analytics, sayings, actions }: Scratchpad): Acute[] {
  if (analytics.corrections === 0) return [];
  const newest = sayings.filter(({ is }) => is === "correction").slice(-maxOfAKind);
  return newest.map(({ text, order }) => {
    const before = actions.findLast((action) => action.order < order && action.files);
    const subject = quoted(text);
    return {
      signal: "self-correction",
      priority: 0.9,
      subject,
      text: `Corrected itself: ${subject}`,
      files: before?.files ?? [],
    };
  });
}

function searches({ analytics, actions }: Scratchpad): Acute[] {
  const repeated = [...analytics.searches]
    .filter(([pattern, times]) => times >= sameSearches && saysSomething(pattern))
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, maxOfAKind);
  return repeated.map(([pattern, times]) => ({
    signal: "repeated-search",
    priority: 0.8,
    subject: pattern,
    text: `Searched ${times} times for \`${quoted(pattern)}\`.`,
    files: fileAfter(actions, pattern),
  }));
}

/** `**` and `.` are how an agent looks around, not something that it looks for. */
function saysSomething(pattern: string): boolean {
  return /[\p{L}\p{N}_]{3}/u.test(pattern);
}

/** The file that was opened after the last of these searches. */
function fileAfter(actions: Scratchpad["actions"], pattern: string): string[] {
  const last = actions.findLastIndex(({ search }) => search?.pattern.trim() === pattern);
  const next = last === -1 ? undefined : actions[last + 1];
  return next && (next.does === "read" || next.does === "edit") ? (next.files ?? []) : [];
}

function errors({ analytics, actions }: Scratchpad): Acute[] {
  if (analytics.errors.size < differentErrors) return [];
  const last = actions.findLast(({ error }) => error !== undefined)?.error;
  const told = last?.message ? `, the last of them: ${quoted(last.message)}` : "";
  return [
    {
      signal: "error-retry",
      priority: 0.75,
      subject: last?.fingerprint ?? [...analytics.errors.keys()].at(-1) ?? "",
      text: `Ran into ${analytics.errors.size} different errors${told || "."}`,
      files: last?.file === undefined ? [] : [last.file],
    },
  ];
}

function configuration({ analytics: { configTouched, filesEdited } }: Scratchpad): Acute[] {
  const touched = [...configTouched].slice(0, maxOfAKind);
  const others = [...filesEdited].filter((file) => !configTouched.has(file));
  if (touched.length === 0 || others.length < editsBesides) return [];
  const names = touched.map((file) => `\`${file}\``).join(", ");
  return [
    {
      signal: "config-touch",
      priority: 0.7,
      subject: touched.join(" + "),
      text: `Changed ${names} along with ${others.length} other files.`,
      files: [...touched, ...others.slice(0, maxOfAKind)],
    },
  ];
}

function quoted(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > longestQuote ? `${line.slice(0, longestQuote - 1)}…` : line;
}
