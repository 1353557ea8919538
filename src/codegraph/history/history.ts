/** What git knows of the files: which change together, and where symbols moved. What other rooms use of it. */
export { replaceCompanions } from "./companion-queries.js";
export { countCompanions } from "./count-companions.js";
