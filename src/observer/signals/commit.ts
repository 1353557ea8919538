import { moduleOf } from "../scratchpad/module-of.js";
import { identifier } from "../notes/identifier.js";
import type { OrderedNote, Scratchpad } from "../scratchpad/session-view.js";
import { during } from "../scratchpad/during.js";
import { hasFailed, timeOf } from "./action-evidence.js";
import { newestText, textsOf } from "./past-data.js";
import { isProjectFile } from "../scratchpad/project-files.js";
import type { Draft, PastSighting, Sighting, Signal } from "./signal.js";
import { sentence, shorten } from "./wording.js";

const maxFiles = 10;
const maxMessage = 4000;
const maxHeadline = 300;
const leastWords = 8;

/**
 * A commit whose message says why: that is a decision. A message that only says what changed, a merge, a revert, a new
 * version of a dependency and work in progress show nothing.
 */
export const commit: Signal = {
  name: "commit",
  wording: { by: "git" },
  diagnostic: 0.8,
  crossSession: 0.8,
  falsePositives: 0.2,
  promotesTo: ["decision"],
  sessions: 1,
  detect,
  compose,
};

function detect(pad: Scratchpad): Sighting[] {
  // A commit that was amended comes twice; the last one is in the history.
  const byHeadline = new Map<string, Sighting>();
  const since = new Map<string, number>();
  let before = -Infinity;
  for (const note of pad.commits) {
    const decision = isSha.test(note.sha) ? decisionOf(note.message) : undefined;
    if (decision) {
      const from = since.get(decision.headline) ?? before;
      since.set(decision.headline, from);
      const files = note.files.length > 0 ? note.files : editedBetween(pad, from, note.order);
      byHeadline.set(decision.headline, sightingOf({ ...note, files }, decision));
    }
    before = note.order;
  }
  return [...byHeadline.values()];
}

/** Git does not say what it committed, so that it is what was edited since the commit before it. */
function editedBetween(pad: Scratchpad, first: number, last: number): string[] {
  const edits = during(pad.actions, first, last).filter((action) => action.does === "edit" && !hasFailed(action));
  return [...new Set(edits.flatMap(({ files = [] }) => files))];
}

const isSha = /^[0-9a-f]{7,64}$/i;

interface Decision {
  headline: string;
  why: string;
  breaking: boolean;
}

