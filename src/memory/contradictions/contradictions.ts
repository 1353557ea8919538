/** Which older memories a new one contradicts. What other rooms use of it. */
export { closeContradicted } from "./close-contradicted.js";
export { statingTypes } from "./contradiction-queries.js";
export { type Statement, listContradicted, listPossiblyContradicted } from "./list-contradicted.js";
