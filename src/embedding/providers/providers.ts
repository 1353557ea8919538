/** Which model embeds, and how it is reached. What other rooms use of it. */
export { checkedEmbedder } from "./checked-embedder.js";
export { canBeNamed, chooseEmbedder, partsOf } from "./choose-embedder.js";
export { suggestEmbedder } from "./suggest-embedder.js";
