import type { Action, Attempt, Scratchpad, SpokenSaying } from "../scratchpad/session-view.js";
import { costOf } from "./cost-of.js";
import { during } from "../scratchpad/during.js";
import { evidenceOf, hasFailed } from "./action-evidence.js";
import { namedFiles } from "./named-files.js";
import { newestText, textsOf } from "./past-data.js";
import { isProjectFile, projectFiles } from "../scratchpad/project-files.js";
import type { Draft, PastSighting, Sighting, Signal } from "./signal.js";
import { findRequest, findTask } from "./find-task.js";
import { code, sentence, shorten } from "./wording.js";

const maxFiles = 8;

/**
 * A way was tried, it failed, and another one held, or the agent said why it gave up. What is only edited again until it
 * works, what was put in to look at something and taken out again, and what was given up without a reason to be seen show
 * nothing.
 */
export const deadEnd: Signal = {
  name: "dead-end",
  wording: { by: "agent" },
  diagnostic: 0.9,
  crossSession: 0.8,
  falsePositives: 0.15,
  promotesTo: ["dead_end"],
  sessions: 1,
  detect,
  compose,
};

/**
 * What an attempt is about, the same in every session that tries it: its files and the error that came of it. Empty where
 * it has no file of the project.
 *
 * @example
 * deadEndSubject(attempt) // "src/cache.ts + src/store.ts: 3f2a…"
 */
export function deadEndSubject({ files, error }: Attempt): string {
  const own = [...new Set(files.filter(isProjectFile))].toSorted().slice(0, maxFiles).join(" + ");
  return own !== "" && error ? `${own}: ${error.fingerprint}` : own;
}

function detect(pad: Scratchpad): Sighting[] {
  const bySubject = new Map<string, Sighting>();
  for (const attempt of pad.attempts()) {
    const subject = deadEndSubject(attempt);
    if (subject === "" || bySubject.has(subject) || !isDeadEnd(attempt, pad) || isProbe(attempt, pad)) continue;
    const sighting = sightingOf(subject, attempt, pad);
    if (sighting) bySubject.set(subject, sighting);
  }
  return [...bySubject.values()];
}

function isDeadEnd(attempt: Attempt, pad: Scratchpad): boolean {
  const { fate, because, sayings, first, files } = attempt;
  const [isReverted, hasError, isSaid] = [
    because.includes("reverted"),
    because.includes("error"),
    because.includes("said"),
  ];
  if (fate !== "abandoned" || !(isReverted || hasError)) return false;
  if (sayings.some(({ is, text }) => is === "plan" && lookingInto.test(text))) return false;
  const instead = insteadOf(attempt, pad);
  if (isSaid || planBefore(sayings, first)) return isSaid || instead !== undefined;
  // Without a word, what is edited until it works looks the same, unless what worked was done elsewhere.
  return isReverted && hasError && instead !== undefined && !instead.files.some((file) => files.includes(file));
}

const lookingInto =
  /\b(?:add|put|insert|use)(?:ing)?\b.{0,40}\b(?:logs?|logging|prints?|debug\w*|trac(?:e|es|ing)|console)\b|\btemporar(?:y|ily)\b/i;

// A line for debugging takes one to three.
const linesOfProbe = 3;

/** Few lines, put in without a word while something failed, that left it failing as before: that is how one looks. */
function isProbe({ first, last, error, sayings }: Attempt, { actions }: Scratchpad): boolean {
  if (!error || sayings.some(({ is }) => is !== "correction")) return false;
  const edits = during(actions, first, last).filter((action) => action.does === "edit" && !hasFailed(action));
  const lines = edits.reduce((sum, { edit }) => sum + (edit?.lines ?? linesOfProbe + 1), 0);
  return lines <= linesOfProbe && actions.some((action) => action.order < first && isSameError(action, error));
}

function isSameError(action: Action, { fingerprint }: NonNullable<Attempt["error"]>): boolean {
  return hasFailed(action) && action.error?.fingerprint === fingerprint;
}

