/**
 * doctor: whether everything is well: the machine, the store and its indexes, the models, the code, the sessions and the
 * connected agents, each as a check with the next step.
 *
 * It asks the rooms and says what they answer; what it finds is an answer, never an error. It repairs only
 * what it is asked to, by the rooms' own means, and refuses to decide what is true.
 */
export type { Check, Diagnosis } from "./check.js";
export { diagnose } from "./diagnose.js";
export { repair } from "./repair.js";
