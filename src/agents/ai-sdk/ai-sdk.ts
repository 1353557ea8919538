/**
 * Memory for agents that are built with the AI SDK, version 6 or 7. The SDK itself is not imported, not even its types: what
 * the program passes decides which version it is.
 */
export { memoryMiddleware } from "./memory-middleware.js";
export type { MemoryMiddleware, MiddlewareOptions } from "./memory-middleware.js";
export type { SdkTool, SdkToolName } from "./memory-tools.js";
export { withMemory } from "./with-memory.js";
export type { SessionOptions, SessionWithMemory, Wrappable } from "./with-memory.js";
export type { AgentMemory } from "../agent-memory.js";
export type { FileMemory } from "./anthropic-memory/memory-files.js";
export { memoryTool } from "./anthropic-memory/memory-tool.js";
export type { MemoryCommand, MemoryTool, MemoryToolOptions } from "./anthropic-memory/memory-tool.js";
