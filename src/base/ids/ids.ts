/** Ids of memories, nodes of the code graph and concepts. What other rooms use of it. */
export { type ConceptKind, type ConceptName, conceptId, conceptKinds, parseConceptId } from "./concept-id.js";
export { idFrom, newId, shortId } from "./new-id.js";
export { isLine, nodeId, parseNodeId, symbolMark } from "./node-id.js";
