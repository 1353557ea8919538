// Values that are valid JSON and made to be walked for ever.
const million = Array.from({ length: 1_000_000 }, (_, n) => n);

/** @type {Record<string, string>} */
export const largeDocuments = {
  "objects 100,000 deep": `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`,
  "lists 100,000 deep": "[".repeat(100_000) + "]".repeat(100_000),
  "a million keys": JSON.stringify(Object.fromEntries(million.map((n) => [`k${n}`, n]))),
  "a million numbers": JSON.stringify(million),
  "a million empty objects": JSON.stringify(million.map(() => ({}))),
  "a string of 10 MB": JSON.stringify("word ".repeat(2_000_000)),
  "a string of 10 MB of escaped quotes": JSON.stringify('"'.repeat(5_000_000)),
};
