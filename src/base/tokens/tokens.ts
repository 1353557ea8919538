/** How many model tokens a text takes, counted or estimated. What other rooms use of it. */
export { type CountTokens, loadTokenCounter } from "./count-tokens.js";
export { estimateTokens } from "./estimate-tokens.js";
