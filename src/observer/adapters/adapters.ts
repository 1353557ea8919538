/** From an agent's own events to ours. What other rooms use of it. */
export { fromAiSdkStep } from "./ai-sdk.js";
export { fromHook } from "./claude-code-hook.js";
export { inputOf, listOf, nameOf, recordOf, textOf } from "./loose-value.js";
export { type OpencodeSeen, fromOpencode, opencodeSession } from "./opencode.js";
