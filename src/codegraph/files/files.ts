/** The source files of a tree, as they are read. What other rooms use of it. */
export { cleanSource } from "./clean-source.js";
export { linesOf } from "./measure-lines.js";
export { readSource } from "./read-source.js";
