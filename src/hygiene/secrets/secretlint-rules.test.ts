import * as fc from "fast-check";
import { rules } from "@secretlint/secretlint-rule-preset-recommend";
import { describe, expect, it } from "vitest";
import { otherSamples, secretlintSamples } from "../../../bench/secret-samples.mjs";
import { findBySecretlint, mayFindBySecretlint } from "./secretlint-rules.js";

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

  // When this fails after an update of the preset, look at what its rules look for, and at the hints.
  it("was written for the rules of this preset", () => {
    const ids = rules.map(({ meta }: { meta: { id: string } }) => meta.id.replace("@secretlint/secretlint-rule-", ""));

    expect(new Set(ids)).toEqual(new Set([...secretlintSamples().map(({ kind }) => kind), "filter-comments"]));
  });

  it("never passes over a rule that would find something", async () => {
    const samples = [...secretlintSamples(), ...otherSamples()].map(({ text }) => text);
    const cut = fc
      .tuple(fc.constantFrom(...samples), fc.nat(40), fc.nat(400))
      .map(([text, from, to]) => text.slice(from, to));
    const part = fc.oneof(fc.constantFrom(...samples), cut, fc.string({ unit: "grapheme" }));

    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 5 }), fc.constantFrom(" ", "", "\n"), async (parts, separator) => {
        const text = parts.join(separator);
        const found = findByEveryRule(text);

        expect(mayFindBySecretlint(text) || found === 0).toBe(true);
        expect(await findBySecretlint(text)).toHaveLength(found);
      }),
      { numRuns: 1000 },
    );
  });

  it("leaves no performance entries behind, which would slow a long-lived process down", async () => {
    const before = performance.getEntries().length;

    for (let text = 0; text < 50; text += 1) await findBySecretlint(`text ${text}`);

    expect(performance.getEntries().length).toBe(before);
  });
});

/** How many reports all rules make, each of them asked. */
function findByEveryRule(text: string): number {
  let reports = 0;
  const context = {
    sharedOptions: {},
    createTranslator: () => () => ({ message: "", messageId: "", data: {} }),
    report: () => void (reports += 1),
    ignore: () => {},
  };
  for (const rule of rules.filter(({ meta }: { meta: { id: string } }) => !meta.id.endsWith("filter-comments"))) {
    rule.create(context, {}).file?.({ content: text, filePath: "text.txt", ext: ".txt", contentType: "text" });
  }
  return reports;
}

/** Puts a fake secret together, so that this file holds nothing that looks like one. */
function glued(...parts: string[]): string {
  return parts.join("");
}
