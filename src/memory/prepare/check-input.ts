import { MemoryError } from "../../base/memory-error.js";
import { isLine } from "../../base/ids/ids.js";
import { checkFields, object, oneOf, share, text, texts, time, yesOrNo, type Check } from "../read/check-fields.js";
import { typeNames } from "../type-registry/memory-types.js";
import {
  codeKinds,
  relationKinds,
  scopes,
  sources,
  visibilities,
  type MemoryChanges,
  type MemoryInput,
  type RelationKind,
} from "../memory.js";

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

/** False for what is to lead to code and leads to a memory, or to a line. */
export function fitsCode({ kind, file }: { kind?: unknown; file?: unknown }): boolean {
  return !codeKinds.has(kind as RelationKind) || (typeof file === "string" && !isLine(file));
}

const days: Check = (value) =>
  typeof value === "number" && value > 0 && Number.isFinite(value) ? undefined : "a number of days above 0";
const typeName: Check = (value) =>
  typeof value === "string" && typeNames.test(value)
    ? undefined
    : "a type: small letters, digits and _ (`tacit types` lists those known)";
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
