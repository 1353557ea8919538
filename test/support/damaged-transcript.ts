import { onTestFinished } from "vitest";
import { agentSession, type AgentSession } from "../../bench/agent-session.mjs";
import { openMemory, type TacitMemory } from "../../src/index.js";
import { commitFiles, gitRepository } from "./git-repository.js";

export const megabyte = 1024 * 1024;

/** A session that leads to one memory. */
export function telling(id: string, root: string): AgentSession {
  return agentSession({ id, root, at: Date.now() - 86_400_000 })
    .reads("src/a.ts")
    .says("I was wrong about `retryLimit`. The `retryLimit` of src/a.ts is given in seconds.")
    .edits("src/a.ts", "one", "two")
    .runs("npm test", { text: "Tests  4 passed (4)" })
    .says("Done.");
}

export function within(lines: string[], piece: string | Buffer): (string | Buffer)[] {
  return [`${lines.slice(0, 3).join("\n")}\n`, piece, `${lines.slice(3).join("\n")}\n`];
}

/** Lines get their ends; other pieces are whole. Cut where no line ends. */
export async function* streamOf(pieces: readonly (string | Buffer)[]): AsyncGenerator<Uint8Array, void, undefined> {
  await Promise.resolve();
  for (const [index, piece] of pieces.entries()) {
    const isLine = typeof piece === "string" && !piece.endsWith("\n") && index < pieces.length - 1;
    const bytes = Buffer.from(isLine ? `${piece}\n` : piece);
    for (let at = 0; at < bytes.length; at += 65_537) yield bytes.subarray(at, at + 65_537);
  }
}

export async function openProject(): Promise<{ memory: TacitMemory; root: string }> {
  const root = projectFolder();
  const memory = await openMemory({ db: ":memory:", directory: root, embedder: null });
  onTestFinished(() => memory.close());
  return { memory, root };
}

export function projectFolder(): string {
  const root = gitRepository();
  commitFiles(root, { "src/a.ts": "export const retryLimit = 3;\n" });
  return root;
}
