import type { QaIssue } from "../observer.js";
import type { Action, OrderedNote, Scratchpad } from "../scratchpad/session-view.js";
import { during } from "../scratchpad/during.js";
import { evidenceOf, hasFailed, timeOf } from "./action-evidence.js";
import { newestText, textsOf } from "./past-data.js";
import { isProjectFile, projectFiles } from "../scratchpad/project-files.js";
import type { Draft, PastSighting, Sighting, Signal } from "./signal.js";
import { codes, sentence, shorten } from "./wording.js";

const maxIssues = 20;
const maxFiles = 5;

/**
 * What a quality check found wrong, and how it was put right where a later check passed. A check that passed shows nothing,
 * whatever it remarks, and neither does one that names no issue.
 */
export const qa: Signal = {
  name: "qa",
  wording: { by: "agent" },
  diagnostic: 0.9,
  crossSession: 0.7,
  falsePositives: 0.1,
  promotesTo: ["error_pattern", "requirement", "gotcha"],
  sessions: 1,
  detect,
  compose,
};

function detect(pad: Scratchpad): Sighting[] {
  const bySubject = new Map<string, { issue: QaIssue; reports: OrderedNote<"qa">[] }>();
  for (const report of pad.qa) {
    for (const issue of report.passed ? [] : report.issues) {
      const subject = subjectOf(issue);
      if (subject === undefined) continue;
      const reports = bySubject.get(subject)?.reports ?? [];
      if (reports.at(-1) !== report) reports.push(report);
      bySubject.set(subject, { issue, reports });
    }
  }
  return [...bySubject]
    .slice(0, maxIssues)
    .map(([subject, { issue, reports }]) => sightingOf(subject, issue, reports, pad));
}

/** Undefined where an issue says too little to be known again. */
function subjectOf({ title, description, file }: QaIssue): string | undefined {
  const words = title.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  const isTelling = words.length >= 3 || (words.length > 0 && Boolean(description ?? file));
  return isTelling ? `${file && isProjectFile(file) ? `${file}: ` : ""}${words.slice(0, 20).join(" ")}` : undefined;
}

function sightingOf(subject: string, issue: QaIssue, reports: readonly OrderedNote<"qa">[], pad: Scratchpad): Sighting {
  const last = reports.at(-1) as OrderedNote<"qa">;
  const passed = pad.qa.find((report) => report.passed && report.order > last.order);
  const edits = passed ? fixesOf(issue, during(pad.actions, last.order, passed.order)) : [];
  const fixedIn = [...new Set(edits.flatMap(projectFiles))];
  const file = issue.file && isProjectFile(issue.file) ? issue.file : undefined;
  return {
    signal: "qa",
    subject,
    orders: [...reports, ...edits, ...(passed ? [passed] : [])].map(({ order }) => order),
    data: {
      title: shorten(issue.title, 200),
      ...(issue.description && { description: shorten(issue.description, 300) }),
      ...(file && { file }),
      ...(issue.fix && { fix: shorten(issue.fix, 300) }),
      ...(passed && { passed: true, fixedIn: fixedIn.slice(0, maxFiles) }),
    },
    evidence: [
      ...reports.slice(0, 3).map(({ at }) => ({ at: timeOf(at), did: `failed a check: ${shorten(issue.title, 200)}` })),
      ...evidenceOf(edits).slice(0, 6),
      ...(passed ? [{ at: timeOf(passed.at), did: "passed the check" }] : []),
    ],
  };
}

/** The edits that put it right: those of its own file, else all of them where they are few enough to point to. */
function fixesOf({ file }: QaIssue, actions: readonly Action[]): Action[] {
  const edits = actions.filter(
    (action) => action.does === "edit" && !hasFailed(action) && projectFiles(action).length > 0,
  );
  const ownEdits = edits.filter((edit) => file !== undefined && edit.files?.includes(file));
  if (ownEdits.length > 0) return ownEdits;
  return new Set(edits.flatMap(projectFiles)).size <= 3 ? edits : [];
}

function compose(_subject: string, sightings: readonly PastSighting[]): Draft | undefined {
  const latest = sightings.at(-1);
  const [title, description, file, fix] = ["title", "description", "file", "fix"].map((name) =>
    newestText(sightings, name),
  );
  if (!latest || !title) return undefined;
  const fixedIn = textsOf(latest, "fixedIn");
  const isFixed = latest.data.passed === true;
  const files = [...new Set([...(file ? [file] : []), ...fixedIn])];
  const place = file && !`${title} ${description}`.includes(file) ? ` in ${codes([file])}` : "";
  return {
    type: typeOf(`${title} ${description ?? ""}`),
    content: [
      sentence(`A check found${place}: ${title.replace(/[.\s]+$/, "")}`),
      description && sentence(description),
      fix && sentence(`${isFixed ? "What put it right" : "The fix that was asked for"}: ${fix}`),
      !fix && fixedIn.length > 0 && `It was put right in ${codes(fixedIn)}.`,
    ]
      .filter(Boolean)
      .join(" "),
    data: { issue: title, ...(file && { file }), ...(fix && { fix }), ...(isFixed && { fixedIn }) },
    relatedFiles: files,
    source: "qa_auto",
    // Only what passes afterwards shows that it was understood.
    ...(!isFixed && { confidenceOffset: -0.1 }),
  };
}

function typeOf(text: string): string {
  if (anError.test(text)) return "error_pattern";
  return aRequirement.test(text) ? "requirement" : "gotcha";
}

const anError =
  /(?:\b|[a-z])(?:error|exception)s?\b|\b(?:crash|throw|fail|panic|hang|leak|deadlock|time[sd]? ?out|segfault)(?:s|es|ed|ing|ure|ures)?\b|\bundefined\b/i;
const aRequirement =
  /\b(?:must|should|shall|needs? to|has to|have to|required?|requirements?|missing|not implemented|acceptance|spec(?:ification)?)\b/i;
