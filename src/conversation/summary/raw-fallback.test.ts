import { describe, expect, it } from "vitest";
import type { Role, Turn } from "../conversation.js";
import { rawFallback } from "./raw-fallback.js";

describe("the raw fallback", () => {
  it("says why, and keeps every message whole", () => {
    const long = `first\n\n## 2026\n${"y".repeat(100_000)}\nlast`;

    const text = rawFallback(
      [turn("user", long), turn("assistant", "Done. ", ["Read", "Bash", "Bash"])],
      "It did\nnot answer.",
    );

    expect(text.split("\n")[0]).toBe(
      "[raw-fallback] All 2 messages are kept as said, for there is no summary: It did not answer.",
    );
    expect(text).toContain(`\n\n2026-11-15T06:00:00.000Z user:\n${long}\n\n`);
    expect(text).toContain("2026-11-15T06:00:00.000Z assistant (Read, Bash × 2):\nDone. ");
  });
});

function turn(role: Role, content: string, toolsUsed: string[] = []): Turn {
  return {
    role,
    content,
    toolsUsed,
    timestamp: "2026-11-15T06:00:00.000Z",
    sequence: 1,
    lastSequence: 1,
    ids: ["a"],
    isTainted: false,
  };
}
