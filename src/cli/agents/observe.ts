import { Option, type Command } from "commander";
import type { EventSource } from "../../hook/observe-once.js";
import { observeLines } from "./observe-lines.js";
import { sessionTypeNames } from "../sessions/session-types.js";
import type { Shell } from "../terminal/shell.js";

const details = `
Nobody types this: the hooks of an agent call it. It reads what the agent tells on standard input, one
JSON document or one a line, notes it down, and when the session is over, makes memories of what was
learned. It prints nothing, and never fails. TACIT_DEBUG=1 tells on standard error what went wrong.

The plug-in of Claude Code also tells the agent what is known: tacit hook --help. Without it, in hooks:
  { "type": "command", "command": "tacit observe" }
`;

const sources: Record<EventSource, true> = { "claude-code": true, opencode: true, "ai-sdk": true, tacit: true };

export function addObserve(program: Command, shell: Shell): void {
  program
    .command("observe")
    .description("for the hooks of an agent: note what it does, and tell it nothing")
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
