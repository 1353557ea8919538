// Lets a program that speaks MCP over HTTP talk to a server that speaks it over standard input and output: one process a
// session, messages as they are. For the conformance suite; on loopback only, and on a port that the system chooses.
//
//   node mcp-bridge.mjs tacit mcp --db memory.db     prints {"url":"http://127.0.0.1:40123/mcp"}
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";

const [command, ...args] = process.argv.slice(2);
const sessions = new Map();

const server = createServer((request, response) => {
  answer(request, response).catch((error) => reply(response, 500, { error: String(error) }));
});
server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${server.address().port}/mcp` })}\n`);
});
// Whoever started it closes its input when done.
process.stdin.on("end", () => process.exit()).resume();
process.on("exit", () => sessions.forEach(({ child }) => child.kill()));

async function answer(request, response) {
  // A page in a browser that was led here by a name of its own.
  if (!isLoopback(request.headers.host) || !isLoopback(request.headers.origin)) return reply(response, 403);
  const id = request.headers["mcp-session-id"];
  const known = id === undefined ? undefined : sessions.get(id);
  if (request.method === "DELETE") {
    known?.child.stdin.end();
    sessions.delete(id);
    return reply(response, 200);
  }
  // Nothing is ever told without being asked, so there is no stream to listen to.
  if (request.method !== "POST") return reply(response, 405);
  const message = JSON.parse(await bodyOf(request));
  if (!known && message.method !== "initialize") return reply(response, id === undefined ? 400 : 404);
  const session = known ?? open();
  session.child.stdin.write(`${JSON.stringify(message)}\n`);
  if (message.id === undefined || message.method === undefined) return reply(response, 202);
  const answered = await new Promise((resolve) => session.waiting.set(message.id, resolve));
  return reply(response, 200, answered, { "mcp-session-id": session.id });
}

function isLoopback(address) {
  return address === undefined || /^(?:https?:\/\/)?(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/.test(address);
}

function open() {
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  const session = { id: randomUUID(), child, waiting: new Map() };
  sessions.set(session.id, session);
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (part) => {
    const lines = (rest + part).split("\n");
    rest = lines.pop();
    for (const message of lines.map((line) => JSON.parse(line))) {
      session.waiting.get(message.id)?.(message);
      session.waiting.delete(message.id);
    }
  });
  return session;
}

async function bodyOf(request) {
  let body = "";
  for await (const part of request.setEncoding("utf8")) body += part;
  return body;
}

function reply(response, status, body, headers = {}) {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}
