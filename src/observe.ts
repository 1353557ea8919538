/**
 * What a program needs that hears of an agent: `observeOnce`, the adapters that make events of what agents tell in their own
 * form, and `injectOnce` for what the agent is to be told. Apart from `hook/observe-once.ts`, so that a hook, which lives for one
 * event, does not load the adapters of the agents that it is not of.
 */
import type { InjectOptions, Injection, Moment } from "./injection/injection.js";
import type { ObserveOptions } from "./hook/observe-once.js";

export * from "./hook/observe-once.js";
export type { InjectedMemory, InjectionMode, InjectionPoint, StepTrigger } from "./injection/injection.js";
export type { InjectOptions, Injection, Moment };
export { fromAiSdkStep } from "./observer/adapters/adapters.js";
export { fromHook } from "./observer/adapters/adapters.js";
export { fromOpencode, opencodeSession, type OpencodeSeen } from "./observer/adapters/adapters.js";

/**
 * What an agent is to be told at a moment, for a process that lives for one event: by words, names and files, and noted as
 * told. Where there is no store, or anything is wrong with it, the text is empty. Never throws.
 *
 * @example
 * const { text } = await injectOnce({ point: "file-read", sessionId: "s1", files: ["src/http.ts"] });
 */
export async function injectOnce(moment: Moment, options: InjectOptions & ObserveOptions = {}): Promise<Injection> {
  try {
    // Who only observes opens no database, and need not wait until one is loaded.
    return await (await import("./hook/inject-once.js")).injectOnce(moment, options);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    const nothing = { text: "", tokens: 0, memories: [], files: [], notes: [], isLate: false };
    return { point: moment?.point, ...nothing, problem };
  }
}
