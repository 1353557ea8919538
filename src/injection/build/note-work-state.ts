import { emptyInjection, type InjectionPorts } from "../injection.js";
import type { UnfinishedWork } from "./work-state.js";

/** Notes that a session has asked where work stands and knows it now, so that nobody tells it once more. */
export async function noteWorkState(
  ports: Pick<InjectionPorts, "record" | "countTokens">,
  { memory, text }: Pick<UnfinishedWork, "memory" | "text">,
  sessionId: string,
): Promise<void> {
  const tokens = (await ports.countTokens())(text);
  const memories = [{ id: memory.id, why: "was asked for", tokens }];
  await ports.record({ sessionId }, { ...emptyInjection("asked"), text, tokens, memories });
}
