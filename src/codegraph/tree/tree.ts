/** What is stored of an indexed tree. What other rooms use of it. */
export { type TreeCounts, countTree, listProblems } from "./count-tree.js";
export { extractorVersion } from "./extractor-version.js";
export { type Moves, type News, listNews, removeNews } from "./news-queries.js";
export { listDefined, listPresent } from "./node-queries.js";
export { notIndexed } from "./not-indexed.js";
export { type TreeState, findTree, listTrees, noteCounted, removeTree } from "./tree-queries.js";
export { wellFormedText } from "./well-formed.js";