function decisionOf(message: string): Decision | undefined {
  const [line = "", ...rest] = message.trim().slice(0, maxMessage).split("\n");
  const first = line.trim().slice(0, maxHeadline);
  const [, kind, bang, said = ""] = /^(?:([a-z]+)(?:\([^)]*\))?(!)?:\s+)?(.*)$/i.exec(first) ?? [];
  if (said === "" || noDecision.test(first)) return undefined;
  const footer = rest.findIndex((one) => breakingChange.test(one));
  const body = proseOf(footer < 0 ? rest : rest.slice(0, footer));
  const change = footer < 0 ? "" : proseOf(rest.slice(footer).map((one) => one.replace(breakingChange, "")));
  const sentences = body.split(/(?<=[.!?])\s+(?=[\p{Lu}"'`(])/u).filter((one) => one !== "");
  const reasons = sentences.filter((one) => givesReason(one));
  const explains = kind !== undefined && deciding.has(kind.toLowerCase()) && body.split(" ").length >= leastWords;
  const why = [...(reasons.length > 0 ? reasons : explains ? sentences : []).slice(0, 2), change].join(" ").trim();
  if (why === "" && !isReason(said)) return undefined;
  return { headline: said, why: shorten(why, 400), breaking: change !== "" || bang !== undefined };
}

const breakingChange = /^\s*BREAKING[ -]CHANGE:\s*/;
const deciding: ReadonlySet<string> = new Set(["feat", "fix", "refactor", "perf", "security"]);
const noDecision =
  /^(?:merge\b|revert\b|(?:fixup|squash|amend)!|wip\b|bump\b|release\b|(?:build|chore)\(deps|v?\d+\.\d+|.{0,12}\bbump .+ from .+ to )/i;

/**
 * Whether a headline alone says why: it names what stands behind its "because". "Address comments instead of leaving them
 * open" says only what was done.
 */
function isReason(headline: string): boolean {
  if (!givesReason(headline)) return false;
  const text = headline.replace(/\bCI\b/g, "it");
  const cause = /\b(?:because|to avoid|to prevent|due to)\b(.*)$/iu.exec(text)?.[1];
  if (cause !== undefined && (identifier.test(text) || namesThing.test(cause))) return true;
  const other = cause ?? /\b(?:rather than|instead of)\b(.*)$/iu.exec(text)?.[1] ?? "";
  return identifier.test(other) || /\s\p{Lu}\p{Ll}/u.test(other);
}

const namesThing =
  /\b(?:the|an?|each|every|two|some|most|many) (?!(?:tests?|builds?|ci|lint(?:er|s)?|checks?|snapshots?|pipeline|review(?:er|s)?|users?|comments?)\b)\p{L}{3}/iu;

/** A reason stands behind one of these, and takes some words: "because" alone is none, and that tests pass is none ever. */
function givesReason(text: string): boolean {
  if (onlyToPass.test(text)) return false;
  return (
    /\b(?:because|so that|instead of|rather than|in order to|in order not to|to avoid|to prevent|due to|otherwise|as opposed to)\b(?:\W+[\p{L}\p{N}_]+){2}/iu.test(
      text,
    ) && text.split(/\s+/).length >= 5
  );
}

const onlyToPass =
  /\b(?:so that|in order to (?:make|get|let|have)) (?:all )?(?:the |our )?(?:[\w-]+ )?(?:tests?|ci|builds?|lint(?:er|ing)?|checks?|pipeline|suite)\b.{0,20}\b(?:pass(?:es)?|green|works?|succeeds?)\b/i;

/**
 * The body's sentences in one line: without trailers, quotations and what tools sign with, and without lists of what was
 * changed, unless an item says why.
 */
function proseOf(lines: readonly string[]): string {
  const parts: string[] = [];
  let isOpen = false;
  for (const line of lines.filter((one) => !notProse.test(one))) {
    const text = line.trim();
    if (text !== "" && isOpen && !isItem.test(text)) parts.push(`${parts.pop()} ${text}`);
    else if (text !== "") parts.push(text);
    isOpen = text !== "";
  }
  return parts
    .filter((part) => !isItem.test(part) || givesReason(part))
    .map((part) => sentence(part.replace(isItem, "")))
    .join(" ")
    .replace(/\s+/g, " ");
}

const isItem = /^(?:[-*•+]|\d+[.)])\s+/;
const notProse =
  /^\s*(?:[A-Z][A-Za-z]*(?:-[A-Za-z]+)+:|(?:fix(?:es|ed)?|close[sd]?|refs?|resolve[sd]?|see)\b:?\s*(?:#|https?:|[A-Z]+-\d)|>|```|diff |\P{ASCII}*\s*Generated (?:with|by)\b)/iu;

function sightingOf({ sha, message, files, order, at }: OrderedNote<"commit">, decision: Decision): Sighting {
  return {
    signal: "commit",
    subject: sha.toLowerCase(),
    orders: [order],
    data: {
      headline: shorten(decision.headline, 200),
      why: decision.why,
      breaking: decision.breaking,
      files: files.filter(isProjectFile).slice(0, maxFiles),
    },
    evidence: [
      { at: timeOf(at), did: `committed ${sha.slice(0, 10)}: ${shorten(message.split("\n", 1)[0] ?? "", 120)}` },
    ],
  };
}

function compose(subject: string, sightings: readonly PastSighting[]): Draft | undefined {
  const latest = sightings.at(-1);
  const headline = newestText(sightings, "headline");
  if (!latest || !headline) return undefined;
  const files = textsOf(latest, "files");
  const isBreaking = latest.data.breaking === true;
  return {
    type: "decision",
    content: [
      sentence(headline),
      sentence(newestText(sightings, "why") ?? ""),
      isBreaking && "This breaks what was before.",
    ]
      .filter(Boolean)
      .join(" "),
    data: { headline, commit: subject, ...(isBreaking && { breaking: true }) },
    relatedFiles: files,
    relatedModules: [...new Set(files.map(moduleOf))].filter((module) => module !== ".").slice(0, 5),
    commit: subject,
    source: "commit_auto",
  };
}
