/** The quoted block: one way to put memories into a prompt. What other rooms use of it. */
export type { ListedMemory } from "./quote-block.js";
export { type QuoteOptions, type Quoted, quoteForModel } from "./quote-for-model.js";
