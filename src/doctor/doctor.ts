/**
 * doctor: whether everything is well: the machine, the store and its indexes, the models, the code, the sessions and the
 * connected agents, each as a check with the next step.
 *
 * It asks the rooms and says what they answer; what it finds is an answer, never an error. It refuses repairs: those are the
 * rooms' own, and only begin when somebody asks for them.
 */
export type { Check, Diagnosis } from "./check.js";
export { diagnose, toFailedRepair, toRepair } from "./diagnose.js";
