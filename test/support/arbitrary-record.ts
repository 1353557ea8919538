import * as fc from "fast-check";
import type { Json } from "../../src/base/base.js";
import type { StoredChange } from "../../src/memory/history/stored-changes.js";
import {
  codeKinds,
  relationKinds,
  scopes,
  sources,
  visibilities,
  type ReleasedNames,
  type MemoryRecord,
  type Chunk,
  type Relation,
  type Review,
  type TrustFlag,
  type WorkUnit,
} from "../../src/memory/memory.js";
import { memoryTypes } from "../../src/memory/type-registry/memory-types.js";

/** Any text that a store may hold: whole characters, no NUL; whatever means something in YAML or Markdown is likely. */
export const arbitraryText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.string({ unit: "binary", maxLength: 12 }) },
      { weight: 2, arbitrary: fc.lorem({ maxCount: 4 }) },
      {
        weight: 3,
        arbitrary: fc.constantFrom(
          "\n",
          "\r\n",
          "\r",
          "\n\n",
          "  ",
          "\t",
          "---",
          "---\n",
          "```",
          "# ",
          "- ",
          "1. ",
          ": ",
          " #",
          "'",
          '"',
          "\\",
          "<!-- tacit:end -->",
          "<!-- tacit:begin -->",
          "[`a.ts`]",
          "`src/http.ts`",
          "\u2028",
          "\u0085",
          "\uFEFF",
          "é",
          "日本",
          "👩‍💻",
          "null",
          "007",
          "yes",
          "{",
          "}",
          "[",
          "*",
          "&",
          "%",
          "@",
          "|",
          ">",
          "=======",
        ),
      },
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join("").replaceAll("\0", ""));

export const arbitraryContent: fc.Arbitrary<string> = arbitraryText.filter((text) => text.trim() !== "");

const time = fc
  .date({ min: new Date("2000-01-01T00:00:00Z"), max: new Date("2099-12-31T23:59:59Z"), noInvalidDate: true })
  .map((date) => date.toISOString());
const id = fc.uuid({ version: [7, 8] });
const name = fc
  .oneof(arbitraryText, fc.constantFrom("deploy-rule", "007", "true", "no", "1e5", "~", "con", "Größe", "a: b", "- x"))
  // oxlint-disable-next-line no-control-regex -- names hold none
  .map((text) => text.replace(/[\x00-\x1f\x7f-\x9f\u2028\u2029]/g, "").trim())
  .filter((text) => text !== "" && Buffer.byteLength(text) <= 256 && !/^[0-9a-f]{8}(?:-|$)/i.test(text))
  .map((text) => text.normalize("NFC"));
const list = fc.uniqueArray(arbitraryContent, { maxLength: 4 });
const share = fc.oneof(fc.constantFrom(0, 0.8, 1), fc.double({ min: 0, max: 1, noNaN: true }).map(Math.abs));
const count = fc.nat();

const json: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", maxDepth: 4 },
    arbitraryText,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (number === 0 ? 0 : number)),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(arbitraryText, tie("value"), { maxKeys: 3 }),
  ),
})).value;
const object = fc.dictionary(arbitraryText, json, { maxKeys: 4 });

const relations: fc.Arbitrary<Relation[]> = fc
  .uniqueArray(
    fc
      .record({ kind: fc.constantFrom(...relationKinds), confidence: share, automatic: fc.boolean() })
      .chain((relation) =>
        fc.oneof(
          ...(codeKinds.has(relation.kind) ? [] : [id.map((memory): Relation => ({ ...relation, memory }))]),
          arbitraryText.map((file): Relation => ({ ...relation, file })),
        ),
      ),
    { maxLength: 3, selector: ({ kind, memory, file }) => JSON.stringify([kind, memory, file]) },
  )
  .map((entries) => entries.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1)));

function orderOf({ kind, memory = "", file = "" }: Relation): string {
  return `${kind}\n${memory}\n${file}`;
}

const chunk: fc.Arbitrary<Chunk> = fc.record(
  {
    kind: fc.constantFrom("function", "class", "module", "prose"),
    startLine: count,
    endLine: count,
    contextPrefix: arbitraryText,
  },
  { requiredKeys: ["kind", "startLine", "endLine"] },
);
const workUnit: fc.Arbitrary<WorkUnit> = fc.record({
  methodology: arbitraryText,
  hierarchy: list,
  label: arbitraryText,
});
const review: fc.Arbitrary<Review> = fc.record(
  { state: fc.constantFrom("none", "pending", "flagged"), reason: arbitraryText },
  { requiredKeys: ["state"] },
);
const releasedNames: fc.Arbitrary<ReleasedNames> = fc.record({ name: fc.option(name), aliases: fc.uniqueArray(name) });
const trustFlags: readonly TrustFlag[] = [
  "secret-redacted",
  "private-removed",
  "invisible-removed",
  "tainted",
  "unverified",
];

const always = {
  id,
  type: fc.constantFrom("from_the_future", ...memoryTypes.map(({ type }) => type)),
  content: arbitraryContent,
  aliases: fc.uniqueArray(name, { maxLength: 3 }).map((names) => names.toSorted()),
  metadata: object,
  tags: list,
  relatedFiles: list,
  relatedModules: list,
  confidence: share,
  scope: fc.constantFrom(...scopes),
  visibility: fc.constantFrom(...visibilities),
  source: fc.constantFrom(...sources),
  provenanceSessionIds: fc.uniqueArray(arbitraryText, { maxLength: 4 }),
  graphNodes: list,
  relations,
  validFrom: time,
  review,
  trustFlags: fc.subarray([...trustFlags]),
  userVerified: fc.boolean(),
  pinned: fc.boolean(),
  citationText: arbitraryText,
  accessCount: count,
  usesSinceCorrection: count,
  createdAt: time,
  storedAt: time,
  updatedAt: time,
};

/** Any memory as it may stand in a store, with aliases and relations in the order in which files hold them. */
export const arbitraryRecord: fc.Arbitrary<MemoryRecord> = fc
  .record(
    {
      ...always,
      name,
      data: object,
      sessionId: arbitraryText,
      agent: arbitraryText,
      commit: fc.oneof(arbitraryText, fc.constantFrom("1234e56", "0123456", "9c8d7e6")),
      branch: arbitraryText,
      halfLifeDays: fc.oneof(fc.integer({ min: 1, max: 1000 }), fc.constant(0.5)),
      expiresAt: time,
      validUntil: time,
      supersededBy: id,
      workUnit,
      methodology: arbitraryText,
      chunk,
      lastAccessedAt: time,
      forgottenAt: time,
      forgottenReason: fc.constantFrom("faded", "evicted", "unshared"),
      releasedNames,
    },
    { requiredKeys: Object.keys(always) as (keyof typeof always)[] },
  )
  .map(plain);

/** Any history of a memory. */
export const arbitraryHistory: fc.Arbitrary<StoredChange[]> = fc
  .array(
    fc.record({
      number: fc.integer({ min: 1 }),
      verb: fc.constantFrom("remembered", "edited", "renamed", "undone"),
      at: time,
      operation: id,
      fields: fc.dictionary(fc.constantFrom("content", "tags", "metadata"), fc.tuple(json, json)),
    }),
    { maxLength: 3 },
  )
  .map(plain);

/** With the usual prototype, which fast-check leaves out at times and no reader of a file does. */
function plain<T>(value: T): T {
  return structuredClone(value);
}
