import type * as z from "zod";
import { describeRefusal } from "./describe-refusal.js";
import type { ToolAnswer } from "./tool.js";

interface Runnable<Context> {
  input: z.ZodObject;
  call: (args: never, context: Context) => Promise<ToolAnswer>;
}

/**
 * Calls a tool with whatever a model gave it. Never throws: without `structured` the call failed, and the text says why, in
 * words of ours and a quoted block.
 */
export async function runTool<Context>(
  tool: Runnable<Context>,
  args: unknown,
  context: Context,
  report: (error: unknown) => void,
  attempts = maxAttempts,
): Promise<Pick<ToolAnswer, "text"> & Partial<ToolAnswer>> {
  const parsed = tool.input.safeParse(args);
  if (!parsed.success) return { text: describeIssues(parsed.error) };
  for (let attempt = 1; ; attempt++) {
    try {
      return await tool.call(parsed.data as never, context);
    } catch (error) {
      report(error);
      if (attempt >= attempts || !isWorthAnother(error)) return { text: await describeRefusal(error, args) };
      // So that others are answered in between.
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}

// The store's time-out is short, because a wait blocks every call. Without another attempt 16 of 8,000 calls of eight servers on
// two busy cores were refused (2026-11).
const maxAttempts = 4;

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
  return `Tacit could not do this (invalid-input). ${told.slice(0, maxIssues).join("; ")}`;
}

const maxIssues = 5;
