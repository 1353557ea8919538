import { quoteData } from "../../hygiene/quote-data.js";
import type { InjectionPoint } from "../injection.js";
import { quoteBlock } from "./quote-block.js";

/**
 * A text that somebody else's code has put together of memories, in the frame that memories are told in: no line of it can
 * pass for one outside, and nothing in it steers an agent.
 */
export function quoteText(point: InjectionPoint, text: string): string {
  const frame = quoteBlock({ point, choices: [], notes: ["."], budgetTokens: Infinity, countTokens: () => 0 });
  const lines = frame.text.split("\n");
  return [...lines.slice(0, 2), quoteData(text), lines.at(-1)].join("\n");
}
