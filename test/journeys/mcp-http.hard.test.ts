import { execFileSync, spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Client as Client2, StreamableHTTPClientTransport as Http2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as Stdio2 } from "@modelcontextprotocol/client/stdio";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as Stdio1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as Http1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ListRootsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { openMemory } from "../../src/index.js";
import { gitRepository } from "../support/git-repository.js";
import { clientKinds, type ClientKind } from "../support/mcp-client.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const main = join(import.meta.dirname, "..", "..", "dist", "cli", "main.js");

describe("tacit mcp --http", () => {
  let server: ChildProcess;
  let home: string;
  let url: string;
  let port: string;
  let token: string;

  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), "tacit-test-"));
    ({ server, url, port } = await start());
    token = readFileSync(join(home, "http-token"), "utf8").trim();
  });
  afterAll(() => {
    server.kill("SIGKILL");
    rmSync(home, { recursive: true, force: true });
  });

  it("[A5] serves clients of each library and protocol who show the token, with one memory, and knows who spoke", async () => {
    const clients = await Promise.all(clientKinds.map((kind) => over(kind)));
    for (const [index, call] of clients.entries())
      await call("remember", { content: `Apples of kind ${index} are red.` });

    for (const call of clients) {
      const found = await call("recall", { query: "red apples" });
      expect(found).toMatch(/kind 0 (?:.|\n)*kind 1 (?:.|\n)*kind 2 |kind 2 (?:.|\n)*kind/);
    }
    expect(existsSync(join(home, "agents", "codex"))).toBe(true);
  });

  it("[A6] answers nothing, on whatever route and method, to a foreign Host or Origin or without the token", async () => {
    const routes = [
      "/mcp",
      "/",
      "/mcp/",
      "/mcp?x=1",
      "/.well-known/oauth-protected-resource",
      "/favicon.ico",
      ...traversals,
    ];
    const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "TRACE", "PROPFIND"];
    const host = `Host: 127.0.0.1:${port}`;
    const shown = `Authorization: Bearer ${token}`;
    const hostile: [status: number, headers: string[]][] = [
      [403, ["Host: evil.example", shown]],
      [403, [`Host: evil.example:${port}`, shown]],
      [403, ["Host: 127.0.0.1", shown]],
      [403, [`Host: 127.0.0.1.evil.example:${port}`, shown]],
      [403, [host, "Host: evil.example", shown]],
      [403, ["Host: evil.example", host, shown]],
      [403, ["Host:", shown]],
      [403, [shown]],
      [403, [host, "Origin: https://evil.example", shown]],
      [403, [host, `Origin: http://evil.example:${port}`, shown]],
      [403, [host, "Origin: null", shown]],
      [403, [host, `Origin: http://127.0.0.1:${port}`, "Origin: http://evil.example", shown]],
      [401, [host]],
      [401, [host, "Authorization: Bearer"]],
      [401, [host, `Authorization: Bearer ${token}x`]],
      [401, [host, `Authorization: Basic ${token}`]],
      [401, [host, shown, "Authorization: Bearer other"]],
      [401, [host, `Origin: http://localhost:${port}`, "Upgrade: websocket", "Connection: Upgrade"]],
      [401, [host, "Expect: 100-continue", "Content-Length: 9"]],
      [401, [host, "Expect: miracles"]],
    ];
    const requests = hostile.flatMap(([status, headers]) =>
      ["HTTP/1.1", "HTTP/1.0"].flatMap((version) => [
        ...routes.map((route) => ({ status, head: [`GET ${route} ${version}`, ...headers] })),
        ...methods.map((method) => ({ status, head: [`${method} /mcp ${version}`, ...headers] })),
      ]),
    );
    const targets = ["http://evil.example/mcp", `http://127.0.0.1:${port}/mcp`, "*"];
    const ways = targets.flatMap((target) =>
      ["GET", "OPTIONS", "POST"].map((method) => `${method} ${target} HTTP/1.1`),
    );

    for (const { status, head } of [...requests, ...ways.map((way) => ({ status: 403, head: [way, host, shown] }))]) {
      const { said, body, headers } = await send(head);
      expect([said, body], head.join(" | ")).toEqual([status, ""]);
      expect(headers).not.toMatch(/access-control|tacit|mcp/i);
    }
    expect((await send([`CONNECT evil.example:443 HTTP/1.1`, host, shown])).headers).toBe("");
    // What is no HTTP that Node knows ends before there are headers to look at.
    for (const line of ["PRI * HTTP/2.0", "BREW /mcp HTTP/1.1", "GET evil.example:443 HTTP/1.1"])
      expect((await send([line, host, shown])).said).toBe(400);
  });

  it("[A6] reads nothing that came behind what it refuses, with whatever token", async () => {
    const session = await begin();
    const keep = (content: string): object => ({
      method: "tools/call",
      params: { name: "remember", arguments: { content } },
    });

    const refused = await send(["GET /mcp HTTP/1.1", `Host: 127.0.0.1:${port}`], written(keep("Behind."), session));
    await (await post(session, keep("Before."))).text();

    expect([refused.said, refused.body]).toEqual([401, ""]);
    expect(await contentsOf(join(home, "memory.db"), { project: "p" })).toContain("Before.");
    expect(await contentsOf(join(home, "memory.db"), { project: "p" })).not.toContain("Behind.");
  });

  it("[A7] has one address: with the token every other is a 404, however it is written, and every other method a 405", async () => {
    const shown = [`Host: localhost:${port}`, `Authorization: Bearer ${token}`, "Connection: close"];
    const answers = await Promise.all(traversals.map((route) => send([`GET ${route} HTTP/1.1`, ...shown])));
    const options = await send(["OPTIONS /mcp HTTP/1.1", ...shown]);

    expect(new Set(answers.map(({ said }) => said))).toEqual(new Set([404]));
    expect([options.said, options.body]).toEqual([405, ""]);
  });

  it("[A8] takes no more than it can hold, and lives on", async () => {
    const mebibyte = "x".repeat(1024 * 1024);
    const chunks = [1, 2, 3, 4, 5].map(() => `100000\r\n${mebibyte}\r\n`).join("");
    const shown = [`Host: [::1]:${port}`, `Authorization: Bearer ${token}`];
    const posted = ["POST /mcp HTTP/1.1", ...shown, "Content-Type: application/json", "Connection: close"];
    const deep = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    const said = async (body: string): Promise<number> =>
      (await send([...posted, "Accept: application/json, text/event-stream", `Content-Length: ${body.length}`], body))
        .said;

    expect((await send([...posted, "Content-Length: 99999999999"])).said).toBe(413);
    expect((await send([...posted, "Transfer-Encoding: chunked"], `${chunks}0\r\n\r\n`)).said).toBe(413);
    expect([await said("{no json"), await said("[]"), await said("null"), await said("7"), await said("")]).toEqual([
      400, 400, 400, 400, 400,
    ]);
    expect(await said(deep)).toBe(413);
    expect((await send([...posted, `Content-Length: 5`, "Content-Length: 6"], "12345")).said).toBe(400);
    expect((await send([`GET /mcp HTTP/1.1`, ...shown, `X-Long: ${mebibyte}`])).said).toBe(431);
    expect((await send(["\u0016\u0003\u0001 this is no HTTP"])).said).toBe(400);
    const half = connect(Number(port), "127.0.0.1").on("error", () => {});
    half.end([...posted, "Content-Length: 100", "", '{"half":'].join("\r\n"));

    const first = await begin();
    const others = await Promise.all(Array.from({ length: 70 }, () => begin()));
    expect([await ping(first), await ping("made-up"), await ping(others.at(-1) ?? "")]).toEqual([404, 404, 200]);
    expect(await (await over("v1"))("recall", { query: "apples" })).not.toContain("could not");
  });

  it("[A9] says what a client needs, where the port is taken, and ends at once when told to, with a client connected", async () => {
    await over("v2");
    const shown = spawn(process.execPath, [main, "mcp", "--http", port, "--show-config"], {
      env: { ...process.env, TACIT_HOME: home },
    });
    const [config] = (await once(shown.stdout, "data")) as [Buffer];
    const second = spawn(process.execPath, [main, "mcp", "--http", port], {
      env: { ...process.env, TACIT_HOME: home },
    });
    const [said] = (await once(second.stderr, "data")) as [Buffer];
    const [code] = (await once(second, "exit")) as [number];
    const stopped = performance.now();
    server.kill("SIGTERM");
    const [ended] = (await once(server, "exit")) as [number];

    expect(JSON.parse(String(config))).toEqual({
      mcpServers: { tacit: { type: "http", url, headers: { Authorization: `Bearer ${token}` } } },
    });
    expect([code, ended]).toEqual([1, 0]);
    expect(String(said)).toContain(`Port ${port} is in use.`);
    expect(performance.now() - stopped).toBeLessThan(3000);
  });

  it("[A9] ends in order also after clients who went before they were answered", async () => {
    const own = await start();
    onTestFinished(() => void own.server.kill("SIGKILL"));
    const socket = connect(Number(own.port), "127.0.0.1").on("error", () => {});
    const asking = written({ method: "ping" }, undefined, own.port);
    // The second answer waits for the first, which nobody takes.
    socket.end(asking + asking, () => socket.destroy());
    await send(["GET /mcp HTTP/1.1", `Host: 127.0.0.1:${own.port}`], asking, own.port);
    own.server.kill("SIGTERM");

    // 13 is what Node says where a process ends in the middle of something.
    expect(await once(own.server, "exit")).toEqual([0, null]);
  });

  it("[A12] does not wait for a token from a pipe", ({ skip }) => {
    skip(process.platform === "win32", "Windows has no pipes in folders");
    const TACIT_HOME = temporaryFolder();
    execFileSync("mkfifo", ["-m", "600", join(TACIT_HOME, "http-token")]);
    const { status, stderr } = spawnSync(process.execPath, [main, "mcp", "--http", "0"], {
      env: { ...process.env, TACIT_HOME },
      timeout: 20_000,
    });

    expect([status, String(stderr)]).toEqual([1, expect.stringContaining("Could not read")]);
  });

  async function start(): Promise<{ server: ChildProcess; url: string; port: string }> {
    const args = ["mcp", "--http", "0", "--json", "--db", join(home, "memory.db"), "--project", "p"];
    const started = spawn(process.execPath, [main, ...args], { env: { ...process.env, TACIT_HOME: home } });
    const [line] = (await once(started.stdout, "data")) as [Buffer];
    const told = JSON.parse(String(line)) as { url: string };
    return { server: started, url: told.url, port: new URL(told.url).port };
  }

  /** A request as it goes over the wire. */
  function written(message: object, session: string | undefined, to = port): string {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, ...message });
    const head = [
      "POST /mcp HTTP/1.1",
      `Host: 127.0.0.1:${to}`,
      `Authorization: Bearer ${token}`,
      "Content-Type: application/json",
      "Accept: application/json, text/event-stream",
      `Content-Length: ${body.length}`,
      ...(session === undefined ? [] : [`Mcp-Session-Id: ${session}`]),
    ];
    return `${head.join("\r\n")}\r\n\r\n${body}`;
  }

  async function over(kind: ClientKind): Promise<Call> {
    const options = { requestInit: { headers: { Authorization: `Bearer ${token}` } } };
    const client = clientOf(kind, {});
    await client.connect(kind === "v1" ? new Http1(new URL(url), options) : new Http2(new URL(url), options));
    onTestFinished(() => client.close());
    return callOf(client);
  }

  async function post(session: string | undefined, message: object): Promise<Response> {
    const headers = {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(session !== undefined && { "mcp-session-id": session }),
    };
    return fetch(url, { method: "POST", headers, body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...message }) });
  }

  async function begin(): Promise<string> {
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } };
    const answer = await post(undefined, { method: "initialize", params });
    await answer.text();
    return answer.headers.get("mcp-session-id") ?? "";
  }

  async function ping(session: string): Promise<number> {
    const answer = await post(session, { method: "ping" });
    await answer.text();
    return answer.status;
  }

  /** Sends bytes and gives what came back until the other side closed. */
  async function send(head: string[], body = "", to = port): Promise<{ said: number; headers: string; body: string }> {
    const socket = connect(Number(to), "127.0.0.1").setEncoding("latin1");
    let answer = "";
    socket.on("data", (part: string) => (answer += part)).on("error", () => {});
    socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
    await new Promise((closed) => socket.once("close", closed));
    const [headers = "", ...rest] = answer.split("\r\n\r\n");
    return { said: Number(/^HTTP\/1\.1 (\d+)/.exec(headers)?.[1] ?? 0), headers, body: rest.join("\r\n\r\n") };
  }
});

