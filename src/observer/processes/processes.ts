/**
 * Which process an agent is, and which processes come from it: what those say, the agent says. It refuses to judge by the name of a
 * command or by its environment, which whoever starts it chooses. It knows Linux only.
 */
export { type AgentAbove, agentsAbove, ownSessions } from "./agents-above.js";
export { type AgentRecord } from "./agent-records.js";
export {
  forgetResident,
  isUnwatched,
  recordHook,
  recordResident,
  recordTakenIn,
  recordUnwatched,
} from "./record-agent.js";
export { isHookProcess, markHookProcess } from "./hook-process.js";
export { beganAt } from "./read-process.js";
