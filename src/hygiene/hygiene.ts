/**
 * hygiene: what may be kept at all. Secrets are redacted, private parts and invisible characters taken out, and what
 * no store could carry is refused; text on its way to a terminal is made harmless.
 *
 * It refuses to know what a memory is: it sees texts and JSON values, and the name of the field for its errors.
 */
export { cleanText, type HygieneFlag } from "./clean-text.js";
export { cleanJson } from "./clean-json.js";
export { neutralise } from "./neutralise.js";
export { contentLimitBytes } from "./refuse-unstorable.js";
