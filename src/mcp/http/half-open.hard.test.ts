import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import "../../../test/support/own-home.js";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import { serveHttp } from "./serve-http.js";

const token = "0123456789abcdef0123456789abcdef";
const initialize = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "owner", version: "1" } },
});

const head = (port: number, shown: string, length: number): string =>
  [
    "POST /mcp HTTP/1.1",
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${shown}`,
    "Content-Type: application/json",
    "Accept: application/json, text/event-stream",
    `Content-Length: ${length}`,
    "\r\n",
  ].join("\r\n");

/** What somebody says who then hangs. */
const halves: Record<string, (port: number) => string> = {
  "sockets on which nothing comes": () => "",
  "half a request line": () => "POST /m",
  "headers that never end": (port) => `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-A: b\r\n`,
  "bodies that never come, without the token": (port) => head(port, "x".repeat(32), 1000),
  "bodies that never come, with the token": (port) => head(port, token, 1000),
  "bodies of which half comes, with the token": (port) => `${head(port, token, 1000)}{"jsonrpc":`,
};

it.each(Object.keys(halves))(
  "[TR85] answers the owner within a second while 1,000 connections hang: %s",
  async (kind) => {
    const port = await serve();
    const hanging = await Promise.all(Array.from({ length: 1000 }, () => open(port, halves[kind]?.(port) ?? "")));

    const began = performance.now();
    const status = await ask(port);
    const tookMs = performance.now() - began;

    expect(status).toBe(200);
    expect(tookMs).toBeLessThan(1000);
    expect(hanging.filter((socket) => !socket.destroyed).length).toBeLessThanOrEqual(256);
  },
);

it("[TR85] answers the owner who comes in the middle of a flood", async () => {
  const port = await serve();

  const flood = Array.from({ length: 1000 }, () => open(port, ""));
  const asked = ask(port);
  flood.push(...Array.from({ length: 1000 }, () => open(port, "GET")));
  await Promise.all(flood);

  expect(await asked).toBe(200);
});

it("[TR85] drops nobody who is being answered or has just been, while there are strangers", async () => {
  const port = await serve();
  const owner = await open(port, `${head(port, token, initialize.length)}${initialize}`);
  await new Promise((answered) => owner.once("data", answered));
  await Promise.all(Array.from({ length: 600 }, () => open(port, "")));

  const again = new Promise((answered) => owner.once("data", answered));
  owner.write(`${head(port, token, initialize.length)}${initialize}`);

  expect(String(await again)).toMatch(/^HTTP\/1\.1 200/);
});

async function serve(): Promise<number> {
  const stopping = new AbortController();
  const db = join(temporaryFolder(), "memory.db");
  let serving: Promise<void> | undefined;
  const url = await new Promise<string>((listening, failed) => {
    const options = { db, project: "p", version: "0", signal: stopping.signal };
    serving = serveHttp({ ...options, port: 0, token, onListening: listening });
    serving.catch(failed);
  });
  onTestFinished(async () => {
    stopping.abort();
    await serving;
  });
  return Number(new URL(url).port);
}

/** A connection on which this was said; it stays as long as the server lets it. */
async function open(port: number, said: string): Promise<Socket> {
  const socket = connect(port, "127.0.0.1").setEncoding("latin1");
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => {}).resume();
  await new Promise((settled) => socket.once("connect", settled).once("close", settled));
  if (said !== "") socket.write(said);
  return socket;
}

/** The status that a request with the token gets; 0 where its connection is cut. */
async function ask(port: number): Promise<number> {
  const socket = connect(port, "127.0.0.1").setEncoding("latin1");
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => {}).write(`${head(port, token, initialize.length)}${initialize}`);
  const answer = await new Promise<string>((settled) =>
    socket.once("data", (part) => settled(String(part))).once("close", () => settled("")),
  );
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0);
}
