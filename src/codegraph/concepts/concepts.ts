/** Where patterns and decisions lead in the code. What other rooms use of it. */
export { followStatedEdges } from "./follow-stated-edges.js";
export { edgeOf, listStated, stateEdges, unstateEdges } from "./stated-edge-queries.js";
export { touching } from "./touching.js";
