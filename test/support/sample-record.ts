import type { MemoryRecord } from "../../src/memory/memory.js";

/** A record as a store has it, with nothing set but what is given. */
export function sampleRecord(fields: Partial<MemoryRecord> = {}): MemoryRecord {
  const content = fields.content ?? "Deploy on Monday.";
  const { createdAt = "2026-11-15T08:00:00.000Z" } = fields;
  return {
    id: "0193a0c2-1111-7abc-8def-0123456789ab",
    type: "gotcha",
    content,
    aliases: [],
    metadata: {},
    tags: [],
    relatedFiles: [],
    relatedModules: [],
    confidence: 0.8,
    scope: "global",
    visibility: "personal",
    source: "agent_explicit",
    provenanceSessionIds: [],
    graphNodes: [],
    relations: [],
    validFrom: createdAt,
    review: { state: "none" },
    trustFlags: [],
    userVerified: false,
    pinned: false,
    citationText: content.slice(0, 40),
    accessCount: 0,
    usesSinceCorrection: 0,
    createdAt,
    storedAt: createdAt,
    updatedAt: createdAt,
    ...fields,
  };
}
