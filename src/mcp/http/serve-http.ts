/**
 * http: the same server for clients that speak HTTP instead of standard input and output. It listens on this machine only,
 * and everything it does needs the token of this user.
 *
 * It refuses to read a request that shows no token, or that was meant for another host or sent by a page of one, whatever
 * its address and method; and it serves nothing but the protocol.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createMcpHandler, isLegacyRequest, type McpServer } from "@modelcontextprotocol/server";
import { prepare, type McpOptions } from "../mcp.js";
import { openServer } from "../server/open-server.js";
import { isUnanswerable, readBody, sendAnswer, sendStatus, webRequest } from "./http-messages.js";
import { path, refuse, type Guard } from "./guard.js";
import { openConnections } from "./connections.js";
import { openSessions } from "./sessions.js";

export { getHttpToken } from "./http-token.js";

export interface HttpOptions extends McpOptions {
  /** 0 takes any that is free. */
  port: number;
  /** What every request has to show. */
  token: string;
  /** Told once, when clients may come. */
  onListening?: (url: string) => void;
}

/** Never another interface: whoever is not on this machine cannot even try. */
const address = "127.0.0.1";

/** Where a client finds the server. By number: another user of this machine may listen where `localhost` leads as well. */
export function urlOf(port: number): string {
  return `http://${address}:${port}${path}`;
}

const limits = {
  // A request comes whole or not at all: nobody holds a connection by sending slowly.
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 2000,
  // The guard answers a request without a host as it does one with a foreign one.
  requireHostHeader: false,
};
// Every session may hold one open, and have others under way.
const maxConnections = 256;
// Node turns newcomers away beyond this; of fewer, `openConnections` chooses who goes. More than are accepted in two turns.
const maxAccepted = 8 * maxConnections;
// What is asked for when the end comes may still be answered.
const patienceMs = 1000;

/**
 * Serves clients until the signal fires, all of them with one memory, and closes it. Clients of the older protocol have a
 * session and a server each; those of the newest a server for each request. Throws where the port cannot be had; never
 * because of what a client sends.
 */
export async function serveHttp({ port, token, onListening = () => {}, ...options }: HttpOptions): Promise<void> {
  const { context, serverOptions, report, close } = prepare(options);
  const open = (): Promise<McpServer> => openServer(context, serverOptions);
  const sessions = openSessions({ openServer: open, report });
  const newest = createMcpHandler(open, { legacy: "reject", onerror: report, maxSubscriptions: 64 });
  const guard: Guard = { port, token };
  const connections = openConnections(maxConnections);
  const calls = new Set<Promise<void>>();

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { socket } = request;
    const going = new AbortController();
    const go = (): void => going.abort();
    response.on("close", go);
    // A response that waits behind another one never closes.
    socket.on("close", go);
    connections.startReading(socket);
    let answered = (): void => {};
    try {
      const body = request.method === "POST" ? await readBody(request) : { json: undefined };
      answered = connections.startAnswering(socket);
      if (body === undefined) return;
      if (typeof body === "number") return sendStatus(body, response);
      const asked = webRequest(request, going.signal);
      const reply = (await isLegacyRequest(asked, body.json))
        ? await sessions.answer(asked, body.json, going.signal)
        : await newest.fetch(asked, { parsedBody: body.json });
      await sendAnswer(reply, response, going.signal);
    } finally {
      answered();
      socket.off("close", go);
    }
  };
  const take = (request: IncomingMessage, response: ServerResponse, expects: "nothing" | "go-on" | "more"): void => {
    response.on("error", report);
    if (isUnanswerable(request)) return;
    const status = refuse(request, guard) ?? (expects === "more" ? 417 : undefined);
    if (status !== undefined) return sendStatus(status, response);
    if (expects === "go-on") response.writeContinue();
    const call = answer(request, response).catch((error: unknown) => {
      report(error);
      if (response.headersSent) response.destroy();
      else sendStatus(500, response);
    });
    // A stream of notices has no end of its own.
    if (request.method === "GET") return;
    calls.add(call);
    void call.finally(() => calls.delete(call));
  };

  const server = createServer(limits, (request, response) => take(request, response, "nothing"));
  // Node would tell whoever asks first to go on, or that it cannot do what is expected, before the guard has looked.
  server.on("checkContinue", (request, response) => take(request, response, "go-on"));
  server.on("checkExpectation", (request, response) => take(request, response, "more"));
  server.on("connection", connections.add);
  server.maxConnections = maxAccepted;
  try {
    guard.port = await listen(server, port);
    server.on("error", report);
    onListening(urlOf(guard.port));
    await fired(options.signal);
    server.close();
    await settledOrLate(calls);
  } finally {
    server.closeAllConnections();
    await Promise.all([sessions.close(), newest.close()]);
    await close();
  }
}

async function listen(server: Server, port: number): Promise<number> {
  try {
    await new Promise<void>((listening, failed) => {
      server.once("error", failed).listen({ port, host: address }, () => {
        server.off("error", failed);
        listening();
      });
    });
  } catch (error) {
    const { MemoryError } = await import("../../index.js");
    const isTaken = error instanceof Error && "code" in error && error.code === "EADDRINUSE";
    throw new MemoryError(
      "invalid-input",
      isTaken ? `Port ${port} is in use.` : `Could not listen on port ${port}.`,
      isTaken
        ? "Another tacit mcp --http may already serve there. Otherwise take another port; --http 0 takes any that is free."
        : "Ports below 1024 may need rights that you do not have; --http 0 takes any that is free.",
      error,
    );
  }
  return (server.address() as AddressInfo).port;
}

async function settledOrLate(calls: ReadonlySet<Promise<void>>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  // It holds the process: with nothing else open, that would end here, before the memory is closed.
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, patienceMs)));
  await Promise.race([Promise.all(calls), late]);
  clearTimeout(timer);
}

async function fired(signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((stop) => {
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", () => stop(), { once: true });
  });
}
