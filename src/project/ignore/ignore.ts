/**
 * What must never be observed, indexed or injected: `.tacitignore` files of a work tree, and the setting `ignore` of a user
 * and a project. What other rooms use of it.
 *
 * A clone may bring anybody's `.tacitignore`, so all that it can do is to hide more: where it cannot be read, or is too large
 * to be compared with, everything below it is ignored.
 */
export { globMatches } from "./glob-matches.js";
export { isIgnoredProject } from "./ignored-project.js";
export { type Ignoring, openIgnoring } from "./open-ignoring.js";
export { matcherOf, maxDoubleStars, patternsFromRoot } from "./path-patterns.js";
export type { IgnoreSetting } from "../../config/config.js";
export { ignoringOf } from "./ignoring-of.js";
