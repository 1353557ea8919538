/** How a text falls into words. What other rooms use of it. */
export { cutQuery } from "./cut-query.js";
export { findSpeaker, withoutSpeaker } from "./speaker.js";
export { stopWords } from "./stop-words.js";
export { type QueryWord, indexTokens, queryWords, stems } from "./words.js";
export { openRepeatedWords, type RepeatedWords } from "./repeated-words.js";
