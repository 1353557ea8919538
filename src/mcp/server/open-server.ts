import {
  CLIENT_INFO_META_KEY,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type InputRequiredResult,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import { noteAnswer } from "../../base/files/files.js";
import { agentOf } from "./client-name.js";
import { instructions } from "./instructions.js";
import { prompts, writePrompt } from "./prompts.js";
import { describeRefusal } from "../tools/describe-refusal.js";
import { completeId, readResource, resources, resourceTemplates } from "./resources.js";
import { followRoots } from "./follow-roots.js";
import { runTool } from "../tools/run-tool.js";
import type { CallContext, Tool } from "../tools/tool.js";
import { loadTools, type DialectName } from "./load-tools.js";

export interface ServerOptions {
  version: string;
  dialect?: DialectName;
  report: (error: unknown) => void;
  /** What a call gets that is made from a folder. Where it is given, the calls of a client follow the folders it has open. */
  contextAt?: (directory: string) => CallContext;
  /** Told which agent speaks, at the handshake and with every call. */
  onAgentSeen?: (agent: string) => void;
}

// What there is does not change while a client is connected.
const fixed = { listChanged: false };

/**
 * A server for one client. It answers requests itself instead of registering tools with the library, whose messages repeat
 * what the client sent.
 */
export async function openServer(
  context: CallContext,
  { version, dialect, report, contextAt, onAgentSeen: spoken = () => {} }: ServerOptions,
): Promise<McpServer> {
  const tools = await loadTools(dialect);
  const opened = new McpServer(
    { name: "tacit", title: "Tacit", version },
    { instructions, capabilities: { tools: fixed, resources: fixed, prompts: fixed, completions: {} } },
  );
  const { server } = opened;
  const findPlace = contextAt ? followRoots(opened, context, contextAt) : async () => context;
  const inPlace = async <T>(
    asked: ServerContext,
    work: (place: CallContext) => Promise<T>,
  ): Promise<T | InputRequiredResult> => {
    const place = await findPlace(asked);
    if (!isPlace(place)) return place;
    const forAgent = boundTo(place, agentName(asked));
    return place.heldFor ? place.heldFor(() => work(forAgent)) : work(forAgent);
  };
  const agentName = (asked?: ServerContext): string | undefined => {
    const client = clientOf(asked) ?? server.getClientVersion()?.name;
    return client === undefined ? undefined : agentOf(client);
  };
  const hear = (asked?: ServerContext): void => {
    const agent = agentName(asked);
    if (agent !== undefined) spoken(agent);
  };
  server.oninitialized = () => hear();
  server.setRequestHandler("tools/list", () => ({ tools: tools.map((tool) => describeTool(tool)) }));
  server.setRequestHandler("tools/call", async ({ params }, asked) => {
    hear(asked);
    const tool = tools.find(({ name }) => name === params.name);
    if (!tool)
      throw unknown(
        "tool",
        tools.map(({ name }) => name),
      );
    return inPlace(asked, (place) => callTool(tool, params.arguments ?? {}, place, report));
  });
  server.setRequestHandler("resources/list", () => ({ resources }));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates }));
  server.setRequestHandler("resources/read", async ({ params: { uri } }, asked) => {
    hear(asked);
    const found = await inPlace(asked, (place) => orRefusal({ uri }, report, () => readResource(uri, place)));
    if (!found) throw unknown("resource that may be told", ["tacit://digest", "tacit://memory/{id}"]);
    return found;
  });
  server.setRequestHandler("prompts/list", () => ({ prompts: prompts.map(({ listed }) => listed) }));
  server.setRequestHandler("prompts/get", async ({ params }, asked) => {
    hear(asked);
    const prompt = prompts.find(({ listed }) => listed.name === params.name);
    if (!prompt)
      throw unknown(
        "prompt",
        prompts.map(({ listed }) => listed.name),
      );
    const said = params.arguments?.[prompt.argument] ?? "";
    if (said.trim() === "") throw invalid(`The prompt ${prompt.listed.name} needs its argument ${prompt.argument}.`);
    const written = await inPlace(asked, (place) =>
      orRefusal(params.arguments, report, () => writePrompt(prompt, said, place)),
    );
    if (!written) throw invalid(`The prompt ${prompt.listed.name} takes a text of at most 64 KiB.`);
    return written;
  });
  server.setRequestHandler("completion/complete", async ({ params: { ref, argument } }, asked) => {
    const isId = ref.type === "ref/resource" && argument.name === "id";
    const found = isId
      ? await inPlace(asked, (place) => orRefusal({}, report, () => completeId(argument.value, place)))
      : [];
    // What cannot be answered with a question is answered with nothing.
    const values = Array.isArray(found) ? found : [];
    return { completion: { values, total: values.length, hasMore: false } };
  });
  return opened;
}

/** The place with its memory as the agent behind the client asks it. */
function boundTo(place: CallContext, name: string | undefined): CallContext {
  const { sessionId } = place;
  const agent = { ...(sessionId !== undefined && { sessionId }), ...(name !== undefined && { name }) };
  return { ...place, memory: async () => (await place.memory()).as({ kind: "agent", ...agent }) };
}

/** The name that a client gives itself with every request, as those of the newest protocol do. */
function clientOf(asked: ServerContext | undefined): string | undefined {
  const envelope: Record<string, unknown> | undefined = asked?.mcpReq.envelope;
  const client = envelope?.[CLIENT_INFO_META_KEY];
  const name = typeof client === "object" && client !== null && "name" in client ? client.name : undefined;
  return typeof name === "string" ? name : undefined;
}

function isPlace(place: CallContext | InputRequiredResult): place is CallContext {
  return "memory" in place;
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
  const { text, structured } = await runTool(tool, args, context, report);
  const content = [{ type: "text", text } as const];
  // A client hands its agent one of the two, and its hooks tell no more of the tool than its name.
  noteAnswer([text, ...(structured ? [JSON.stringify(structured)] : [])]);
  return structured ? { content, structuredContent: structured } : { isError: true, content };
}

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
