import type { UntrustedSource } from "../observer.js";

const sources: Record<UntrustedSource["from"], (what: string) => string> = {
  web: (what) => `the web (${what})`,
  mcp: (what) => `another tool server (${what})`,
  network: (what) => `a command that uses the network (${what})`,
  download: (what) => `a download (${what})`,
  file: (what) => `a file outside the project (${what})`,
  untracked: (what) => `a file that git does not track (${what})`,
  waiting: (what) => `what waits for a person (${what})`,
  instruction: (what) => what,
};

/** Why something waits for a person, as a sentence. */
export function describeUntrustedSource({ from, what }: UntrustedSource): string {
  if (from === "instruction") return "It repeats an instruction that stood in what the agent read.";
  return `The agent had read from outside the project before: from ${sources[from](what)}.`;
}
