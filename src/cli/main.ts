#!/usr/bin/env node
// The command `tacit`. Answers the version and notes an agent's events before anything else is loaded; the rest is behind
// cli.ts.
import { asksForVersion, versionAnswer } from "./version.js";

const args = process.argv.slice(2);

if (asksForVersion(args)) {
  process.stdout.write(versionAnswer(args.includes("--json")));
} else if (!(args.includes("observe") && (await (await import("./observe-lines.js")).tryObserve(args)))) {
  const { cli } = await import("./cli.js");
  await cli(args);
}
