/** What is stored of an event. What other rooms use of it. */
export { callOf } from "./call-of.js";
export { type Digest, openDigest } from "./digest.js";
export { needsRedaction, redactNote } from "./redact-note.js";
export { sentencesOf } from "./sentences.js";
