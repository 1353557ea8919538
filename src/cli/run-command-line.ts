import { type GlobalFlags, takeGlobalFlags } from "./terminal/global-flags.js";
import { runProgram } from "./run-program.js";
import { openShell } from "./terminal/shell.js";
import { wrongUsage } from "./terminal/wrong-usage.js";

/** Runs one command line to its end. Never throws and never exits: it prints, and sets `process.exitCode`. */
export async function runCommandLine(args: string[]): Promise<void> {
  const { flags, rest, problem } = takeGlobalFlags(args);
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    // `tacit list | head` closes the pipe early; that is no error of ours.
    if (error.code === "EPIPE") process.exit();
    void fail(error, flags, args);
  });
  process.stderr.on("error", () => {});
  const shell = openShell(flags);
  try {
    if (problem) throw await wrongUsage(problem.message, problem.hint);
    await runProgram(rest, shell);
  } catch (error) {
    await fail(error, flags, args);
  } finally {
    await shell.close();
  }
}

async function fail(error: unknown, flags: GlobalFlags, args: readonly string[]): Promise<void> {
  const { describeError, exitCodeOf, renderError } = await import("./terminal/report-error.js");
  const description = describeError(error, args);
  process.exitCode = exitCodeOf(description);
  process.stderr.write(await renderError(description, flags.json));
}
