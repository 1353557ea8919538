/** Bringing the index of a tree up to date, and keeping it so. What other rooms use of it. */
export { type IndexOptions, type IndexProgress, type Indexed, type WorkTree, indexTree } from "./index-tree.js";
export { type WatchOptions, type Watching, watchTree } from "./watch-tree.js";
