// What can be done with a conversation. Loaded when it is first asked for: most processes never do.
export { compact } from "./conversation/archive/compact.js";
export { listArchivedTurns, listTurns, readState, replay } from "./conversation/archive/replay.js";
export { consolidate } from "./conversation/consolidation/consolidate.js";
export { getContext, setContext } from "./conversation/context/keyed-context.js";
export { appendTurns, checkSession } from "./conversation/turns/append-turns.js";
export { listConversations } from "./conversation/turns/turn-queries.js";
export { clearWindow, readWindow } from "./conversation/window/read-window.js";
