import { sessionTypes } from "../events/event.js";
import type { Note } from "../notes/note.js";

type Check = (value: unknown) => boolean;

/** True for a value that has all that its kind of note must have, and nothing of another type. More is tolerated. */
export function isNote(value: unknown): value is Note {
  if (!isObject(value) || !isNumber(value["at"])) return false;
  const { kind } = value;
  return typeof kind === "string" && Object.hasOwn(shapes, kind) && shapes[kind as Note["kind"]](value);
}

const isText: Check = (value) => typeof value === "string";
const isNumber: Check = (value) => typeof value === "number" && Number.isFinite(value);
const isFlag: Check = (value) => typeof value === "boolean";
const texts = listOf(isText);

const outside = objectOf({ from: oneOf("web", "mcp", "network", "download", "file", "untracked"), what: isText });
const purposes = ["test", "build", "check", "install", "version-control", "network", "look", "other"];
const unit = objectOf({ methodology: isText, hierarchy: texts, label: isText });

const shapes: Record<Note["kind"], Check> = {
  start: objectOf(
    { root: isText },
    {
      agent: isText,
      type: oneOf(...sessionTypes),
      commit: isText,
      task: isText,
      plannedSteps: isNumber,
      subtasks: isNumber,
      methodology: isText,
    },
  ),
  prompt: objectOf({ text: isText }),
  call: objectOf(
    { call: isText, tool: isText, does: oneOf("read", "edit", "search", "run", "fetch", "other") },
    {
      files: texts,
      edit: objectOf(
        { pairs: listOf((pair) => texts(pair) && (pair as string[]).length === 2), lines: isNumber },
        { whole: isText },
      ),
      search: objectOf({ pattern: isText, by: oneOf("text", "name") }, { where: isText }),
      command: objectOf(
        { line: isText, name: isText, purpose: oneOf(...purposes) },
        { targets: texts, restores: texts },
      ),
      url: isText,
      outside,
      remembers: isText,
    },
  ),
  result: objectOf(
    { call: isText, bytes: isNumber },
    {
      failed: isFlag,
      error: objectOf({ fingerprint: isText, message: isText, kind: isText }, { file: isText }),
      found: isNumber,
      imports: texts,
      tests: objectOf({ passed: isNumber, failed: isNumber }),
      instructions: texts,
      durationMs: isNumber,
      outside,
    },
  ),
  said: objectOf({
    sayings: listOf(
      objectOf(
        { is: oneOf("correction", "abandonment", "plan", "cause"), text: isText },
        { believed: isText, actual: isText },
      ),
    ),
  }),
  step: objectOf({}, { inputTokens: isNumber, outputTokens: isNumber }),
  unit: objectOf({ unit, state: oneOf("started", "succeeded", "failed") }, { plannedSteps: isNumber, summary: isText }),
  subagent: objectOf({ state: oneOf("started", "ended"), child: isText }, { task: isText }),
  qa: objectOf({
    passed: isFlag,
    issues: listOf(objectOf({ title: isText }, { description: isText, file: isText, fix: isText })),
  }),
  commit: objectOf({ sha: isText, message: isText, files: texts }),
  remember: objectOf({ mark: isText }, { memoryType: isText }),
  end: objectOf({ outcome: oneOf("success", "failure", "abandoned", "unknown") }, { reason: isText }),
};

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function objectOf(required: Record<string, Check>, optional: Record<string, Check> = {}): Check {
  const names = Object.keys(required);
  const others = Object.keys(optional);
  // Plain loops: the first thousands of notes are read before anything is compiled, and this is half of their time.
  return (value) => {
    if (!isObject(value)) return false;
    for (let index = 0; index < names.length; index++) {
      const name = names[index] as string;
      if (!(required[name] as Check)(value[name])) return false;
    }
    for (let index = 0; index < others.length; index++) {
      const name = others[index] as string;
      if (value[name] !== undefined && !(optional[name] as Check)(value[name])) return false;
    }
    return true;
  };
}

function listOf(check: Check): Check {
  return (value) => Array.isArray(value) && value.every(check);
}

function oneOf(...choices: readonly string[]): Check {
  return (value) => typeof value === "string" && choices.includes(value);
}
