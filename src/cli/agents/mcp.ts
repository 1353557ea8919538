import { InvalidArgumentError, Option, type Command } from "commander";
import type { DialectName, McpOptions } from "../../mcp/mcp.js";
import { setOnly } from "../terminal/set-only.js";
import type { Shell } from "../terminal/shell.js";
import { versionAnswer } from "../terminal/version.js";
import { whileStoppable } from "../terminal/while-stoppable.js";
import { wrongUsage } from "../terminal/wrong-usage.js";

const details = `
For the configuration of an agent: it speaks the protocol on standard input and output until the
agent goes, and says nothing else. TACIT_DEBUG=1 tells on standard error what went wrong. The project
is that of --project, else of CLAUDE_PROJECT_DIR where an agent sets it, else of the first folder that
the agent says it has open, else of the folder it starts in.

What an agent asks to remember is trusted as far as the hooks of its session can tell what it has
read: without hooks it is kept unverified, for you to confirm (tacit verify).

Example, in .mcp.json:
  { "mcpServers": { "tacit": { "command": "tacit", "args": ["mcp"] } } }

For clients that want HTTP, --http PORT serves them at http://127.0.0.1:PORT/mcp until it is stopped
(Ctrl-C), for the project of --project or of the folder it starts in. Nobody outside this machine gets
there, and every request needs the token of $TACIT_HOME/http-token (default ~/.tacit), which is made at
the first start; TACIT_HTTP_TOKEN takes its place. What to put into a client's configuration:
  tacit mcp --http 7777 --show-config
`;

// Written out, because the protocol takes a tenth of a second to load.
const dialects: Record<DialectName, true> = { reachy: true, "auto-claude": true };

interface McpFlags {
  dialect?: DialectName;
  session?: string;
  http?: number;
  showConfig?: true;
}

export function addMcp(program: Command, shell: Shell): void {
  program
    .command("mcp")
    .description("serve the memory to an agent over the Model Context Protocol")
    .addOption(new Option("--dialect <name>", "tools by the names of another system").choices(Object.keys(dialects)))
    .option("--session <id>", "the agent's id of its session (default: what the agent sets)")
    .option("--http <port>", "serve over HTTP, on this machine only, instead (0: any free port)", portNumber)
    .option("--show-config", "with --http: print what a client needs, with the token, and end")
    .addHelpText("after", details)
    .action(async (flags: McpFlags) => {
      if (flags.showConfig) return showConfig(shell, flags.http);
      return flags.http === undefined ? serveLines(shell, flags) : serveHttp(shell, flags, flags.http);
    });
}

function portNumber(value: string): number {
  if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value);
  throw new InvalidArgumentError("It takes a port, 1 to 65535, or 0 for any that is free.");
}

async function serveLines(shell: Shell, flags: McpFlags): Promise<void> {
  const { env } = process;
  const { serveMcp } = await import("../../mcp/mcp.js");
  await whileServing(shell, (signal) =>
    serveMcp({
      ...optionsOf(shell, flags, signal),
      ...setOnly({
        sessionId: flags.session ?? setOrNot(env["TACIT_SESSION_ID"]) ?? setOrNot(env["CLAUDE_CODE_SESSION_ID"]),
        directory: setOrNot(env["CLAUDE_PROJECT_DIR"]),
      }),
    }),
  );
}

/** What an agent sets for what it starts is not taken here: those who come over HTTP are others. */
async function serveHttp(shell: Shell, flags: McpFlags, port: number): Promise<void> {
  const http = await import("../../mcp/http/serve-http.js");
  const token = await http.getHttpToken();
  await whileServing(shell, (signal) =>
    http.serveHttp({
      ...optionsOf(shell, flags, signal),
      ...setOnly({ sessionId: flags.session }),
      port,
      token: token.value,
      onListening: (url) => tellStart(shell, url, token.file),
    }),
  );
}

function tellStart({ flags: { json, quiet } }: Shell, url: string, tokenFile: string | undefined): void {
  if (json) process.stdout.write(`${JSON.stringify({ url, ...(tokenFile !== undefined && { tokenFile }) })}\n`);
  else if (!quiet) {
    process.stderr.write(
      `Serving ${url} until Ctrl-C. Clients show the token of ${tokenFile ?? "TACIT_HTTP_TOKEN"}.\n`,
    );
  }
}

async function showConfig(shell: Shell, port: number | undefined): Promise<void> {
  if (port === undefined || port === 0) {
    throw await wrongUsage("--show-config needs to know the port.", "For example: tacit mcp --http 7777 --show-config");
  }
  const { getHttpToken, urlOf } = await import("../../mcp/http/serve-http.js");
  const headers = { Authorization: `Bearer ${(await getHttpToken()).value}` };
  const document = { mcpServers: { tacit: { type: "http", url: urlOf(port), headers } } };
  await shell.print({ document, text: () => JSON.stringify(document, null, 2) });
}

function optionsOf({ flags }: Shell, { dialect }: McpFlags, signal: AbortSignal): McpOptions {
  return {
    version: versionAnswer(false).trim(),
    signal,
    onError: complain,
    onNote: complain,
    ...setOnly({ dialect, db: flags.db, project: flags.project }),
  };
}

async function whileServing(shell: Shell, serve: (signal: AbortSignal) => Promise<void>): Promise<void> {
  // What fails in the background, such as an embedding, must not take the agent's memory away for the rest of its session.
  process.on("unhandledRejection", complain);
  await whileStoppable(shell, serve, ["SIGINT", "SIGTERM"]);
}

/** An agent that knows no value may set an empty one. */
function setOrNot(value: string | undefined): string | undefined {
  return value === "" ? undefined : value;
}

function complain(error: unknown): void {
  if (!process.env["TACIT_DEBUG"]) return;
  process.stderr.write(`tacit mcp: ${error instanceof Error ? error.message : String(error)}\n`);
}
