/** The most central definitions on a page of so many tokens. What other rooms use of it. */
export type { DrawnMap, MappedFile } from "./draw-map.js";
export { repositoryMap } from "./repository-map.js";
