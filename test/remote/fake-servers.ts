import {
  createServer,
  request,
  type IncomingMessage,
  type RequestListener,
  type Server as HttpServer,
  type ServerResponse,
} from "node:http";
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

/** A port of loopback on which nobody listens at this moment. */
export async function freePort(): Promise<number> {
  const probe = createTcpServer();
  await new Promise<void>((ready) => probe.listen(0, "127.0.0.1", ready));
  const { port } = probe.address() as AddressInfo;
  await new Promise<void>((closed) => {
    probe.close(() => closed());
  });
  return port;
}

/** Accepts every connection and never says a word. */
export async function startSilence(): Promise<string> {
  return listening(createTcpServer());
}

/** Answers HTTP as it is told. */
export async function startWebServer(answer: RequestListener): Promise<string> {
  return listening(createServer(answer));
}

/**
 * What becomes of a request. `lose the request`: the connection breaks before it reaches the server. `lose the answer`:
 * the server does as it was asked, and the connection breaks before it can say so. Else what to ask the server instead.
 */
export type Treatment = "pass on" | "stay silent" | "lose the request" | "lose the answer" | { ask: string };

export interface Proxy {
  url: string;
  /** The body of every request so far. */
  requests: string[];
  treat: (body: string) => Treatment;
}

/** Stands between clients and a server, hears every request, and does harm when told to. */
export async function startProxy(target: string): Promise<Proxy> {
  const proxy: Proxy = { url: "", requests: [], treat: () => "pass on" };
  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const body = await text(incoming);
    const treatment = proxy.treat(body);
    proxy.requests.push(body);
    if (treatment === "lose the request") incoming.socket.destroy();
    else if (treatment !== "stay silent") passOn(target, incoming, outgoing, body, treatment);
  };
  proxy.url = await listening(createServer((incoming, outgoing) => void handle(incoming, outgoing)));
  return proxy;
}

function passOn(
  target: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  body: string,
  treatment: Treatment,
): void {
  const asked = typeof treatment === "object" ? treatment.ask : body;
  const headers = { ...incoming.headers, "content-length": String(Buffer.byteLength(asked)) };
  const { method = "GET", url = "/" } = incoming;
  const breakOff = () => incoming.socket.destroy();
  request(new URL(url, target), { method, headers }, (answer) => {
    if (treatment === "lose the answer") {
      answer.resume().on("end", breakOff);
      return;
    }
    outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(outgoing);
  })
    .on("error", breakOff)
    .end(asked);
}

async function listening(server: HttpServer | TcpServer): Promise<string> {
  const sockets = new Set<{ destroy(): void }>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((closed) => {
      server.close(() => closed());
    });
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
