/** What is stored of an event. What other rooms use of it. */
export { callOf } from "./call-of.js";
export { type Digest, openDigest } from "./digest.js";
export { saysNothingToReader, withheldText } from "./error-text.js";
export { needsRedaction, redactNote } from "./redact-note.js";
export { sentencesOf } from "./sentences.js";
export { openIgnoredNotes } from "./ignored-notes.js";
export { withoutPaths } from "./ignored-paths.js";
