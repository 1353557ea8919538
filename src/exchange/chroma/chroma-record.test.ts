import * as fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Json } from "../../base/base.js";
import { arbitraryRecord } from "../../../test/support/arbitrary-record.js";
import { sampleRecord } from "../../../test/support/sample-record.js";
import { fromEntry, toEntry } from "./chroma-record.js";
import { flatten, unflatten } from "./flat-metadata.js";

const place = { collection: "memories", collectionId: "c", now: new Date("2026-11-15T12:00:00Z") };

const stays = new Set(
  (
    "userVerified pinned visibility accessCount usesSinceCorrection lastAccessedAt graphNodes citationText releasedNames " +
    "source confidence review trustFlags relations updatedAt"
  ).split(" "),
);

describe("an entry of a collection", () => {
  it("gives back any memory, unverified: who said it, what people decided and how it was used stay here", () => {
    fc.assert(
      fc.property(arbitraryRecord, (record) => {
        const { metadata, ...entry } = toEntry(record);

        const { record: read } = fromEntry({ ...entry, metadata: shuffled(metadata) }, place);

        const said = Object.entries(record).filter(([field]) => !stays.has(field));
        expect(read).toMatchObject(Object.fromEntries(said));
        expect(read).toMatchObject({ userVerified: false, pinned: false, visibility: "personal" });
        expect(read.source).toBe("agent_explicit");
        expect(read.confidence).toBe(Math.min(record.confidence, 0.8));
        expect(read.trustFlags).toEqual([...new Set([...record.trustFlags, "unverified"])].toSorted());
        expect(read.review?.state).toBe(record.review.state === "flagged" ? "flagged" : "pending");
        expect(read.relations).toEqual(record.relations.filter(({ kind }) => kind !== "supersedes"));
      }),
      { numRuns: 60 },
    );
  });

  it("says of which type a memory is and when it became known, whatever its metadata say", () => {
    const { metadata } = toEntry(
      sampleRecord({ metadata: { type: "urgent", created_at: "never", tacit_type: "x", "chroma:document": "y" } }),
    );

    expect(metadata).toMatchObject({ type: "fact", created_at: "2026-11-15T08:00:00.000", tacit_type: "gotcha" });
    expect(metadata).not.toHaveProperty("chroma:document");
  });

  it.each([
    ["Pacific/Auckland", "2026-11-15T11:00:00.000Z"],
    ["America/New_York", "2026-11-15T05:00:00.000Z"],
  ])("from elsewhere is read in UTC, and its day ends with the user's, in %s", (zone, midnight) => {
    vi.stubEnv("TZ", zone);
    onTestFinished(() => void vi.unstubAllEnvs());
    const metadata = { type: "context", created_at: "2026-11-15T02:00:00.000001" };

    const { record } = fromEntry({ id: "a", document: "x", metadata }, place);

    expect(record).toMatchObject({ createdAt: "2026-11-15T02:00:00.000Z", scope: "session", expiresAt: midnight });
  });

  it("of a hostile collection sets no prototype, and makes no key of any depth overflow", () => {
    const metadata = {
      tacit_version: 1,
      "__proto__.polluted": "yes",
      "constructor.prototype.x": 1,
      [".".repeat(1e5)]: 1,
    };

    const { record } = fromEntry({ id: "a", document: "x", metadata: JSON.parse(JSON.stringify(metadata)) }, place);

    expect({}).not.toHaveProperty("polluted");
    expect(Object.keys(record.metadata ?? {})).toContain("constructor");
  });
});

describe("flat metadata", () => {
  it("never hold anything but texts, numbers and yes-or-no", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (metadata) => {
        const flat = flatten(metadata as Record<string, Json>);

        expect(Object.values(flat).every((value) => ["string", "number", "boolean"].includes(typeof value))).toBe(true);
        unflatten(flat);
      }),
      { numRuns: 100 },
    );
  });

  it("come back as they were, also where a key is a value and a folder", () => {
    const nested = { a: { b: { c: 1 }, d: "x" }, e: [1, { f: null }], g: false };

    expect(flatten(nested)).toEqual({ "a.b.c": 1, "a.d": "x", e: '[1,{"f":null}]', g: false });
    expect(unflatten(flatten(nested))).toEqual(nested);
    expect(unflatten({ a: 1, "a.b": 2, c: "[no list" })).toEqual({ a: 1, "a.b": 2, c: "[no list" });
  });
});

/** A server gives keys back in an order of its own. */
function shuffled<T>(values: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(values).toReversed());
}
