import { Option, type Command } from "commander";
import type { EventSource } from "../../observe.js";
import { observeLines } from "../observe-lines.js";
import { sessionTypeNames } from "../session-types.js";
import type { Shell } from "../shell.js";

const details = `
Reads what an agent tells on standard input: one JSON document, or one a line. It notes it down, and when the
session is over, makes memories of what was learned. For the hooks of an agent: it prints nothing, and never fails.
TACIT_DEBUG=1 tells on standard error what went wrong.

Example, in the hooks of Claude Code:
  { "type": "command", "command": "tacit observe" }
`;

const sources: Record<EventSource, true> = { "claude-code": true, opencode: true, "ai-sdk": true, tacit: true };

export function addObserve(program: Command, shell: Shell): void {
  program
    .command("observe")
    .description("learn from what an agent does, told on standard input by its hooks")
    .addOption(
      new Option("--from <agent>", "whose events they are").choices(Object.keys(sources)).default("claude-code"),
    )
    .addOption(new Option("--type <type>", "what kind of sessions they are").choices(sessionTypeNames))
    .addHelpText("after", details)
    .action(async ({ from, type }: { from: string; type?: string }) => {
      const { db, project } = shell.flags;
      await observeLines({
        from,
        ...(type !== undefined && { type }),
        ...(db !== undefined && { db }),
        ...(project !== undefined && { project }),
      });
    });
}
