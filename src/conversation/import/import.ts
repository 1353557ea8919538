/** Conversations from transcripts and exports. What other rooms use of it. */
export { findTree } from "./find-tree.js";
export type { ImportConversationOptions, ImportedConversation } from "./import-conversation.js";
export type { ImportedSession } from "./store-turns.js";
