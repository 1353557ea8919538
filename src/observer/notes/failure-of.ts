import { browserDeed } from "../tools/tool-deeds.js";
import type { Call } from "../observer.js";
import { withoutColours } from "../../base/input/input.js";
import { testSummary } from "./test-summary.js";
import { isRefusedByUser, refusalOf } from "./tool-refusals.js";

/** A call that did not do what it was to do. */
export interface Failure {
  /** Of a command, where it is told. */
  exit?: number;
  /** A person said no; nothing is wrong with the code. */
  isRefused?: boolean;
}

/**
 * Whether a call failed: as the agent says, or as a command's output shows where the agent does not know, because `| tail`
 * hid the exit code. What a file says about errors is none, and neither is "0 errors".
 */
export function failureOf(
  text: string,
  call: Pick<Call, "does" | "command" | "tool"> | undefined,
  isError: boolean | undefined,
): Failure | undefined {
  const isRun = call === undefined || call.does === "run";
  const exit = isError === true || isRun || call.command !== undefined ? exitOf(text) : undefined;
  if (isError === true) {
    if (isRefusedByUser(text)) return { isRefused: true };
    // grep and its like say 1 for having found nothing.
    if (call?.does === "search" && isNothingFound(text, exit)) return undefined;
    return exit === undefined || exit === 0 ? {} : { exit };
  }
  if (call?.does === "edit") return refusalOf(text) && text.length < 2000 ? {} : undefined;
  if (!isRun) return isPageTrouble(text, call) ? {} : undefined;
  if (exit !== undefined && exit !== 0) return { exit };
  const echoed = call?.command?.line.includes("$?") ? echoedExit.exec(text.slice(-60))?.[1] : undefined;
  if (echoed !== undefined && Number(echoed) !== 0) return { exit: Number(echoed) };
  const purpose = call?.command?.purpose;
  if (purpose === "look" || purpose === "version-control") return undefined;
  const end = withoutColours(text.length > looksAt ? text.slice(-looksAt) : text);
  if (purpose === "test" || purpose === "build" || purpose === "check") {
    const tests = purpose === "test" ? testSummary(end) : undefined;
    if (tests) return tests.failed > 0 ? {} : undefined;
    return failureSigns.test(end) ? {} : undefined;
  }
  // A command may fail to its last line and still end well for the shell.
  return isError === undefined && uncaught.test(end.slice(-1500)) ? {} : undefined;
}

/** Tools of browsers often say in their answer alone that they could not act. What a page says counts for nothing. */
function isPageTrouble(text: string, { does, tool }: Pick<Call, "does" | "tool">): boolean {
  if (does !== "other" && does !== "fetch") return false;
  const deed = browserDeed(tool);
  return deed !== undefined && deed !== "look" && deed !== "run" && pageTrouble.test(text.slice(0, 300));
}

const pageTrouble =
  /^[\s#]{0,10}(?:\w{0,40}Error\b|Failed to\b|Could not\b|Cannot\b|Unable to\b|No (?:such )?element\b|Element\b[^\n]{0,120}\bnot\b|Time(?:d )?out\b)|"success"\s{0,2}:\s{0,2}false\b/i;

const looksAt = 8000;
// npm test | tail; echo "exit: $?"
const echoedExit =
  /(?:^|\n)\W{0,6}(?:exit(?:ed)?|rc|status|code|exit[ _-]?(?:code|status))?\s?[:=]?\s?(\d{1,3})\W{0,6}$/i;

/** What Claude Code, opencode and others write before or behind the output of a command that failed. */
function exitOf(text: string): number | undefined {
  const found =
    /^(?:<\w+>)?\s*(?:Error: )?Exit code:? (\d{1,3})\b/.exec(text.slice(0, 60)) ??
    /(?:exit(?:ed)? (?:with )?(?:code|status):?|exit_?[cC]ode["']?:|returned non-zero exit status) ?(\d{1,3})\b/i.exec(
      text.slice(-300),
    );
  return found ? Number(found[1]) : undefined;
}

function isNothingFound(text: string, exit: number | undefined): boolean {
  return exit === 1 && text.length < 60;
}

// Of runs of tests, builds and checks only: there these lines are what it comes to.
const failureSigns =
  /\berror TS\d{3,5}:|^error(?:\[E\d{4}\])?: |Found [1-9]\d* errors?\b|\b[1-9]\d* problems? \([1-9]\d* errors?|^\s*FAIL\b|^FAILED\b|^--- FAIL|BUILD FAIL(?:ED|URE)|Failed to compile|^ERROR in |^make(?:\[\d+\])?: \*\*\* |^npm (?:ERR!|error) code |Traceback \(most recent call last\)|(?<!fixed |Fixed )\b[1-9]\d* (?:errors?|failures?|failing|failed)\b|:\d+: (?:fatal )?error: |^\s+\d+:\d+\s+error\s/m;

const uncaught =
  /Traceback \(most recent call last\):[^]*\n\w[\w.]*(?:Error|Exception|Exit|Interrupt)\b[^\n]{0,300}\s*$|\n {4}at [^]*\n\nNode\.js v\d+[\d.]*\s*$|^panic: [^]*\ngoroutine \d+|: command not found\s*$|^npm (?:ERR!|error) code |^fatal: [^\n]{0,300}\s*$/m;
