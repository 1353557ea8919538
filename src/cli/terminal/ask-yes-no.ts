import { canAsk, openAsking } from "./ask.js";
import type { Shell } from "./shell.js";

/** Asks one question; Enter alone says no. Undefined where nobody is there who could answer, or who wants to: exit code 130 then. */
export async function askYesNo(question: string, shell: Shell): Promise<boolean | undefined> {
  if (!canAsk(shell)) return undefined;
  const answer = await (await openAsking()).yesNo(question);
  if (answer === undefined) process.exitCode = 130;
  return answer;
}