const traversals = [
  "/../mcp",
  "/x/../mcp",
  "/mcp/../../etc/passwd",
  "/mcp/%2e%2e/%2e%2e/etc/passwd",
  "/%2e%2e%2fetc%2fpasswd",
  "/..%5c..%5cwindows%5cwin.ini",
  "/%252e%252e/etc/passwd",
  "//127.0.0.1/mcp",
  "//evil.example/share",
  "/\\\\evil.example\\share",
  "/%5c%5cevil.example%5cshare",
  "/file:///etc/passwd",
  "/c:/windows/win.ini",
  "/mcp%00",
  "/mcp;/",
  "/%6dcp",
  "/MCP",
  "/./mcp",
  "/mcp#",
];

describe("tacit mcp, for a client that says which folders it has open", () => {
  it("[A10] keeps in the project of the first one that is there, follows when that changes, and asks nobody who named one", async () => {
    const [one, other, own, elsewhere] = [gitRepository(), gitRepository(), gitRepository(), temporaryFolder()];
    const db = join(temporaryFolder(), "memory.db");
    const file = join(elsewhere, "file");
    writeFileSync(file, "");
    const hostile = [
      "file://evil.example/share",
      "file:////evil.example/share",
      "http://127.0.0.1/",
      "/etc",
      "",
      "file:///%00",
    ];
    const missing = [join(elsewhere, "missing"), file].map((path) => pathToFileURL(path).href);

    let asked = 0;
    const named = clientOf("v1", { roots: {} }, () => ({ roots: [{ uri: pathToFileURL(one).href, at: asked++ }] }));
    const silent = clientOf("v2", { roots: {} }, () => new Promise<never>(() => {}));

    await Promise.all([
      says(named, stdio("v1", { cwd: own, args: ["--db", db, "--project", "p"] }), "Said in p."),
      says(silent, stdio("v2", { cwd: own, args: ["--db", db] }), "Said by one who does not answer."),
      ...clientKinds.map(async (kind) => {
        let roots = [...hostile, ...missing, pathToFileURL(one).href].map((uri) => ({ uri }));
        const client = clientOf(kind, { roots: { listChanged: true } }, () => ({ roots }));
        await client.connect(stdio(kind, { cwd: elsewhere, args: ["--db", db] }));
        onTestFinished(() => client.close());
        const call = callOf(client);
        // At once: none of them may be answered before the folder is known.
        await Promise.all(["a", "b"].map((name) => call("remember", { content: `Said in one, ${name}, by ${kind}.` })));
        // The newest protocol has no way to tell of a change.
        if (kind === "v2, newest protocol") return;
        roots = [{ uri: pathToFileURL(other).href }];
        await client.sendRootsListChanged();
        await call("remember", { content: `Said in other by ${kind}.` });
      }),
    ]);

    expect(await contentsOf(db, { directory: one })).toHaveLength(6);
    expect((await contentsOf(db, { directory: one })).every((content) => content.startsWith("Said in one"))).toBe(true);
    expect((await contentsOf(db, { directory: other })).toSorted()).toEqual([
      "Said in other by v1.",
      "Said in other by v2.",
    ]);
    expect(await contentsOf(db, { directory: elsewhere })).toEqual([]);
    expect(await contentsOf(db, { directory: own })).toEqual(["Said by one who does not answer."]);
    expect(asked).toBe(0);
  });
});

