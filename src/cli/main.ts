#!/usr/bin/env node
// The command `tacit`. Answers the version and the hooks of agents before anything else is loaded; the rest is behind run-command-line.ts.
import { asksForVersion, versionAnswer } from "./terminal/version.js";

const args = process.argv.slice(2);

if (asksForVersion(args)) {
  process.stdout.write(versionAnswer(args.includes("--json")));
} else if (!(await isForAgents())) {
  const { runCommandLine } = await import("./run-command-line.js");
  await runCommandLine(args);
}

/** Runs what an agent waits for, where the line says so. */
async function isForAgents(): Promise<boolean> {
  if (args.includes("hook") && (await (await import("./agents/hook-lines.js")).tryHook(args))) return true;
  return args.includes("observe") && (await import("./agents/observe-lines.js")).tryObserve(args);
}
