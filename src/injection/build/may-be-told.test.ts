import { expect, it } from "vitest";
import { sampleRecord } from "../../../test/sample-record.js";
import { toMemory } from "../../memory/as-of-now.js";
import type { MemoryRecord } from "../../memory/memory-record.js";
import { mayBeTold } from "./may-be-told.js";

const time = "2026-11-15T08:00:00.000Z";
const pending = { state: "pending" } as const;

it.each<[boolean, string, Partial<MemoryRecord>]>([
  [true, "what somebody said outright", {}],
  [true, "what was inferred and proved", { source: "observer_inferred" }],
  [true, "what came from outside and a person verified", { trustFlags: ["tainted"], userVerified: true }],
  [true, "what belongs to this session", { scope: "session", sessionId: "this" }],
  [false, "what an agent said and nobody verified", { review: pending }],
  [false, "what was inferred and waits", { source: "observer_inferred", review: pending }],
  [false, "what came from outside", { trustFlags: ["tainted"] }],
  [false, "what a person called wrong", { review: { state: "flagged" } }],
  [false, "what was replaced", { validUntil: time }],
  [false, "what has expired", { expiresAt: time }],
  [false, "what was forgotten", { forgottenAt: time }],
  [false, "what is not sure enough", { confidence: 0.5 }],
  [false, "what has faded since", { type: "work_state", storedAt: "2026-11-01T08:00:00.000Z" }],
  [false, "what belongs to another session", { scope: "session", sessionId: "other" }],
])("tells (%s) %s", (isTold, _what, fields) => {
  const memory = toMemory(sampleRecord(fields), {}, { number: 1, id: "p", name: "p" }, new Date(time));

  expect(mayBeTold(memory, { minConfidence: 0.55, sessionId: "this" })).toBe(isTold);
});
