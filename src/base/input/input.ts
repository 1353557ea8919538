/** What others hand over, as far as it can be carried and is cheap to read. What other rooms use of it. */
export { isBoundedJson, parseBoundedList, parseBoundedObject } from "./bounded-json.js";
export { plainLine, plainText, withoutColours } from "./plain-text.js";