function sightingOf(subject: string, attempt: Attempt, pad: Scratchpad): Sighting | undefined {
  const files = attempt.files.filter(isProjectFile);
  const actions = during(pad.actions, attempt.first, attempt.last).filter(
    (action) => hasFailed(action) || isEditOf(action, files) || action.command?.restores !== undefined,
  );
  const why = whyItFailed(attempt, actions);
  if (!why) return undefined;
  const instead = insteadOf(attempt, pad);
  const spoken = [...attempt.sayings, ...(instead?.sayings ?? [])];
  const plan = planBefore(attempt.sayings, attempt.first);
  const worked = instead && (planBefore(instead.sayings, instead.order) ?? announcedInstead(spoken));
  const task = findTask(pad, attempt.first);
  const said = [...new Set([plan, why.saying, worked].flatMap((part) => (part ? [wholeOf(part, spoken)] : [])))];
  const later = instead ? during(pad.actions, attempt.last + 1, instead.order) : [];
  const held = later
    .filter((action) => action.order === instead?.order || isEditOf(action, instead?.files ?? []))
    .slice(-3);
  return {
    signal: "dead-end",
    subject,
    // First and last besides, because what lay between them may have been evicted.
    orders: [
      ...new Set([
        attempt.first,
        ...[...actions, ...said, ...held].map(({ order }) => order),
        attempt.last,
        ...(instead ? [instead.order] : []),
        ...(task ? [task.order] : []),
      ]),
    ],
    data: {
      files: files.slice(0, maxFiles),
      ...(plan && { plan: shorten(plan.text, 200) }),
      ...(why.error !== undefined && { error: shorten(why.error, 200) }),
      ...(why.run !== undefined && { run: shorten(why.run, 100) }),
      ...(why.saying && { said: shorten(why.saying.text, 200) }),
      ...(instead && { insteadFiles: instead.files.filter(isProjectFile).slice(0, maxFiles) }),
      ...(worked && { insteadPlan: shorten(worked.text, 200) }),
      ...(task && { task: task.text }),
      cost: costOf(during(pad.actions, attempt.first, attempt.last)),
    },
    evidence: evidenceOf([...actions, ...held], said),
  };
}

/** The saying that another one is a part of. */
function wholeOf(part: SpokenSaying, sayings: readonly SpokenSaying[]): SpokenSaying {
  return (
    sayings.find(({ order, is, text }) => order === part.order && is === part.is && text.includes(part.text)) ?? part
  );
}

function isEditOf(action: Action, files: readonly string[]): boolean {
  return action.does === "edit" && projectFiles(action).some((file) => files.includes(file));
}

/** What worked, unless it was about another request and in other files: that is other work. */
function insteadOf({ instead, files, first }: Attempt, pad: Scratchpad): Attempt["instead"] {
  if (!instead || findRequest(pad, first)?.order === findRequest(pad, instead.order)?.order) return instead;
  return instead.files.some((file) => files.includes(file)) ? instead : undefined;
}

/** What shows why: the error that came of it, else the run that failed, and what the agent said of it. */
function whyItFailed({ error: met, sayings, because }: Attempt, actions: readonly Action[]): Why | undefined {
  // One whose text is withheld says less than the run that failed.
  const error = met?.words === undefined ? met : undefined;
  const run = error ? undefined : actions.findLast((action) => hasFailed(action) && action.command)?.command?.name;
  const said = sayings.filter(({ is }) => is === "abandonment" || is === "cause");
  const reasons = said
    .map((saying) => ({ ...saying, text: saying.text.replace(announcesOther, "") }))
    .filter(({ text }) => text.split(/\s+/).length >= 3 && !withoutReason.test(text));
  const isSeen = error !== undefined || run !== undefined;
  // "Let me try a different approach" gives no reason, and is better than none.
  const saying =
    reasons.findLast(({ text }) => /\b(?:because|since|due to)\b/i.test(text)) ??
    reasons.at(-1) ??
    (isSeen ? undefined : said.at(-1));
  if (!isSeen && !(saying && because.includes("said"))) return undefined;
  return { ...(error && { error: error.message }), ...(run !== undefined && { run }), ...(saying && { saying }) };
}

interface Why {
  error?: string;
  run?: string;
  saying?: SpokenSaying;
}

/** "I'll keep the change small" says how, and not what. */
const manner =
  /\b(?:keep|make|leave) (?:it|this|that|them|things|(?:the|this|my) (?:change|diff|fix|edit|patch|scope|code)s?) (?:as )?(?:\w+ and )?(?:small|simple|minimal|short|clean|focused|tidy|as (?:it|they))\b/i;

