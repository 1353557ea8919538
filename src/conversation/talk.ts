// What can be done with a conversation. Loaded when it is first asked for: most processes never do.
export { compact } from "./archive/compact.js";
export { listArchivedTurns, readState, replay } from "./archive/replay.js";
export { consolidate } from "./consolidation/consolidate.js";
export { getContext, setContext } from "./context/keyed-context.js";
export { appendTurns } from "./turns/append-turns.js";
export { checkSession } from "./turns/check-session.js";
export { listTurns } from "./turns/list-turns.js";
export { listConversations } from "./turns/turn-queries.js";
export { clearWindow, readWindow } from "./window/read-window.js";