async function says(client: Client2, transport: Stdio2, content: string): Promise<void> {
  onTestFinished(() => client.close());
  await client.connect(transport);
  await callOf(client)("remember", { content });
}

type Call = (name: string, args: Record<string, unknown>) => Promise<string>;
type Roots = { roots: { uri: string }[] };

/** A client of either library: of what is asked here, they answer the same. */
function clientOf(kind: ClientKind, capabilities: object, roots?: () => Roots | Promise<Roots>): Client2 {
  const identity = { name: "codex-mcp-client", version: "1" };
  if (kind === "v1") {
    const client = new Client1(identity, { capabilities });
    if (roots) client.setRequestHandler(ListRootsRequestSchema, async () => roots());
    return client as unknown as Client2;
  }
  const newest = kind === "v2" ? {} : { versionNegotiation: { mode: { pin: "2026-07-28" } } };
  const client = new Client2(identity, { capabilities, ...newest });
  if (roots) client.setRequestHandler("roots/list", async () => roots());
  return client;
}

function stdio(kind: ClientKind, { cwd, args }: { cwd: string; args: string[] }): Stdio2 {
  const env = { ...process.env, CLAUDE_PROJECT_DIR: "", CLAUDE_CODE_SESSION_ID: "" } as Record<string, string>;
  const server = { command: process.execPath, args: [main, "mcp", ...args], env, cwd };
  return kind === "v1" ? (new Stdio1(server) as unknown as Stdio2) : new Stdio2(server);
}

function callOf(client: Client2): Call {
  return async (name, args) => {
    const { content, isError } = await client.callTool({ name, arguments: args });
    const text = content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
    expect(isError ?? false, text).toBe(false);
    return text;
  };
}

async function contentsOf(db: string, where: { directory: string } | { project: string }): Promise<string[]> {
  const memory = await openMemory({ db, ...where, embedder: null });
  try {
    return (await memory.list()).map(({ content }) => content);
  } finally {
    await memory.close();
  }
}
