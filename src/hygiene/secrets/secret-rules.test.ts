import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { otherSamples, secretlintSamples } from "../../../bench/secret-samples.mjs";
import { findBySecretRules, secretRules } from "./secret-rules.js";

const samples = [...secretlintSamples(), ...otherSamples()];

describe("findBySecretRules", () => {
  it("finds all that the rules find when none is passed over", () => {
    for (const { text } of samples) {
      expect(findBySecretRules(text), text).toEqual(secretRules.flatMap(({ find }) => find(text)));
    }
  });

  it("never passes over a rule that would find something, wherever the secret stands and however it is cut", () => {
    fc.assert(
      fc.property(texts(), (text) => {
        const passedOver = secretRules.filter(({ mayFind, find }) => !mayFind(text) && find(text).length > 0);

        expect(passedOver.map(({ find }) => find.name)).toEqual([]);
      }),
      { numRuns: 1500 },
    );
  });

  it("passes over every rule for an ordinary sentence", () => {
    const text = "Caroline: We spent the weekend at the lake, and on Sunday it rained for 3 hours. Worth it!";

    expect(secretRules.filter(({ mayFind }) => mayFind(text))).toEqual([]);
  });
});

/** Secrets, parts of them and what leads up to them, among words and any other characters. */
function texts(): fc.Arbitrary<string> {
  const whole = fc.constantFrom(...samples.map(({ text }) => text));
  const part = fc
    .tuple(whole, fc.nat(), fc.nat())
    .map(([text, from, length]) => text.slice(from % text.length, (from % text.length) + (length % 60)));
  const lead = fc.constantFrom(
    ..."password token= key: secret is \n | , :// @ Bearer $ { PIN log in curl -u -p".split(" "),
  );
  const word = fc.stringMatching(/^[A-Za-zäöüß]{1,12}$/);
  return fc
    .array(fc.oneof(whole, part, lead, word, fc.string({ unit: "grapheme" })), { maxLength: 8 })
    .chain((parts) => fc.constantFrom(" ", "", "\n").map((separator) => parts.join(separator)));
}
