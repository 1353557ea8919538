import { sessionTypes } from "../../config/config.js";
import { injectionPoints, type Note } from "../observer.js";

/**
 * A note with the fields that notes of its kind have, each of the right type, and no others. Of what it does not know or
 * cannot use it is silent; undefined where too little is left. Notes come from files that other versions wrote and that a
 * disk may have damaged, and everything behind this trusts the types.
 */
export function validateNote(value: unknown): Note | undefined {
  if (!isRecord(value) || typeof value["kind"] !== "string" || !Object.hasOwn(shapes, value["kind"])) return undefined;
  const kind = value["kind"] as Note["kind"];
  // Without a time it stands where it stands among the others.
  const note: Record<string, unknown> = { kind, ...(isNumber(value["at"]) && { at: value["at"] }) };
  for (const [field, check, isNeeded] of shapes[kind]) {
    const found = value[field];
    if (found !== undefined && check(found)) note[field] = found;
    else if (isNeeded) return undefined;
  }
  return note as unknown as Note;
}

type Check = (value: unknown) => boolean;
type Field = readonly [name: string, check: Check, isNeeded?: boolean];

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
const isText: Check = (value) => typeof value === "string";
const isNumber: Check = (value) => typeof value === "number" && Number.isFinite(value);
const isTruth: Check = (value) => typeof value === "boolean";
const areTexts: Check = (value) => Array.isArray(value) && value.every(isText);

function isOneOf(...values: string[]): Check {
  const known = new Set<unknown>(values);
  return (value) => known.has(value);
}

function hasAll(check: Check, ...names: string[]): Check {
  return (value) => isRecord(value) && names.every((name) => check(value[name]));
}

const isPair: Check = (value) => Array.isArray(value) && value.length === 2 && value.every(isText);
const isEdit: Check = (value) => isRecord(value) && Array.isArray(value["pairs"]) && value["pairs"].every(isPair);
const isRestoring: Check = (value) =>
  isRecord(value) && (value["restores"] === undefined || areTexts(value["restores"]));
const isNamed = hasAll(isText, "line", "name");
const isCommand: Check = (value) => isNamed(value) && isRestoring(value);
const isSaying = hasAll(isText, "is", "text");
const areSayings: Check = (value) => Array.isArray(value) && value.every(isSaying);
const isIssue = hasAll(isText, "title");
const areIssues: Check = (value) => Array.isArray(value) && value.every(isIssue);
const isUnit: Check = (value) => hasAll(isText, "methodology", "label")(value) && hasAll(areTexts, "hierarchy")(value);
const isInjected: Check = (value) => hasAll(isText, "id")(value) && hasAll(isNumber, "tokens")(value);
const areInjected: Check = (value) => Array.isArray(value) && value.every(isInjected);
const isOutside = hasAll(isText, "from", "what");

const shapes: Record<Note["kind"], readonly Field[]> = {
  start: [
    ["agent", isText],
    ["type", isOneOf(...sessionTypes)],
    ["root", isText, true],
    ["commit", isText],
    ["branch", isText],
    ["task", isText],
    ["plannedSteps", isNumber],
    ["subtasks", isNumber],
    ["methodology", isText],
    ["transcript", isText],
  ],
  prompt: [["text", isText, true]],
  call: [
    ["call", isText, true],
    ["tool", isText, true],
    ["does", isOneOf("read", "edit", "search", "run", "fetch", "other"), true],
    ["files", areTexts],
    ["shows", areTexts],
    ["copies", areTexts],
    ["makes", areTexts],
    ["edit", isEdit],
    ["search", hasAll(isText, "pattern")],
    ["command", isCommand],
    ["url", isText],
    ["on", isText],
    ["runs", areTexts],
    ["ruledBy", areTexts],
    ["builds", areTexts],
    ["outside", isOutside],
    ["own", isTruth],
    ["asksTacit", isTruth],
    ["remembers", isText],
    ["vouches", isTruth],
    ["merges", isTruth],
    ["late", isTruth],
  ],
  result: [
    ["call", isText, true],
    ["failed", isTruth],
    ["pending", isTruth],
    ["error", hasAll(isText, "fingerprint", "message", "kind")],
    ["bytes", isNumber],
    ["found", isNumber],
    ["names", areTexts],
    ["imports", areTexts],
    ["tests", hasAll(isNumber, "passed", "failed")],
    ["instructions", areTexts],
    ["durationMs", isNumber],
    ["outside", isOutside],
    ["wordless", isTruth],
    ["isTrusted", isTruth],
    ["answer", isText],
  ],
  said: [
    ["sayings", areSayings, true],
    ["cites", areTexts],
  ],
  step: [
    ["inputTokens", isNumber],
    ["outputTokens", isNumber],
  ],
  unit: [
    ["unit", isUnit, true],
    ["state", isOneOf("started", "succeeded", "failed"), true],
    ["plannedSteps", isNumber],
    ["summary", isText],
  ],
  subagent: [
    ["state", isOneOf("started", "ended"), true],
    ["child", isText, true],
    ["task", isText],
  ],
  qa: [
    ["passed", isTruth, true],
    ["issues", areIssues, true],
  ],
  commit: [
    ["sha", isText, true],
    ["message", isText, true],
    ["files", areTexts, true],
  ],
  injected: [
    ["point", isOneOf(...injectionPoints), true],
    ["trigger", isText],
    ["memories", areInjected, true],
    ["files", isNumber],
    ["tokens", isNumber, true],
  ],
  compacted: [["transcript", isText]],
  remember: [
    ["mark", isText, true],
    ["memoryType", isText],
  ],
  end: [
    ["outcome", isOneOf("success", "failure", "abandoned", "unknown"), true],
    ["reason", isText],
    ["branch", isText],
    ["transcript", isText],
  ],
};
