import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openMemory, type LearnedReport, type OpenOptions, type TacitMemory } from "../../src/index.js";
import { commitFiles, gitRepository } from "./git-repository.js";
import { temporaryFolder } from "./temporary-folder.js";
import type { ToldSession } from "./told-session.js";

/** A repository with a store of its own, which any number of memories may open. */
export interface WatchedProject {
  root: string;
  db: string;
  /** Closed when the test ends. */
  open(options?: OpenOptions): Promise<TacitMemory>;
  /** Lets a memory see a session, and ends it; the memory is closed again. */
  learn(session: ToldSession, options?: OpenOptions): Promise<LearnedReport>;
}

export function watchedProject(files: Record<string, string> = {}): WatchedProject {
  const root = gitRepository();
  commitFiles(root, { ...shop, ...files });
  const db = join(temporaryFolder(), "memory.db");
  const openHere = (options: OpenOptions = {}) => openMemory({ db, directory: root, embedder: null, ...options });
  return {
    root,
    db,
    async open(options) {
      const memory = await openHere(options);
      onTestFinished(() => memory.close());
      return memory;
    },
    async learn(session, options) {
      const memory = await openHere(options);
      try {
        for (const event of session.events) memory.observe(event);
        const report = await memory.finishSession(session.id);
        if (!report) throw new Error(`Nothing was seen of ${session.id}.`);
        return report;
      } finally {
        await memory.close();
      }
    },
  };
}

const shop = {
  "src/cart.ts": "export const cart = [];\n",
  "src/tax.ts": "export const tax = 0.2;\n",
  "src/mail.ts": "export const mail = () => undefined;\n",
  "src/stock.ts": "export const stock = new Map();\n",
  "test/cart.test.ts": "export {};\n",
};
