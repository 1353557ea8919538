/**
 * mcp: the memory for any agent that speaks the Model Context Protocol, over standard input and output. It offers tools,
 * resources and prompts, calls the public API and answers.
 *
 * It refuses decisions about memories, and to say a word of a memory, a file's name or an argument outside the quoted block:
 * whatever it answers is read by a model.
 */
import type { TacitMemory } from "../index.js";
import { LineTransport } from "./line-transport.js";
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
  /** The folder whose project this is. Default: the working directory. */
  directory?: string;
  /** Ends the serving, as the client's going does. */
  signal?: AbortSignal;
  /** Told of what went wrong beside an answer. */
  onError?: (error: unknown) => void;
  /** Told of what was done unasked. */
  onNote?: (text: string) => void;
}

// A store that another process holds blocks this one for as long, and every other call with it.
const timeoutMs = 3000;
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
  const memory = openLater(options);
  const transport = new LineTransport({ patienceMs });
  const [{ serveStdio }, { openServer }] = await Promise.all([
    import("@modelcontextprotocol/server/stdio"),
    import("./open-server.js"),
  ]);
  const report = options.onError ?? (() => {});
  const directory = options.directory ?? process.cwd();
  const { sessionId, dialect, version } = options;
  const context = { memory: memory.get, directory, ...(sessionId !== undefined && { sessionId }) };
  const serving = serveStdio(async () => openServer(context, { version, ...(dialect && { dialect }), report }), {
    transport,
    onerror: report,
  });

  const cleaning = cleanUpFrom(memory.get, options);

  await transport.ended(options.signal);

  cleaning.stop();
  await serving.close();
  await memory.close().catch(report);
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

/** The memory, opened at the first question. A failure is that question's answer; the next one tries again. */
function openLater({ db, project, directory }: McpOptions): {
  get: () => Promise<TacitMemory>;
  close: () => Promise<void>;
} {
  let opening: Promise<TacitMemory> | undefined;
  const open = async (): Promise<TacitMemory> => {
    const { openMemory } = await import("../index.js");
    return openMemory({
      timeoutMs,
      ...(db !== undefined && { db }),
      ...(project !== undefined && { project }),
      ...(directory !== undefined && { directory }),
    });
  };
  return {
    get: async () => {
      opening ??= open();
      try {
        return await opening;
      } catch (error) {
        opening = undefined;
        throw error;
      }
    },
    close: async () => (await opening?.catch(() => undefined))?.close(),
  };
}
