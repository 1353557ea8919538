/**
 * What a program needs that hears of an agent: `observeOnce`, and the adapters that make events of what agents tell in
 * their own form. Apart from `observe.ts`, so that a hook, which lives for one event, does not load the adapters of the
 * agents that it is not of.
 */
export * from "./observe.js";
export { fromAiSdkStep } from "./observer/adapters/ai-sdk.js";
export { fromHook } from "./observer/adapters/claude-code-hook.js";
export { fromOpencode, type OpencodeSeen } from "./observer/adapters/opencode.js";
