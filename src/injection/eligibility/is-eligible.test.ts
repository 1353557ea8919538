import { expect, it } from "vitest";
import { keep, projectContext } from "../../../test/support/keep-records.js";
import { sampleRecord } from "../../../test/support/sample-record.js";
import { idFrom } from "../../base/ids/new-id.js";
import { hashOf } from "../../memory/record/hash-of.js";
import { toMemory } from "../../memory/record/to-memory.js";
import type { MemoryRecord } from "../../memory/memory.js";
import { readProject } from "../../project/project-context.js";
import { isEligible, type Recipient } from "./is-eligible.js";
import { eligibleConditions } from "./eligibility-queries.js";

const time = "2026-11-15T12:00:00.000Z";
const pending = { state: "pending" } as const;
const unit = { methodology: "native", hierarchy: ["7", "2"], label: "Spec 7 / 2" };
const onMain: Recipient = { minConfidence: 0.55, sessionId: "this", branch: "main" };
const atUnit: Recipient = { ...onMain, workUnit: { ...unit, label: "worded anew" } };
const nobody: Recipient = { minConfidence: 0.55 };
const reading: Recipient = { ...onMain, reads: ["AGENTS.md", "CLAUDE.md"] };
const asking: Recipient = { ...onMain, includeUnverified: true };

it.each<[boolean, string, Partial<MemoryRecord>, Recipient?]>([
  [true, "what somebody said outright", {}],
  [true, "what was inferred and proved", { source: "observer_inferred" }],
  [true, "what came from outside and a person verified", { trustFlags: ["tainted"], userVerified: true }],
  [true, "what belongs to this session", { scope: "session", sessionId: "this" }],
  [true, "what this session kept for its piece of work", { scope: "work_unit", sessionId: "this" }],
  [true, "what was kept for this piece of work", { scope: "work_unit", sessionId: "other", workUnit: unit }, atUnit],
  [
    true,
    "where work on this branch stands",
    { type: "work_state", branch: "main", scope: "work_unit", workUnit: unit },
  ],
  [true, "where work on no branch stands", { type: "work_state" }, nobody],
  [true, "what nobody verified to whoever asks", { review: pending, trustFlags: ["unverified"] }, asking],
  [true, "a rule to who does not read its file", ruleOf("CLAUDE.md")],
  [true, "a rule of a file that is not read", ruleOf(".cursorrules"), reading],
  [true, "a rule that a person worded otherwise", { ...ruleOf("CLAUDE.md"), content: "Otherwise." }, reading],
  [true, "a rule that a person pinned", { ...ruleOf("CLAUDE.md"), pinned: true }, reading],
  [false, "a rule to who reads its file", ruleOf("CLAUDE.md"), reading],
  [false, "what an agent said and nobody verified", { review: pending }],
  [false, "what nobody verified and many used", { trustFlags: ["unverified"], usesSinceCorrection: 40 }],
  [false, "what was inferred and waits", { source: "observer_inferred", review: pending }],
  [false, "what came from outside", { trustFlags: ["tainted"] }],
  [false, "what came from outside to whoever asks", { trustFlags: ["tainted"] }, asking],
  [false, "what a person called wrong", { review: { state: "flagged" } }],
  [false, "what was replaced", { validUntil: time }],
  [false, "what has expired", { expiresAt: time }],
  [false, "what was forgotten", { forgottenAt: time }],
  [false, "what is not sure enough", { confidence: 0.5 }],
  [false, "what has faded since", { type: "work_state", storedAt: "2026-11-01T08:00:00.000Z" }],
  [false, "what belongs to another session", { scope: "session", sessionId: "other" }],
  [false, "what belongs to some session to nobody's", { scope: "session" }, nobody],
  [false, "what another session kept for its work", { scope: "work_unit", sessionId: "other", workUnit: unit }],
  [false, "what was kept for some work to nobody's", { scope: "work_unit" }, nobody],
  [false, "where work on another branch stands", { type: "work_state", branch: "feature" }],
  [false, "where work on a branch stands to who is on none", { type: "work_state", branch: "feature" }, nobody],
])("tells (%s) %s, and its SQL says the same", async (isTold, _what, fields, listener = onMain) => {
  const record = sampleRecord(fields);
  const context = await projectContext({ now: record.storedAt });
  await keep(context, [record]);

  const memory = toMemory(record, {}, { number: 1, id: "p", name: "p" }, new Date(time));
  const rows = await readProject(context, [], async (reader, project) => {
    const { conditions, args } = eligibleConditions({}, listener, project, new Date(time));
    return reader.rows(`SELECT m.key FROM memories AS m WHERE ${conditions.join(" AND ")}`, args);
  });

  expect(isEligible(memory, listener)).toBe(isTold);
  expect(rows.length === 1).toBe(isTold);
});

function ruleOf(file: string): Partial<MemoryRecord> {
  const content = "Use pnpm.";
  const key = `${file} rule:0f`;
  return {
    id: idFrom("project-fact", "p", key),
    content,
    metadata: { project_fact: key, project_text: hashOf(content) },
  };
}
