import { callOf, inputOf, type Moment } from "../hook/hook.js";

/** Who called a tool, and what with. */
export interface CalledTool {
  sessionId: string;
  agentId?: string;
  tool: string;
  args: unknown;
}

/**
 * The moment after a call of a tool: beside a file that was read, else between two steps. What a tool did is told by its
 * input, a `cat` or `rg` in a shell too.
 */
export function toolMoment(
  { tool, args, ...session }: CalledTool,
  place: { root: string; directory?: string },
): Moment {
  const { does, files = [], search } = callOf({ tool, input: inputOf(args) }, place);
  if (does === "read" && files.length > 0) return { ...session, point: "file-read", files };
  return {
    ...session,
    point: "step",
    ...(does === "edit" && files.length > 0 && { touched: files }),
    ...(search && { searches: [search.pattern] }),
  };
}
