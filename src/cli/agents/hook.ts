import { Argument, type Command } from "commander";
import { hookLines } from "./hook-lines.js";
import type { Shell } from "../terminal/shell.js";

const details = `
Nobody types this: the hooks of an agent's plug-in call it. It reads what the hook is told on standard
input, notes it down, and prints what the agent should know now, or nothing. It never fails, and what it
cannot tell within a second it does not tell. TACIT_DEBUG=1 tells on standard error what went wrong.

To have Claude Code call it, in all projects: tacit install claude-code

tacit doctor tells whether it is called, tacit stats what was told, tacit sessions ID what came of it.
To note without telling: tacit config set autoInject false
`;

export function addHook(program: Command, shell: Shell): void {
  program
    .command("hook")
    .description("for the hooks of an agent: note what it does, and tell it what is known")
    .addArgument(new Argument("<agent>", "whose hook it is").choices(["claude-code"]))
    .addHelpText("after", details)
    .action(async (agent: string) => {
      const { db, project } = shell.flags;
      await hookLines({ agent, ...(db !== undefined && { db }), ...(project !== undefined && { project }) });
    });
}
