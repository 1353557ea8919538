/**
 * cli: the command line. It parses what was typed, calls the public API and prints the answer, as text for
 * people or as one JSON document for programs.
 *
 * It refuses decisions about memories: what is kept, found or erased is decided behind `../index.js`.
 */
import { takeGlobalFlags } from "./global-flags.js";
import { runProgram } from "./program.js";
import { describeError, exitCodeOf, renderError } from "./report-error.js";
import { openShell } from "./shell.js";
import { isVersionQuestion, versionAnswer } from "./version.js";
import { wrongUsage } from "./wrong-usage.js";

/** Runs one command line to its end. Never throws and never exits: it prints, and sets `process.exitCode`. */
export async function cli(args: string[]): Promise<void> {
  endQuietlyWhenNobodyReads();
  const { flags, rest, problem } = takeGlobalFlags(args);
  try {
    if (problem) throw await wrongUsage(problem.message, problem.hint);
    if (isVersionQuestion(rest)) process.stdout.write(versionAnswer(flags.json));
    else await runProgram(rest, openShell(flags));
  } catch (error) {
    const description = describeError(error);
    process.stderr.write(await renderError(description, flags.json));
    process.exitCode = exitCodeOf(description);
  }
}

/** `tacit list | head` closes the pipe early; that is no error of ours. */
function endQuietlyWhenNobodyReads(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit();
    process.stderr.write(`tacit: could not write the answer: ${error.message}\n`);
    process.exitCode = 1;
  });
  process.stderr.on("error", () => {});
}
