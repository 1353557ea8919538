/** Writing fields, names and provenance of a row. What other rooms use of it. */
export { addProvenance } from "./add-provenance.js";
export { changeMemory } from "./change-memory.js";
export { type BindOptions, bindName, releaseNames } from "./names.js";
export { replaceMemory } from "./replace-memory.js";
export { writeFields } from "./write-fields.js";
