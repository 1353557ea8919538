/** What follows from each thing that happens to a session. What other rooms use of it. */
export { isFollowedBy, type Effect } from "./session-state.js";
export { openSessionStates, type SessionStates } from "./session-states.js";
