/** Links between memories, stated and found. What other rooms use of it. */
export { deleteRelation, insertRelation } from "./relation-queries.js";
export { differInSubstance, listSimilar, unlinkSimilar } from "./similar.js";
