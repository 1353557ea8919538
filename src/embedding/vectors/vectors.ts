/** Stored vectors, and the search for the nearest. What other rooms use of it. */
export { type ActiveModel, activateModel, findActiveModel, noteFailure, refuseOtherSize } from "./active-model.js";
export { bytesOf } from "./binary-vector.js";
export { contextualText } from "./contextual-text.js";
export { copyVectors } from "./copy-vectors.js";
export { type EmbeddedQuery, type Nearest, similarities } from "./list-nearest.js";
export { listVectors } from "./list-vectors.js";
export { readVector } from "./read-vector.js";
export { countInconsistentVectors, repairVectors } from "./repair-vectors.js";