/** "…, so let me try a different approach: keep rows in the store": what stands behind it is no reason but what was done. */
const announcesOther =
  /(?:^|[,;.–—]?\s+)(?:(?:so|and|then|instead|now)\b,? )*(?:(?:let me|let['’]s|let us|I['’]ll|I will|I (?:should|need to|have to)|we (?:should|need to|have to)|I['’]m going to) )?(?:now |instead )?(?:try|trying|take|use|switch to|go with|find) (?:an? )?(?:completely |totally |entirely )?(?:different|another|alternative) (?:approach|way|idea|strategy|solution|method|path|route|plan|fix)(?: instead)?(?::| [–—-]) (.{8,})$/i;

/** What an agent said that it would do instead, when it gave a way up. */
function announcedInstead(sayings: readonly SpokenSaying[]): SpokenSaying | undefined {
  const announced = sayings.findLast(({ is, text }) => is === "abandonment" && announcesOther.test(text));
  const plan = announced && announcesOther.exec(announced.text)?.[1];
  return announced && plan !== undefined ? { ...announced, text: plan } : undefined;
}

const withoutReason = /^[^,;:]{0,40}\b(?:different|another|other) (?:approach|way|idea)\b[^,;:]{0,10}$/i;

/** What the agent meant to do when it began: what it said last before, else first afterwards. */
function planBefore(sayings: readonly SpokenSaying[], order: number): SpokenSaying | undefined {
  const plans = sayings.filter(({ is, text }) => is === "plan" && !manner.test(text));
  return plans.findLast((plan) => plan.order <= order) ?? plans[0];
}

function compose(_subject: string, sightings: readonly PastSighting[]): Draft | undefined {
  const latest = sightings.at(-1);
  const files = latest ? textsOf(latest, "files") : [];
  const [plan, error, run, said, task] = ["plan", "error", "run", "said", "task"].map((name) =>
    newestText(sightings, name),
  );
  const seen = error ?? (run && `${code(run)} failed`);
  const why = [seen, said && `"${said}"`].filter((part) => part !== undefined).join("; ");
  if (!latest || files.length === 0 || why === "") return undefined;
  const insteadFiles = textsOf(latest, "insteadFiles");
  const alternative = alternativeOf(newestText(sightings, "insteadPlan"), insteadFiles, files);
  const tried = asDeed(plan ? bare(plan) : `editing ${namedFiles(files)}`);
  const failure = error
    ? `it failed with ${code(error.replace(/[\s.]+$/, ""))}`
    : run
      ? `${code(run)} failed with it`
      : "it was given up";
  return {
    type: "dead_end",
    content: [
      sentence(`${task ? `for "${task}", do` : "do"} not try ${tried}: ${failure}`),
      said && `The session's own words: "${said}"`,
      alternative && sentence(`What worked instead: ${alternative}`),
    ]
      .filter(Boolean)
      .join(" "),
    data: {
      approachTried: plan ?? sentence(`editing ${namedFiles(files)}${task ? ` for "${task}"` : ""}`),
      whyItFailed: why,
      ...(alternative && { alternativeUsed: sentence(alternative) }),
      ...(task && { taskContext: task }),
    },
    relatedFiles: [...new Set([...files, ...insteadFiles])].slice(0, 10),
  };
}

function alternativeOf(
  plan: string | undefined,
  files: readonly string[],
  tried: readonly string[],
): string | undefined {
  if (plan) return bare(plan);
  if (files.length === 0) return undefined;
  const isElsewhere = files.some((file) => !tried.includes(file));
  return isElsewhere ? `editing ${namedFiles(files)}` : `another change of ${namedFiles(files)}`;
}

/** What was meant, without how it was announced: "Let me use a WeakMap." is "use a WeakMap". */
function bare(plan: string): string {
  return plan.replace(announcement, "").replace(/(?:\s+instead)?[\s.!:,;]*$/, "");
}

const announcement =
  /^(?:(?:ok(?:ay)?|now|first|so|then|next|alright|right|instead)\b[,:]?\s+)*(?:i['’]?m going to|i am going to|i['’]ll|i will|i (?:want|need|plan) to|i (?:should|can|could)|let['’]s|let me|let us|we['’]ll|we (?:will|should|can|could)|(?:my|the) plan is to|plan:)\s+(?:(?:now|first|then|just|instead|try to|try)\s+)*/i;

/** After "do not try": a deed in -ing as it is, an infinitive with its "to", and anything else in quotes. */
function asDeed(tried: string): string {
  if (/^\w+ing\b/.test(tried)) return tried;
  return /^[a-z]+\b/.test(tried) ? `to ${tried}` : `this: "${tried}"`;
}
