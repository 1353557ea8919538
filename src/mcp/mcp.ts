/**
 * mcp: the memory for any agent that speaks the Model Context Protocol, over standard input and output or, on this machine,
 * over HTTP. It offers tools, resources and prompts, calls the public API and answers.
 *
 * It refuses decisions about memories, and to say a word of a memory, a file's name or an argument outside the quoted block:
 * whatever it answers is read by a model.
 */
import { noteAgentSeen } from "../install/last-seen/agents-seen.js";
import { openCleanUps } from "./server/clean-ups.js";
import { onceAMinute } from "./server/client-name.js";
import { LineTransport } from "./server/line-transport.js";
import { openMemories } from "./server/open-memories.js";
import type { ServerOptions } from "./server/open-server.js";
import type { CallContext } from "./tools/tool.js";
import type { DialectName } from "./server/load-tools.js";

export type { DialectName };

export interface McpOptions {
  /** Tacit's version, for the client. */
  version: string;
  /** Offers the tools under the names of another system, instead of Tacit's own. */
  dialect?: DialectName;
  /** The agent's own id of the session, where it is known: what that session has read decides how far it is trusted. */
  sessionId?: string;
  db?: string;
  project?: string;
  /** The folder whose project this is. Default: what the client has open, else the working directory. */
  directory?: string;
  /** Ends the serving, as the client's going does. */
  signal?: AbortSignal;
  /** Told of what went wrong beside an answer. */
  onError?: (error: unknown) => void;
  /** Told of what was done unasked. */
  onNote?: (text: string) => void;
}

// A client that has gone waits for nothing; what it asked for last may still be written.
const patienceMs = 5000;

/**
 * Serves one client until it closes its end or the signal fires, and closes the memory. Never throws because of what a
 * client says. The memory is opened by the first call that needs it: a client that only asks what there is waits for no
 * database.
 */
export async function serveMcp(options: McpOptions): Promise<void> {
  // Whoever names a project or its folder means that one, whatever else is open.
  const isNamed = options.project !== undefined || options.directory !== undefined;
  const { context, contextAt, serverOptions, report, close } = prepare(options, { isFixed: isNamed });
  const transport = new LineTransport({ patienceMs });
  const [{ serveStdio }, { openServer }] = await Promise.all([
    import("@modelcontextprotocol/server/stdio"),
    import("./server/open-server.js"),
  ]);
  const serving = serveStdio(async () => openServer(context, { ...serverOptions, ...(!isNamed && { contextAt }) }), {
    transport,
    onerror: report,
  });

  await transport.ended(options.signal);

  await serving.close();
  await close();
}

/** What serving takes, however the clients come. */
interface Prepared {
  context: CallContext;
  contextAt: (directory?: string) => CallContext;
  serverOptions: ServerOptions;
  report: (error: unknown) => void;
  /** Ends what goes on beside the calls, and closes the memories. */
  close: () => Promise<void>;
}

/** Where the project is not fixed, none is opened before a call is made from it. */
export function prepare(options: McpOptions, { isFixed = true } = {}): Prepared {
  const { version, dialect, directory, onError: report = () => {} } = options;
  const cleanUps = openCleanUps(options);
  const { contextAt, close } = openMemories({ ...options, onUse: cleanUps.follow });
  const context = contextAt(directory);
  if (isFixed) cleanUps.follow(context);
  return {
    context,
    contextAt,
    serverOptions: { version, ...(dialect && { dialect }), report, onAgentSeen: onceAMinute(noteAgentSeen) },
    report,
    close: async () => {
      cleanUps.close();
      await close();
    },
  };
}
