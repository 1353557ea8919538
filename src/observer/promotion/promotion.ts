/** From finished sessions to memories. What other rooms use of it. */
export { finishSession } from "./finish-session.js";
export { type FinishSpoolsOptions, finishSpools } from "./finish-spools.js";
export { isLongBuild } from "./is-long-build.js";
export type { CompletedSession, LearnedReport, PromotionPorts } from "./promotion-ports.js";
export { replayEvents } from "./replay-events.js";
export { readSpan } from "../spool/read-span.js";
export { releaseHeld } from "./release-held.js";
