// What can be done with a conversation. Loaded when it is first asked for: most processes never do.
export { compact } from "./conversation/archive/compact.js";
export { listArchivedTurns, readState, replay } from "./conversation/archive/replay.js";
export { consolidate } from "./conversation/consolidation/consolidate.js";
export { getContext, setContext } from "./conversation/context/keyed-context.js";
export { appendTurns } from "./conversation/turns/append-turns.js";
export { checkSession } from "./conversation/turns/check-session.js";
export { listTurns } from "./conversation/turns/list-turns.js";
export { listConversations } from "./conversation/turns/turn-queries.js";
export { clearWindow, readWindow } from "./conversation/window/read-window.js";
