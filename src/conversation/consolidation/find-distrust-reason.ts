import { findInstructions, foldText } from "../../observer/trust/trust.js";

/**
 * Why a line that a model wrote is not to be trusted, if so: it tells an assistant what to do, as nobody does who states a
 * fact, or a tool's answer says the same word by word, and whose words those are nobody knows.
 */
export function findDistrustReason(line: string, toolTexts: readonly string[]): string | undefined {
  const plain = foldText(line).trim();
  if (findInstructions(plain).some(({ strength }) => strength === meantForAssistant)) {
    return "A model wrote it, and it reads like an instruction to an assistant.";
  }
  if (toolTexts.some((text) => foldText(text).includes(plain))) return "A model repeated what a tool had answered.";
  return undefined;
}

const meantForAssistant = 3;
