import { randomUUID } from "node:crypto";
import {
  isInitializeRequest,
  WebStandardStreamableHTTPServerTransport,
  type McpServer,
} from "@modelcontextprotocol/server";

/** The clients that have introduced themselves, each with a server of its own. */
export interface Sessions {
  /** `closed` fires when the answer is out, or nobody waits for it any more. */
  answer: (request: Request, body: unknown, closed: AbortSignal) => Promise<Response>;
  close: () => Promise<void>;
}

export interface SessionsOptions {
  openServer: () => Promise<McpServer>;
  report: (error: unknown) => void;
  /** How many are held. */
  most?: number;
}

interface Session {
  transport: WebStandardStreamableHTTPServerTransport;
  server: McpServer;
  /** Answers under way, a stream of notices among them. */
  open: number;
}

// Windows and agents of one person. A client that crashes leaves its session behind, and nobody tells.
const maxSessions = 64;

/**
 * Answers clients that begin with a handshake and then name their session. Where there are too many, the one is let go that
 * was used longest ago, first of all one that nobody is connected to; its client is told 404, and begins anew.
 */
export function openSessions({ openServer, report, most = maxSessions }: SessionsOptions): Sessions {
  // In the order of their last use.
  const sessions = new Map<string, Session>();

  const drop = (id: string): void => {
    const session = sessions.get(id);
    sessions.delete(id);
    void session?.server.close().catch(report);
  };
  const makeRoomFor = (id: string): void => {
    while (sessions.size > most) {
      const others = [...sessions].filter(([other]) => other !== id);
      const [oldest] = others.find(([, { open }]) => open === 0) ?? others[0] ?? [id];
      drop(oldest);
    }
  };
  const begin = async (): Promise<Session> => {
    const server = await openServer();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        sessions.set(id, session);
        makeRoomFor(id);
      },
      onsessionclosed: (id) => void (id !== undefined && sessions.delete(id)),
    });
    const session: Session = { transport, server, open: 0 };
    await server.connect(Object.assign(transport, { onerror: report }));
    return session;
  };

  return {
    async answer(request, body, closed) {
      const id = request.headers.get("mcp-session-id");
      const session = id === null && isInitializeRequest(body) ? await begin() : sessions.get(id ?? "");
      if (!session)
        return id === null ? saying(400, "A session begins with initialize.") : saying(404, "No such session.");
      if (id !== null) {
        sessions.delete(id);
        sessions.set(id, session);
      }
      if (!closed.aborted) {
        session.open++;
        closed.addEventListener("abort", () => session.open--, { once: true });
      }
      const answered = await session.transport.handleRequest(request, { parsedBody: body });
      // A handshake that was refused.
      if (session.transport.sessionId === undefined) await session.server.close();
      return answered;
    },
    async close() {
      const held = [...sessions.values()];
      sessions.clear();
      await Promise.all(held.map(({ server }) => server.close().catch(report)));
    },
  };
}

function saying(status: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", error: { code: -32_000, message }, id: null }, { status });
}
