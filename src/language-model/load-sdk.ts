/** The AI SDK, without the warnings that it would print where answers are printed, unless the program wants them. */
export async function loadSdk(): Promise<typeof import("ai")> {
  globalThis.AI_SDK_LOG_WARNINGS ??= false;
  return import("ai");
}
