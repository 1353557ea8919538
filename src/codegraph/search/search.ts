/** Search in the code, by keywords and by vectors. What other rooms use of it. */
export { hasVectors } from "./list-nearest-chunks.js";
export { readHit } from "./read-hit.js";
export { type CodeHit, type SearchCodeOptions, searchCode } from "./search-code.js";
