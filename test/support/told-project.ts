import { realpathSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openMemory, type InjectOptions, type Injection, type MemoryInput, type Moment } from "../../src/index.js";
import type { OpenOptions, TacitMemory } from "../../src/index.js";
import { gitRepository } from "./git-repository.js";
import { temporaryFolder } from "./temporary-folder.js";

/** A folder with memories of its own, in which agents are told things. */
export interface ToldProject {
  root: string;
  db: string;
  memory: TacitMemory;
  /** Another memory on the same store, as another process would have it; closed when the test ends. */
  open: (options?: OpenOptions) => Promise<TacitMemory>;
  /** What the session `s1` is told at a moment, however busy the machine is. */
  tell: (moment: SomeMoment, options?: InjectOptions) => Promise<Injection>;
  /** Which of these contents are told then. */
  told: (moment: SomeMoment, options?: InjectOptions) => Promise<string[]>;
}

type WithoutSession<M> = M extends Moment ? Omit<M, "sessionId"> & { sessionId?: string } : never;
export type SomeMoment = WithoutSession<Moment>;

export async function toldProject(...inputs: MemoryInput[]): Promise<ToldProject> {
  const root = gitRepository();
  const db = join(realpathSync(temporaryFolder()), "memory.db");
  const open = async (options: OpenOptions = {}): Promise<TacitMemory> => {
    const memory = await openMemory({ db, directory: root, embedder: null, ...options });
    onTestFinished(() => memory.close());
    return memory;
  };
  const memory = await open();
  if (inputs.length > 0) await memory.rememberMany(inputs);
  const tell: ToldProject["tell"] = (moment, options) =>
    memory.inject({ sessionId: "s1", ...moment }, { deadlineMs: 30_000, ...options });
  const told: ToldProject["told"] = async (moment, options) => {
    const { text, memories } = await tell(moment, options);
    const all = await memory.list({ status: "any", limit: 1000 });
    const contents = all.filter(({ id }) => memories.some((one) => one.id === id)).map(({ content }) => content);
    return contents.filter((content) => text.includes(content.slice(0, 40))).toSorted();
  };
  return { root, db, memory, open, tell, told };
}
