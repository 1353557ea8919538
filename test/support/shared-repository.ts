import { join } from "node:path";
import { openMemory, type LearnedReport, type OpenOptions, type TacitMemory } from "../../src/index.js";
import { commitFiles, git, gitRepository, writeFiles } from "./git-repository.js";
import { temporaryFolder } from "./temporary-folder.js";
import type { ToldSession } from "./told-session.js";

/** A remote that two people share, each with a clone, and the memory of the first of them. */
export interface SharedRepository {
  root: string;
  db: string;
  /** Commits files on a new branch of one's own, pushes it, and gives the hash. */
  commitOnBranch(branch: string, files: Record<string, string>, message: string): string;
  /** What the other person does in their clone. */
  other: (...args: string[]) => string;
  otherRoot: string;
  fetch: () => void;
  learn(session: ToldSession): Promise<LearnedReport>;
  use<T>(work: (memory: TacitMemory) => Promise<T>, options?: OpenOptions): Promise<T>;
}

const [me, them] = ["me@example.com", "them@example.com"];

export async function sharedRepository({ accepted = true } = {}): Promise<SharedRepository> {
  const remote = gitRepository();
  commitFiles(remote, {
    "src/cart.ts": "export const cart = [];\n",
    "src/tax.ts": "export const tax = 0.2;\n",
    "src/mail.ts": "export const mail = () => undefined;\n",
  });
  // Others push to it while it has that branch checked out.
  git(remote, "config", "receive.denyCurrentBranch", "ignore");
  const [root, otherRoot] = [join(temporaryFolder(), "mine"), join(temporaryFolder(), "theirs")];
  for (const [folder, address] of [
    [root, me],
    [otherRoot, them],
  ] as const) {
    git(remote, "clone", "--quiet", remote, folder);
    git(folder, "config", "user.email", address);
  }
  const db = join(temporaryFolder(), "memory.db");
  const use = async <T>(work: (memory: TacitMemory) => Promise<T>, options: OpenOptions = {}): Promise<T> => {
    const memory = await openMemory({ db, directory: root, embedder: null, ...options });
    try {
      return await work(memory);
    } finally {
      await memory.close();
    }
  };
  if (accepted) await use(async (memory) => memory.projects.accept());
  return {
    root,
    db,
    otherRoot,
    use,
    commitOnBranch(branch, files, message) {
      git(root, "checkout", "--quiet", "-b", branch);
      writeFiles(root, files);
      git(root, "add", "--all");
      as(root, me, "commit", "--quiet", "--message", message);
      git(root, "push", "--quiet", "origin", branch);
      return git(root, "rev-parse", "HEAD");
    },
    other: (...args) => as(otherRoot, them, ...args),
    fetch: () => void git(root, "fetch", "--quiet", "origin"),
    learn: (session) =>
      use(async (memory) => {
        for (const event of session.events) memory.observe(event);
        const report = await memory.finishSession(session.id);
        if (!report) throw new Error(`Nothing was seen of ${session.id}.`);
        return report;
      }),
  };
}

/** With this address as author and committer, who has a name of their own. */
export function as(root: string, address: string, ...args: string[]): string {
  return git(root, "-c", `user.email=${address}`, "-c", `user.name=${address.split("@")[0]}`, ...args);
}
