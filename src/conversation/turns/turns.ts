/** What was said, one message at a time. What other rooms use of it. */
export { listOtherParts } from "./list-parts.js";
export type { TurnQuery } from "./turn-queries.js";
