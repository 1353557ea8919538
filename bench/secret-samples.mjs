// Samples of secrets, each with the part that must not be stored. They are put together when asked for, so that no file
// holds anything that looks like a secret; the same seed gives the same samples.
import { namedKinds } from "./named-secret-samples.mjs";
import { makers } from "./secret-makers.mjs";
import { secretlintFormats } from "./secretlint-samples.mjs";
import { tokenKinds } from "./token-samples.mjs";

/** At least five samples for every rule of secretlint's recommended preset. */
export function secretlintSamples(seed = 1) {
  return samplesOf(secretlintFormats, seed);
}

/** Kinds that secretlint does not know, or only by other shapes. */
export function otherSamples(seed = 2) {
  return [...samplesOf(tokenKinds, seed), ...samplesOf(namedKinds, seed + 1)];
}

function samplesOf(kinds, seed) {
  const make = makers(seed);
  return Object.entries(kinds).flatMap(([kind, samples]) =>
    samples(make).map(({ text, secret, file = "text.txt" }) => ({ kind, text, secret, file })),
  );
}
