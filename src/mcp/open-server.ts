import { McpServer, ProtocolError, ProtocolErrorCode, type CallToolResult } from "@modelcontextprotocol/server";
import * as z from "zod";
import { instructions } from "./instructions.js";
import { prompts, writePrompt } from "./prompts.js";
import { describeRefusal, refusal } from "./refusal.js";
import { completeId, readResource, resources, resourceTemplates } from "./resources.js";
import type { CallContext, Tool } from "./tool.js";
import { loadTools, type DialectName } from "./tools.js";

export interface ServerOptions {
  version: string;
  dialect?: DialectName;
  report: (error: unknown) => void;
}

// What there is does not change while a client is connected.
const fixed = { listChanged: false };

/**
 * A server for one client. It answers requests itself instead of registering tools with the library, whose messages repeat
 * what the client sent.
 */
export async function openServer(
  context: CallContext,
  { version, dialect, report }: ServerOptions,
): Promise<McpServer> {
  const tools = await loadTools(dialect);
  const opened = new McpServer(
    { name: "tacit", title: "Tacit", version },
    { instructions, capabilities: { tools: fixed, resources: fixed, prompts: fixed, completions: {} } },
  );
  const { server } = opened;
  server.setRequestHandler("tools/list", () => ({ tools: tools.map((tool) => describeTool(tool)) }));
  server.setRequestHandler("tools/call", async ({ params }) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (!tool)
      throw unknown(
        "tool",
        tools.map(({ name }) => name),
      );
    return callTool(tool, params.arguments ?? {}, context, report);
  });
  server.setRequestHandler("resources/list", () => ({ resources }));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates }));
  server.setRequestHandler("resources/read", async ({ params: { uri } }) => {
    const found = await orRefusal({ uri }, report, () => readResource(uri, context));
    if (!found) throw unknown("resource that may be told", ["tacit://digest", "tacit://memory/{id}"]);
    return found;
  });
  server.setRequestHandler("prompts/list", () => ({ prompts: prompts.map(({ listed }) => listed) }));
  server.setRequestHandler("prompts/get", async ({ params }) => {
    const prompt = prompts.find(({ listed }) => listed.name === params.name);
    if (!prompt)
      throw unknown(
        "prompt",
        prompts.map(({ listed }) => listed.name),
      );
    const said = params.arguments?.[prompt.argument] ?? "";
    if (said.trim() === "") throw invalid(`The prompt ${prompt.listed.name} needs its argument ${prompt.argument}.`);
    const written = await orRefusal(params.arguments, report, () => writePrompt(prompt, said, context));
    if (!written) throw invalid(`The prompt ${prompt.listed.name} takes a text of at most 64 KiB.`);
    return written;
  });
  server.setRequestHandler("completion/complete", async ({ params: { ref, argument } }) => {
    const isId = ref.type === "ref/resource" && argument.name === "id";
    const values = isId ? await orRefusal({}, report, () => completeId(argument.value, context)) : [];
    return { completion: { values, total: values.length, hasMore: false } };
  });
  return opened;
}

function describeTool({ name, title, description, input, output, annotations }: Tool): {
  name: string;
  title: string;
  description: string;
  inputSchema: ObjectSchema;
  outputSchema: ObjectSchema;
  annotations: Tool["annotations"];
} {
  return {
    name,
    title,
    description,
    inputSchema: toJsonSchema(input),
    outputSchema: toJsonSchema(output),
    annotations,
  };
}

interface ObjectSchema extends Record<string, unknown> {
  type: "object";
}

/**
 * Without the address of the dialect, which is the protocol's own and which some clients cannot look up. And open to fields
 * that a later version adds, answers too: a client may hold a schema for longer than a session.
 */
function toJsonSchema(schema: z.ZodObject): ObjectSchema {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io: "input" });
  return { ...described, type: "object" };
}

async function callTool(
  tool: Tool,
  args: Record<string, unknown>,
  context: CallContext,
  report: ServerOptions["report"],
): Promise<CallToolResult> {
  const parsed = tool.input.safeParse(args);
  if (!parsed.success) return { isError: true, content: [{ type: "text", text: describeIssues(parsed.error) }] };
  for (let attempt = 1; ; attempt++) {
    try {
      const { text, structured } = await tool.call(parsed.data as never, context);
      return { content: [{ type: "text", text }], structuredContent: structured };
    } catch (error) {
      report(error);
      if (attempt === mostAttempts || !isWorthAnother(error)) return refusal(error, args);
      // So that others are answered in between.
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}

// The store's time-out is short, because a wait blocks every call. Without another attempt 16 of 8,000 calls of eight servers on
// two busy cores were refused (2026-11).
const mostAttempts = 4;

/** Nothing was done, and may be done a moment later. */
function isWorthAnother(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "store-locked";
}

/** Where the arguments do not fit the schema, in words of the schema: none of theirs is repeated. */
function describeIssues({ issues }: z.ZodError): string {
  const told = issues.map(({ path, message }) =>
    message.endsWith("received undefined")
      ? `${path.join(".")} is missing`
      : `${path.join(".") || "arguments"}: ${message}`,
  );
  return `Tacit could not do this (invalid-input). ${told.slice(0, mostIssues).join("; ")}`;
}

const mostIssues = 5;

async function orRefusal<T>(args: unknown, report: ServerOptions["report"], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    report(error);
    throw invalid(await describeRefusal(error, args));
  }
}

function unknown(what: string, known: readonly string[]): ProtocolError {
  return invalid(`Tacit has no such ${what}. There is: ${known.join(", ")}`);
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
