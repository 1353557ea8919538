/** Values that a session holds by key until the day ends. What other rooms use of it. */
export type { ContextOptions, StoredContext } from "./keyed-context.js";
