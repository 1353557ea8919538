/**
 * What opencode 1.18 gives a plug-in and takes from it, as far as Tacit's uses it. In shapes of our own, so that nobody has to
 * install opencode's package for it.
 */
import type * as z from "zod";

/** What opencode gives a plug-in when it starts it, once for each folder that it works in. */
export interface PluginInput {
  /** The folder that opencode was started in. */
  directory: string;
  /** The work tree's root; `/` outside git. */
  worktree?: string;
}

/** A part of a message. */
export interface MessagePart {
  id: string;
  sessionID: string;
  messageID: string;
  type: string;
  text?: string;
  /** Not written by a person, and not shown to one. */
  synthetic?: boolean;
  /** Kept in the session and sent to no model. */
  ignored?: boolean;
  metadata?: Record<string, unknown>;
}

export interface Message {
  info: { id: string; role: string; sessionID: string };
  parts: MessagePart[];
}

export interface ToolContext {
  sessionID: string;
  agent?: string;
  directory?: string;
}

/** A tool that opencode offers to its models; `args` are the fields of an object of zod 4. */
export interface ToolDefinition {
  description: string;
  args: z.ZodRawShape;
  execute: (args: unknown, context: ToolContext) => Promise<string>;
}

/**
 * The hooks. opencode waits for all of them but `event`. One that throws ends the request that it was called in, and one of
 * `event` that is rejected ends the process.
 */
export interface Hooks {
  tool?: Record<string, ToolDefinition>;
  event?: (input: { event: unknown }) => Promise<void>;
  "chat.message"?: (
    input: { sessionID: string; messageID?: string },
    output: { message: { id: string }; parts: MessagePart[] },
  ) => Promise<void>;
  "experimental.chat.messages.transform"?: (input: object, output: { messages: Message[] }) => Promise<void>;
  "experimental.chat.system.transform"?: (input: { sessionID?: string }, output: { system: string[] }) => Promise<void>;
  "experimental.session.compacting"?: (input: { sessionID: string }, output: { context: string[] }) => Promise<void>;
  "tool.execute.before"?: (input: ToolCall, output: { args: unknown }) => Promise<void>;
  "tool.execute.after"?: (input: ToolCall & { args?: unknown }, output: { output?: unknown }) => Promise<void>;
  /** When opencode lets go of the folder, such as at its end. */
  dispose?: () => Promise<void>;
}

export interface ToolCall {
  tool: string;
  sessionID: string;
  callID: string;
}
