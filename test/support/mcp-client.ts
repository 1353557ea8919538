import { join } from "node:path";
import { Client as Client2, InMemoryTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioClientTransport2 } from "@modelcontextprotocol/client/stdio";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioClientTransport1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { onTestFinished } from "vitest";
import type { TacitMemory } from "../../src/index.js";
import type { DialectName } from "../../src/mcp/mcp.js";
import { openServer } from "../../src/mcp/server/open-server.js";

const command = join(import.meta.dirname, "..", "..", "dist", "cli", "main.js");

/** What came of a call, whoever made it. */
export interface CallResult {
  text: string;
  structured: Record<string, unknown> | undefined;
  isError: boolean;
}

/** The clients that people use: of the first and the second library, the second also with the newer protocol. */
export type ClientKind = "v1" | "v2" | "v2, newest protocol";
export const clientKinds: readonly ClientKind[] = ["v1", "v2", "v2, newest protocol"];

export interface ServerProcess {
  args?: string[];
  env?: Record<string, string>;
  cwd?: string;
  kind?: ClientKind;
}

/** A client of either library: of what the tests ask, they answer the same. */
export type AnyClient = Pick<
  Client2,
  | "listTools"
  | "listResources"
  | "listResourceTemplates"
  | "listPrompts"
  | "readResource"
  | "getPrompt"
  | "complete"
  | "getInstructions"
  | "close"
>;

export interface Connected {
  client: AnyClient;
  call: (name: string, args?: Record<string, unknown>) => Promise<CallResult>;
  /** Of the process; undefined where it runs in this one. */
  pid?: number | null;
}

/** A client of `tacit mcp` in a process of its own, which ends with the test. */
export async function connectTo({ args = [], env = {}, cwd, kind = "v2" }: ServerProcess): Promise<Connected> {
  const server = {
    command: process.execPath,
    args: [command, "mcp", ...args],
    env: { ...process.env, CLAUDE_PROJECT_DIR: "", CLAUDE_CODE_SESSION_ID: "", ...env } as Record<string, string>,
    ...(cwd !== undefined && { cwd }),
  };
  const identity = { name: "test", version: "1" };
  if (kind === "v1") {
    const client = new Client1(identity);
    const transport = new StdioClientTransport1(server);
    onTestFinished(() => client.close());
    await client.connect(transport);
    return { ...connected(client as unknown as Client2), pid: transport.pid };
  }
  const negotiation = kind === "v2" ? {} : { versionNegotiation: { mode: { pin: "2026-07-28" } } };
  const client = new Client2(identity, negotiation);
  const transport = new StdioClientTransport2(server);
  onTestFinished(() => client.close());
  await client.connect(transport);
  return { ...connected(client), pid: transport.pid };
}

/** A client of a server in this process, over the memory of a test. */
export async function connectWithin(
  memory: TacitMemory,
  { dialect, sessionId, directory = "/" }: { dialect?: DialectName; sessionId?: string; directory?: string } = {},
): Promise<Connected> {
  const context = { memory: async () => memory, directory, ...(sessionId !== undefined && { sessionId }) };
  const server = await openServer(context, { version: "0", ...(dialect && { dialect }), report: () => {} });
  const [here, there] = InMemoryTransport.createLinkedPair();
  const client = new Client2({ name: "test", version: "1" });
  await server.connect(there);
  await client.connect(here);
  onTestFinished(() => client.close());
  return connected(client);
}

function connected(client: Client2): Connected {
  return {
    client,
    call: async (name, args = {}) => {
      const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
      const text = content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
      return { text, structured: structuredContent as CallResult["structured"], isError: isError === true };
    },
  };
}

const block = /<tacit-memory point="[a-z_-]+">\n(?:\|[^\n]*\n)*<\/tacit-memory>/g;

/** Everything of an answer that stands outside of quoted blocks, with ids, times and numbers made alike. */
export function outsideOf(answer: unknown): string {
  if (typeof answer === "string") return outsideOfText(answer);
  if (typeof answer === "number") return "0";
  if (Array.isArray(answer)) return `[${[...new Set(answer.map((part) => outsideOf(part)))].toSorted().join(", ")}]`;
  if (typeof answer !== "object" || answer === null) return String(answer);
  const parts = Object.entries(answer).map(([name, value]) => `${name}: ${outsideOf(value)}`);
  return `{ ${parts.join(", ")} }`;
}

function outsideOfText(text: string): string {
  if (/^[{[]"?/.test(text) && text.includes("<tacit-memory")) return `JSON ${outsideOf(JSON.parse(text))}`;
  return text
    .replaceAll(block, "[quoted]")
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "ID")
    .replaceAll(/\b[0-9a-f]{8}\b/g, "ID")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME");
}
