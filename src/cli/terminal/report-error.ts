import { quoteArgument } from "./quote-argument.js";

/** What a program is told when something went wrong: the content of `{"error": …}`. */
export interface ErrorDescription {
  code: string;
  message: string;
  hint: string;
}

/** Every error that reaches the surface, in the three parts that people and programs get. */
export function describeError(error: unknown, args: readonly string[] = []): ErrorDescription {
  if (isMemoryError(error) && isForPerson(error.code) && args.length > 0) {
    // To be read out to a person, who can run it as it is.
    const hint = `A person can, in a terminal of their own: tacit ${withoutSession(args).map(quoteArgument).join(" ")}`;
    return { code: error.code, message: error.message, hint };
  }
  if (isMemoryError(error)) return { code: error.code, message: error.message, hint: error.hint };
  if (error instanceof Error && "syscall" in error && error.syscall === "write") {
    return {
      code: "output-failed",
      message: `Could not write the answer: ${error.message}`,
      hint: "Is the disk full?",
    };
  }
  return {
    code: "unexpected",
    message: error instanceof Error ? error.message : String(error),
    hint: "This is a mistake in Tacit, not in your command. Please report it, with the command you ran.",
  };
}

function isForPerson(code: string): boolean {
  return code === "agent-refused" || code === "session-tainted";
}

/** A person is judged by the session that they name, and by none if they name none. What looks for memories filters by it. */
function withoutSession(args: readonly string[]): string[] {
  if (args.some((arg) => looking.has(arg))) return [...args];
  const options = args.slice(0, args.includes("--") ? args.indexOf("--") : undefined);
  const kept = options.filter((arg, at) => !/^--session(?:=|$)/.test(arg) && options[at - 1] !== "--session");
  return [...kept, ...args.slice(options.length)];
}

const looking = new Set(["forget", "list", "recall", "export", "purge"]);

/** 2 for wrong usage, 1 for everything else. */
export function exitCodeOf(error: ErrorDescription): number {
  return error.code === "usage" ? 2 : 1;
}

/** One JSON document, or a sentence with its hint below; either ends its line. */
export async function renderError(error: ErrorDescription, json: boolean): Promise<string> {
  if (json) return `${JSON.stringify({ error })}\n`;
  const { neutralise } = await import("../../index.js");
  const hint = error.hint.replaceAll(/^(?=.)/gm, "  ");
  return neutralise(`tacit: ${error.message}\n${hint}`.trimEnd()).concat("\n");
}

// By shape, because loading the class would load the library.
function isMemoryError(error: unknown): error is Error & { code: string; hint: string } {
  return error instanceof Error && error.name === "MemoryError" && "code" in error && "hint" in error;
}
