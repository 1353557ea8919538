import { Option, type Command } from "commander";
import type { DialectName } from "../../mcp/mcp.js";
import { setOnly } from "../set-only.js";
import type { Shell } from "../shell.js";
import { versionAnswer } from "../version.js";
import { whileStoppable } from "../while-stoppable.js";

const details = `
For the configuration of an agent: it speaks the protocol on standard input and output until the
agent goes, and says nothing else. TACIT_DEBUG=1 tells on standard error what went wrong. The project
is that of CLAUDE_PROJECT_DIR where an agent sets it, else of the folder it starts in.

What an agent asks to remember is trusted as far as the hooks of its session can tell what it has
read: without hooks it is kept unverified, for you to confirm (tacit verify).

Example, in .mcp.json:
  { "mcpServers": { "tacit": { "command": "tacit", "args": ["mcp"] } } }
`;

// Written out, because the protocol takes a tenth of a second to load.
const dialects: Record<DialectName, true> = { reachy: true, "auto-claude": true };

interface McpFlags {
  dialect?: DialectName;
  session?: string;
}

export function addMcp(program: Command, shell: Shell): void {
  program
    .command("mcp")
    .description("serve the memory to an agent over the Model Context Protocol")
    .addOption(new Option("--dialect <name>", "tools by the names of another system").choices(Object.keys(dialects)))
    .option("--session <id>", "the agent's id of its session (default: what the agent sets)")
    .addHelpText("after", details)
    .action(async (flags: McpFlags) => serve(shell, flags));
}

async function serve(shell: Shell, { dialect, session }: McpFlags): Promise<void> {
  const { env } = process;
  const { serveMcp } = await import("../../mcp/mcp.js");
  const onError = env["TACIT_DEBUG"] ? complain : () => {};
  // What fails in the background, such as an embedding, must not take the agent's memory away for the rest of its session.
  process.on("unhandledRejection", onError);
  await whileStoppable(
    shell,
    (signal) =>
      serveMcp({
        version: versionAnswer(false).trim(),
        signal,
        onError,
        onNote: onError,
        ...setOnly({
          dialect,
          db: shell.flags.db,
          project: shell.flags.project,
          sessionId: session ?? setOrNot(env["TACIT_SESSION_ID"]) ?? setOrNot(env["CLAUDE_CODE_SESSION_ID"]),
          directory: setOrNot(env["CLAUDE_PROJECT_DIR"]),
        }),
      }),
    ["SIGINT", "SIGTERM"],
  );
}

/** An agent that knows no value may set an empty one. */
function setOrNot(value: string | undefined): string | undefined {
  return value === "" ? undefined : value;
}

function complain(error: unknown): void {
  process.stderr.write(`tacit mcp: ${error instanceof Error ? error.message : String(error)}\n`);
}
