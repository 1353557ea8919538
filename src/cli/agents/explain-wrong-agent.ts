import { findSimilar } from "../terminal/find-similar.js";
import { wrongUsage } from "../terminal/wrong-usage.js";

/** Runs what takes names of agents, and says which name was probably meant where one is none. */
export async function explainWrongAgent<T>(command: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, message, hint } = error as { code?: unknown; message: string; hint: string };
    if (code !== "usage") throw error;
    const { agents } = await import("../../install/agents/known-agents.js");
    const ids: string[] = agents.map(({ id }) => id);
    const [, word = ""] = /'(.*)'/.exec(message) ?? [];
    const guess = ids.find((id) => word.length > 2 && id.startsWith(word.toLowerCase())) ?? findSimilar(word, ids);
    throw guess === undefined ? error : await wrongUsage(message, `Did you mean: tacit ${command} ${guess}\n${hint}`);
  }
}
