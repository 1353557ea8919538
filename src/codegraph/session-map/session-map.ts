/** The map that the next session begins with, as it was drawn last. What other rooms use of it. */
export { mapHeading, readSessionMap } from "./read-session-map.js";
export { findStoredMap, storeMap } from "./session-map-queries.js";
