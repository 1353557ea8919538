/** Extracting what a conversation settled. What other rooms use of it. */
export type { ConsolidateOptions } from "./consolidate.js";
export { type ConversationHealth, readConversationHealth } from "./conversation-health-queries.js";
export { isOver } from "./lease.js";
