import type { Answer } from "./answer.js";

// Whoever runs a command asked for all of its answer.
const budgetTokens = 1_000_000;

/**
 * What a command prints, as quoted data: an agent reads it, and no line of a memory may pass for one of the command's own. Where the answer
 * shows what waits for a person or what nobody vouches for, it says so in the form that hooks look for; not where the agent has just said
 * all of it.
 */
export async function quoteForAgent(
  text: string,
  { isSaidByCaller = false, ...answer }: Pick<Answer, "document" | "isSaidByCaller">,
): Promise<string> {
  const { quoteForModel } = await import("../../index.js");
  const notes =
    !isSaidByCaller && showsUntrusted(answer)
      ? ["Note (unverified): some of this waits for a person, or nobody vouches for it."]
      : [];
  return (await quoteForModel([], { point: "command", notes, lines: text.split("\n"), budgetTokens })).text;
}

/** JSON in which no text can open or close a tag. It says the same. */
export function disarmJson(json: string): string {
  return json.replaceAll("<", "\\u003c");
}

/** Whether an answer shows what waits for a person, or what nobody vouches for. */
export function showsUntrusted({ document }: Pick<Answer, "document">): boolean {
  return holdsUntrusted.test(JSON.stringify(document) ?? "");
}

/** The same of what is printed of it: packed memories stand there by their labels, `Note (0.62, unverified): …`. */
export function printsUntrusted(printed: string): boolean {
  return /\((?:[^()\n]{0,200}, )?(?:unverified|tainted|waiting)\b/.test(printed);
}

const holdsUntrusted = /"(?:unverified|tainted)"|"status":"waiting"|"is(?:Tainted|Unverified)":true/;
