import type { Memory, Quoted } from "../../index.js";

/** A memory to be told, as recall gives it or without a question. */
export interface QuotedMemory {
  memory: Memory;
  why?: string;
  score?: number;
}

export interface QuoteOptions {
  /** What the block is: `recall`, `impact`. One of our own words. */
  point: string;
  /** Lines before the memories: of whatever origin, they are quoted too. */
  notes?: readonly string[];
  /** Lines after them, as many as fit. */
  lines?: readonly string[];
  budgetTokens?: number;
}

// What fits beside the work of an agent; its client cuts at several times that.
const defaultBudgetTokens = 4000;
// Of a line that holds no memory. A budget has room for one of these in any script.
const longestLine = 1000;

/** The block in which a model is shown texts. Everything that is not this room's own sentence or a number goes through here. */
export async function quote(told: readonly QuotedMemory[], options: QuoteOptions): Promise<Quoted> {
  const { quoteForModel } = await import("../../index.js");
  return quoteForModel(told, { budgetTokens: defaultBudgetTokens, ...options });
}

/** The same for lines without a memory. Where not all of them fit, it says so. */
export async function quoteLines(lines: readonly string[], point: string): Promise<string> {
  const short = lines.map((line) => cutLine(line));
  const whole = await quote([], { point, lines: short });
  if (whole.lines === short.length) return whole.text;
  return (await quote([], { point, notes: ["Not all of it fits here."], lines: short })).text;
}

export function cutLine(line: string): string {
  return line.length > longestLine ? `${Array.from(line).slice(0, longestLine).join("")}… (cut)` : line;
}
