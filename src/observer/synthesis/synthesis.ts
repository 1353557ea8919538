/** What many sessions show together. What other rooms use of it. */
export { weekOf } from "./due.js";
export { listMade, noteMade } from "./synthesis-queries.js";
export type { SynthesisReport } from "./synthesis-report.js";
export { synthesize } from "./synthesize.js";
