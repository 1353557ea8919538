/** True under `npm run torture`. */
export const isFull = process.env["TACIT_TORTURE"] === "full";

/** Why a test is skipped that takes too long for every day. */
export const onlyFull = "it takes too long for npm test; npm run torture runs it";

/** How much of everything the hard tests do: two minutes inside `npm run test:hard`, all of it in `npm run torture`. */
export const scale = isFull
  ? {
      libraryWriters: 6,
      commandWriters: 2,
      writesOfLibraryWriter: 1000,
      writesOfCommandWriter: 1000,
      kills: 1000,
      killRounds: 10,
      killsDuringFirstOpen: 60,
      damagedPages: 60,
      flippedTexts: 200,
      flippedPages: 200,
      stringsThroughCommandLine: Infinity,
      filterStride: 1,
      generatedStrings: 5000,
      purgeRounds: 40,
      killsDuringPurge: 40,
      conversationKills: 500,
      consolidationsOfEach: 40,
      hostileReplies: 1500,
      powerLosses: Number(process.env["TACIT_POWER_LOSSES"] ?? 1000),
      powerLossesOfControl: 25,
    }
  : {
      libraryWriters: 6,
      commandWriters: 2,
      writesOfLibraryWriter: 40,
      writesOfCommandWriter: 6,
      kills: 24,
      killRounds: 2,
      killsDuringFirstOpen: 3,
      damagedPages: 4,
      flippedTexts: 40,
      flippedPages: 10,
      stringsThroughCommandLine: 7,
      filterStride: 9,
      generatedStrings: 150,
      purgeRounds: 1,
      killsDuringPurge: 3,
      conversationKills: 6,
      consolidationsOfEach: 5,
      hostileReplies: 15,
      powerLosses: 0,
      powerLossesOfControl: 0,
    };

/** Says a figure that the full size is run for; the small one stays quiet. */
export function report(figures: string): void {
  if (isFull) console.info(figures);
}
