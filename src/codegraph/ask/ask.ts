/** Queries about an indexed tree: impact, dependencies, neighbours, definitions. What other rooms use of it. */
export type { AffectedTest } from "./affected-tests.js";
export { closeNames } from "./close-names.js";
export { dependencies } from "./dependencies.js";
export { findTarget } from "./find-target.js";
export { type Impact, type ImpactOptions, impact } from "./impact.js";
export {
  type ReadState,
  listDefinitionsIn,
  listDefinitionsLike,
  listDefinitionsNamed,
  listReadFiles,
} from "./list-definitions.js";
export { neighbours } from "./neighbours.js";
export { type CodeOverview, overview } from "./overview.js";
export type { Dependent } from "./reach.js";
export type { Unresolved } from "./unresolved.js";
