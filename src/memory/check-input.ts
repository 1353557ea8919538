import { MemoryError } from "../base/memory-error.js";
import { isLine } from "../base/node-id.js";
import {
  codeKinds,
  phases,
  relationKinds,
  scopes,
  sources,
  statuses,
  visibilities,
  type MemoryChanges,
  type MemoryInput,
  type RelationKind,
} from "./memory.js";
import { parseTime } from "./parse-time.js";

/** Refuses what does not fit, naming the field. JavaScript callers have no compiler to do this. */
export function checkInput(input: MemoryInput): void {
  checkFields("remember()", input, inputFields);
  if (input.content === undefined) {
    throw new MemoryError("invalid-input", "content is missing.", 'remember({ content: "what is worth knowing" })');
  }
}

/** The same for `revise`, where `null` takes a value away. */
export function checkChanges(changes: MemoryChanges): void {
  checkFields("revise()", changes, changeFields);
}

/** The same for what narrows `list`, `export` and `recall`: a misspelt filter would let everything through. */
export function checkFilter(verb: "list()" | "export()" | "recall()", filter: object): void {
  checkFields(verb, filter, verb === "recall()" ? recallFields : filterFields);
}

/** False for what is to lead to code and leads to a memory, or to a line. */
export function fitsCode({ kind, file }: { kind?: unknown; file?: unknown }): boolean {
  return !codeKinds.has(kind as RelationKind) || (typeof file === "string" && !isLine(file));
}

/** Says what is expected when the value is not it. */
type Check = (value: unknown) => string | undefined;

const text: Check = (value) => (typeof value === "string" ? undefined : "a text");
const texts: Check = (value) =>
  Array.isArray(value) && value.every((entry) => typeof entry === "string") ? undefined : "a list of texts";
const object: Check = (value) =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? undefined : "an object";
const yesOrNo: Check = (value) => (typeof value === "boolean" ? undefined : "true or false");
const share: Check = (value) =>
  typeof value === "number" && value >= 0 && value <= 1 ? undefined : "a number from 0 to 1";
const days: Check = (value) =>
  typeof value === "number" && value > 0 && Number.isFinite(value) ? undefined : "a number of days above 0";
const time: Check = (value) => {
  parseTime(value, "the time");
  return undefined;
};
const typeName: Check = (value) =>
  typeof value === "string" && /^[a-z][a-z0-9_]{0,63}$/.test(value)
    ? undefined
    : "a type: small letters, digits and _ (`tacit types` lists those known)";
const oneOf =
  (values: readonly string[]): Check =>
  (value) =>
    typeof value === "string" && values.includes(value) ? undefined : `one of ${values.join(", ")}`;
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null ? undefined : check(value);
const relationList: Check = (value) =>
  Array.isArray(value) &&
  value.every(
    (entry: Record<string, unknown> | null) =>
      entry !== null &&
      relationKinds.some((kind) => kind === entry["kind"]) &&
      (typeof entry["memory"] === "string") !== (typeof entry["file"] === "string") &&
      fitsCode(entry) &&
      share(entry["confidence"]) === undefined &&
      yesOrNo(entry["automatic"]) === undefined,
  )
    ? undefined
    : `a list of { kind, memory or file, confidence, automatic }; ${[...codeKinds].join(" and ")} lead to a file or a symbol of it, never to a line`;

const shared: Record<string, Check> = {
  content: text,
  type: typeName,
  tags: texts,
  relatedFiles: texts,
  relatedModules: texts,
  scope: oneOf(scopes),
  visibility: oneOf(visibilities),
  metadata: object,
  confidence: share,
  pinned: yesOrNo,
};

const inputFields: Record<keyof MemoryInput, Check> & Record<string, Check> = {
  ...(shared as Record<keyof MemoryInput, Check>),
  data: object,
  name: text,
  aliases: texts,
  sessionId: text,
  agent: text,
  commit: text,
  branch: text,
  createdAt: time,
  expiresAt: time,
  halfLifeDays: days,
  source: oneOf(sources),
  relations: relationList,
  graphNodes: texts,
  citationText: text,
  workUnit: object,
  methodology: text,
  chunk: object,
};

const changeFields: Record<keyof MemoryChanges, Check> & Record<string, Check> = {
  ...(shared as Record<keyof MemoryChanges, Check>),
  data: orNull(object),
  name: orNull(text),
  sessionId: orNull(text),
  expiresAt: orNull(time),
};

const textOrTexts: Check = (value) => (text(value) === undefined ? undefined : texts(value));
const wholeNumber: Check = (value) =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 ? undefined : "a whole number from 0";
const anyOfThem =
  (values: readonly string[]): Check =>
  (value) =>
    [value].flat().every((entry) => oneOf(values)(entry) === undefined) ? undefined : `one of ${values.join(", ")}`;

const filterFields: Record<string, Check> = {
  type: textOrTexts,
  types: texts,
  excludeTypes: texts,
  sources: anyOfThem(sources),
  tags: texts,
  scope: anyOfThem(scopes),
  files: texts,
  modules: texts,
  sessionId: text,
  metadata: object,
  since: time,
  until: time,
  status: anyOfThem([...statuses, "any"]),
  includeSuperseded: yesOrNo,
  includeTainted: yesOrNo,
  includeUnverified: yesOrNo,
  excludeIds: texts,
  limit: wholeNumber,
  sort: oneOf(["recent", "uses"]),
};

const recallFields: Record<string, Check> = {
  ...filterFields,
  sort: oneOf(["relevance", "recent", "confidence", "uses"]),
  mode: oneOf(["hybrid", "words"]),
  phase: oneOf(phases),
  minScore: share,
  minConfidence: share,
  recentFiles: texts,
  recentTools: texts,
  includeUser: yesOrNo,
  explain: yesOrNo,
  explicit: yesOrNo,
  waitForVectorsMs: wholeNumber,
};

function checkFields(verb: string, value: unknown, fields: Record<string, Check>): void {
  if (object(value) !== undefined) {
    throw new MemoryError(
      "invalid-input",
      `${verb} takes an object.`,
      `Known fields: ${Object.keys(fields).join(", ")}.`,
    );
  }
  for (const [field, entry] of Object.entries(value as Record<string, unknown>)) {
    if (entry === undefined) continue;
    const check = Object.hasOwn(fields, field) ? fields[field] : undefined;
    if (!check) {
      throw new MemoryError(
        "invalid-input",
        `${verb} does not know the field ${JSON.stringify(field)}.`,
        `Known fields: ${Object.keys(fields).join(", ")}.`,
      );
    }
    const expected = check(entry);
    if (expected !== undefined) {
      throw new MemoryError("invalid-input", `${field} must be ${expected}.`, `Correct ${field} and try again.`);
    }
  }
}
