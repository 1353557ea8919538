/** Following a session while it runs, or from what it left. What other rooms use of it. */
export { Observer } from "./observer.js";
export { type ReadSession, findSpooledSession, readSpooledParts } from "./read-session.js";
