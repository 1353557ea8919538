import { ensureProject, type Project } from "../../project/project.js";
import { ChangeLog, type Change, type MemoryWriter } from "./changed-memory.js";
import type { MemoryContext } from "./memory-context.js";
import { refuseAgentInUserProject } from "./refuse-agent.js";

interface ChangeOptions {
  /** Shortens the wait for the lock where the write may be dropped. */
  timeoutMs?: number;
}

/**
 * Changes memories of the project, which comes into being with its first write: all of `work` or nothing, in one
 * transaction. Those who follow changes are told what was done, some of them within the transaction, the others after it.
 *
 * @example
 * await changeMemories(context, (writer, project) => forgetRows(writer, project, keys, context.now()));
 */
export async function changeMemories<T>(
  context: MemoryContext,
  work: (writer: MemoryWriter, project: Project) => Promise<T>,
  options?: ChangeOptions,
): Promise<T> {
  refuseAgentInUserProject(context);
  return changeStore(
    context,
    async (writer) => work(writer, await ensureProject(writer, context.project, context.now())),
    options,
  );
}

/** Changes memories of the projects that `work` finds itself: several of them, or none. */
export async function changeStore<T>(
  { store, actor, changes, now }: MemoryContext,
  work: (writer: MemoryWriter) => Promise<T>,
  options: ChangeOptions = {},
): Promise<T> {
  await changes.prepare();
  let made: Change[] = [];
  const result = await store.write(async (plain) => {
    const writer: MemoryWriter = { ...plain, changes: new ChangeLog() };
    const done = await work(writer);
    made = writer.changes.toChanges(actor, now());
    await changes.within(writer, made);
    return done;
  }, options);
  await changes.after(made);
  return result;
}
