import { describe, expect, it } from "vitest";
import { findBySecretlint } from "./secretlint-rules.js";

const mixed = "a1B2".repeat(20);

describe("findBySecretlint", () => {
  it.each([
    ["github-token", glued("gh", "p_") + mixed.slice(0, 36), "a ", " b"],
    ["aws-key", mixed.slice(0, 40), glued("aws_secret_access_", "key = "), "\n"],
    ["password", "hunter2", "mongodb://bob:", "@db.host.net/app"],
    ["webhook", "T00000000/B00000000/" + mixed.slice(0, 24), glued("https://hooks.", "slack.com/services/"), " x"],
  ])("finds a %s, its own characters only", async (kind, secret, before, after) => {
    const findings = await findBySecretlint(before + secret + after);

    expect(findings).toEqual([{ kind, start: before.length, end: before.length + secret.length }]);
  });

  it("finds nothing in prose", async () => {
    expect(await findBySecretlint("Deploy on Fridays from https://example.com/a with care.")).toEqual([]);
  });

  it("leaves no performance entries behind, which would slow a long-lived process down", async () => {
    const before = performance.getEntries().length;

    for (let text = 0; text < 50; text += 1) await findBySecretlint(`text ${text}`);

    expect(performance.getEntries().length).toBe(before);
  });
});

/** Puts a fake secret together, so that this file holds nothing that looks like one. */
function glued(...parts: string[]): string {
  return parts.join("");
}
