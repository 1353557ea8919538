import { phases, scopes, sources, statuses } from "../memory.js";
import { checkFields, object, oneOf, share, text, texts, time, yesOrNo, type Check } from "./check-fields.js";

/** Refuses what does not fit in a filter of `list`, `export` or `recall`: a misspelt one would let everything through. */
export function checkFilter(verb: "list()" | "export()" | "recall()", filter: object): void {
  checkFields(verb, filter, verb === "recall()" ? recallFields : filterFields);
}

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
