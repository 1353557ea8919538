/** What an agent wrote down of a session. What other rooms use of it. */
export { type TranscriptReport, openTranscriptReport, readTranscript } from "./claude-code-transcript.js";
export { type FoundTranscript, findTranscripts, readBeginning } from "./find-transcripts.js";
export { type RawLine, splitLines } from "./split-lines.js";
export { hold } from "./transcript-session.js";
