/**
 * cli: the command line. It parses what was typed, calls the public API and prints the answer, as text for
 * people or as one JSON document for programs.
 *
 * It refuses decisions about memories: what is kept, found or erased is decided behind `../index.js`.
 */
export { runCommandLine as cli } from "./run-command-line.js";
