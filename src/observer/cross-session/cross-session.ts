/** What earlier sessions showed. What other rooms use of it. */
export {
  type SessionRecord,
  countSessions,
  findLastTaintedEnd,
  findSession,
  listSessions,
  toCount,
  wasMergeByAgent,
} from "./session-queries.js";
export { listWritten } from "./statistics-queries.js";
