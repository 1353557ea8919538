import { moduleOf } from "../scratchpad/module-of.js";
import type { Action, Scratchpad, SpokenSaying } from "../scratchpad/session-view.js";
import { position } from "../scratchpad/during.js";
import { evidenceOf } from "./action-evidence.js";
import { newestText, textsOf } from "./past-data.js";
import { isProjectFile, projectFiles } from "../scratchpad/project-files.js";
import type { Draft, PastSighting, Sighting, Signal } from "./signal.js";
import { asserts, byName, substanceOf } from "./substance-of.js";
import { code, sentence, shorten } from "./wording.js";

/**
 * The agent says that it was wrong about something, and what is so instead.
 *
 * It must not see: a change of plan ("let me reconsider the order"), a comment ("Actually, that works"), a sentence that
 * names nothing, and a test that is red before it is green. What an agent only does, without a word, is for the signals of
 * errors, of what is taken back and of dead ends.
 */
export const selfCorrection: Signal = {
  name: "self-correction",
  wording: { by: "agent" },
  diagnostic: 0.96,
  crossSession: 0.8,
  falsePositives: 0.2,
  promotesTo: ["gotcha", "module_insight"],
  sessions: 1,
  detect,
  compose,
};

// One who corrects itself more often in one session is thinking aloud.
const maxOfSession = 12;
const maxCorrections = 60;
// A correction is about what was touched just before or just after it.
const near = 3;

function detect({ actions, sayings }: Scratchpad): Sighting[] {
  const found = new Map<string, Sighting>();
  const corrections = sayings.filter(({ is }) => is === "correction").slice(0, maxCorrections);
  const touched = byName(corrections.length === 0 ? [] : actions.flatMap(filesOf));
  for (const saying of corrections) {
    const { before, after } = listAround(actions, saying);
    const around = [...before, ...after];
    const next = after.filter(({ does }) => does === "edit").flatMap(filesOf);
    const substance = substanceOf(saying, touched, { near: around.flatMap(filesOf), next: next.slice(0, 1) });
    if (!substance) continue;
    const { actual, believed, topic, files } = substance;
    const subject = shorten([files[0] ?? "", keyOf(actual)].filter((part) => part !== "").join(": "), 200);
    const rested = around.filter((action) => filesOf(action).some((file) => files.includes(file)));
    found.set(subject, {
      signal: "self-correction",
      subject,
      orders: [saying.order, ...rested.map(({ order }) => order)],
      data: { actual, ...(believed !== undefined && { believed }), ...(topic !== undefined && { topic }), files },
      evidence: evidenceOf(rested, [saying]),
    });
    if (found.size >= maxOfSession) break;
  }
  return [...found.values()];
}

function filesOf(action: Action): string[] {
  return action.does === "read" || action.does === "edit" ? projectFiles(action) : [];
}

/** The actions just before a saying, the nearest first, and those just after it. */
function listAround(actions: readonly Action[], { order }: SpokenSaying): { before: Action[]; after: Action[] } {
  const at = position(actions, order);
  return { before: actions.slice(Math.max(0, at - near), at).toReversed(), after: actions.slice(at, at + near) };
}

/** A statement as it is recognised again: its words alone. */
function keyOf(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []).join(" ");
}

function compose(_subject: string, sightings: readonly PastSighting[]): Draft | undefined {
  const newest = sightings.at(-1);
  const actual = newest && newestText([newest], "actual");
  if (!newest || actual === undefined) return undefined;
  const [believed, topic] = ["believed", "topic"].map((name) => newestText([newest], name));
  const files = textsOf(newest, "files").filter(isProjectFile);
  const [file] = files;
  const isNamed = file === undefined || files.some((one) => actual.includes(one.slice(one.lastIndexOf("/") + 1)));
  const parts = [...statementsOf(actual, believed, topic), isNamed ? "" : `It came up in ${code(file)}`];
  return {
    type: explains.test(actual) && !warns.test(actual) ? "module_insight" : "gotcha",
    content: parts
      .filter((part) => part !== "")
      .map(sentence)
      .join(" "),
    data: { actual, ...(believed !== undefined && { believed }), ...(topic !== undefined && { topic }) },
    relatedFiles: files,
    relatedModules: [...new Set(files.map(moduleOf))],
  };
}

/** What is so, and how one goes wrong: a topic is not a belief, and a belief is either a thing or a whole sentence. */
function statementsOf(actual: string, believed: string | undefined, topic: string | undefined): string[] {
  if (topic !== undefined) {
    const isQuestion = /^(?:how|what|where|why|when|which|who|whether)\b/i.test(topic);
    return [`${actual}; an agent ${isQuestion ? `was first wrong about ${topic}` : `first got ${topic} wrong`}`];
  }
  const words = believed?.split(/\s+/).length ?? 0;
  const isShort = believed !== undefined && words <= 4 && !asserts(believed);
  if (isShort && (words === 1 || /^an?\b/i.test(believed))) return [actual, `It is easily taken for ${believed}`];
  // "The tokens expire" or "the old tokens": whether it is a sentence is hard to tell.
  if (believed === undefined || (isShort && /^the\b/i.test(believed))) return [actual];
  // What begins with "it" is understood only after what it is about.
  return /^(?:it|they|this|that|these|those|there)\b/i.test(actual)
    ? [`One easily thinks that ${believed}, but ${actual.charAt(0).toLowerCase()}${actual.slice(1)}`]
    : [actual, `One easily thinks that ${believed}`];
}

const explains =
  /\b(?:is|are|gets?) (?:handled|defined|stored|called|created|built|generated|loaded|read|written|kept|computed|registered|derived|done)\b|\b(?:lives?|comes from|returns|stores|reads|calls|handles|delegates|wraps|implements|works by|consists)\b/i;
const warns =
  /\b(?:must|never|not|cannot|can't|don't|doesn't|isn't|aren't|won't|fails?|breaks?|throws?|needs?|requires?|only|before|unless|instead)\b/i;
