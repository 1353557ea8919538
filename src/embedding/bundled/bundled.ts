/** The model that comes with the package. What other rooms use of it. */
export { openBundledEmbedder } from "./open-bundled-embedder.js";
