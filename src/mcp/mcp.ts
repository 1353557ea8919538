/**
 * mcp: the memory for any agent that speaks the Model Context Protocol, over standard input and output or, on this machine,
 * over HTTP. It offers tools, resources and prompts, calls the public API and answers.
 *
 * It refuses decisions about memories, and to say a word of a memory, a file's name or an argument outside the quoted block:
 * whatever it answers is read by a model.
 */
import type { TacitMemory } from "../index.js";
import { noteSpoken } from "../spoken.js";
import { onceAMinute } from "./client-name.js";
import { LineTransport } from "./line-transport.js";
import { openMemories } from "./open-memories.js";
import type { ServerOptions } from "./open-server.js";
import type { CallContext } from "./tool.js";
import type { DialectName } from "./tools.js";

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
// The first design asks for one at the start. Soon after it: what a client asks first is not to wait for a database.
const firstCleanUpMs = 1000;
const cleanUpMs = 3_600_000;

/**
 * Serves one client until it closes its end or the signal fires, and closes the memory. Never throws because of what a
 * client says. The memory is opened by the first call that needs it: a client that only asks what there is waits for no
 * database.
 */
export async function serveMcp(options: McpOptions): Promise<void> {
  const { context, contextAt, serverOptions, report, close } = prepare(options);
  const transport = new LineTransport({ patienceMs });
  const [{ serveStdio }, { openServer }] = await Promise.all([
    import("@modelcontextprotocol/server/stdio"),
    import("./open-server.js"),
  ]);
  // Whoever names a project or its folder means that one, whatever else is open.
  const isNamed = options.project !== undefined || options.directory !== undefined;
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

export function prepare(options: McpOptions): Prepared {
  const { version, dialect, directory, onError: report = () => {} } = options;
  const { contextAt, close } = openMemories(options);
  const context = contextAt(directory);
  const cleaning = cleanUpFrom(context.memory, options);
  return {
    context,
    contextAt,
    serverOptions: { version, ...(dialect && { dialect }), report, spoken: onceAMinute(noteSpoken) },
    report,
    close: async () => {
      cleaning.stop();
      await close();
    },
  };
}

/** Removes what has long expired, soon after the start and every hour, until it is stopped. Nobody waits for it. */
function cleanUpFrom(
  memory: () => Promise<TacitMemory>,
  { onError = () => {}, onNote = () => {} }: McpOptions,
): { stop: () => void } {
  let timer: NodeJS.Timeout;
  const after = (ms: number): void => {
    timer = setTimeout(() => void cleanUp(), ms).unref();
  };
  const cleanUp = async (): Promise<void> => {
    after(cleanUpMs);
    try {
      const removed = await (await memory()).cleanUp();
      onNote(`cleaned up ${removed} ${removed === 1 ? "memory" : "memories"}`);
    } catch (error) {
      onError(error);
    }
  };
  after(firstCleanUpMs);
  return { stop: () => clearTimeout(timer) };
}
