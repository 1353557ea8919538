import type { UntrustedSource } from "../observer.js";

const sources: Record<UntrustedSource["from"], (what: string) => string> = {
  web: (what) => `the web (${what})`,
  mcp: (what) => `another tool server (${what})`,
  network: (what) => `a command that uses the network (${what})`,
  download: (what) => `a download (${what})`,
  command: (what) => `a command that shows more than the project (${what})`,
  file: (what) => `a file outside the project (${what})`,
  untracked: (what) => `a file that git does not track (${what})`,
  written: (what) => `a file that an agent had changed after it had read from outside (${what})`,
  waiting: (what) => `what waits for a person (${what})`,
  instruction: (what) => what,
  clone: (what) => what,
  others: (what) => what,
  "made-up": (what) => what,
  unwatched: (what) => what,
};

export const instructionReason = "It repeats an instruction that stood in what the agent read.";
export const cloneReason =
  "An agent worded it in a clone that you have not accepted. It is pending until you do: tacit project accept.";
export const unwatchedReason =
  "Tacit was switched off where the agent worked, or could not read its settings there, so nobody knows what it had read.";
const untilMerged = "It is pending until you approve it, or until somebody else merges its work.";
/** What a commit says that did not take its message from its command, as the `what` of others' words. */
export const messageFromElsewhere = "a message that did not stand in the command";

/** Why something waits for a person, as a sentence. */
export function describeUntrustedSource({ from, what }: UntrustedSource): string {
  if (from === "instruction") return instructionReason;
  if (from === "unwatched") return unwatchedReason;
  if (from === "clone") return cloneReason;
  if (from === "others" && what === messageFromElsewhere) {
    return `The message of the commit did not stand in the command that made it. ${untilMerged}`;
  }
  if (from === "others") return `An agent worded it after commits of others had come in by ${what}. ${untilMerged}`;
  if (from === "made-up") return `A command of an agent passed for one of its hooks (${what}).`;
  return `The agent had read from outside the project before: from ${sources[from](what)}.`;
}

/** The same of what others committed where a session works, for what it says or changes in another project. */
export function describeForeignWork({ from, what }: UntrustedSource): string {
  return from === "clone"
    ? "The agent works in a clone that you have not accepted."
    : `The agent works where commits of others had come in by ${what}.`;
}
