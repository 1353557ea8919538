/** Summaries of what was said, and the turns that each leads to. What other rooms use of it. */
export { archiveLine } from "./archive-line.js";
export { archivedNote } from "./archived-note.js";
export type { CompactOptions } from "./compact.js";
