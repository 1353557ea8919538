import { once } from "node:events";
import { readFileSync } from "node:fs";
import { expect, it, vi } from "vitest";
import { newText, openStage, type Stage } from "../support/change-stage.js";
import { built, ended, runProgram } from "../support/child-process.js";
import { input } from "../support/editing-verbs.js";

it("[CH2] a process that is killed right after it remembered leaves marks, and the next one does the rest", async () => {
  const stage = await openStage();
  try {
    const id = await rememberAndDie(stage);

    expect(await marksOf(stage, id)).toEqual({
      isMarked: 1,
      isGrounded: 0,
      isToBeAsked: 1,
      isEmbedded: 0,
      isBehind: 1,
    });
    expect(readFileSync(stage.memoryFile, "utf8")).not.toContain(newText);

    const memory = await stage.open();
    await memory.index();
    expect(await marksOf(stage, id)).toMatchObject({ isGrounded: 1, isToBeAsked: 1 });
    await memory.remember({ content: "Carts expire after a day" });
    await vi.waitFor(
      async () => expect(await marksOf(stage, id)).toMatchObject({ isToBeAsked: 0, isEmbedded: 1 }),
      5000,
    );
    await memory.close();

    expect(stage.asked().filter((question) => question.startsWith(`Newer:\n| ${newText}`))).toHaveLength(1);
    expect(await marksOf(stage, id)).toMatchObject({ isBehind: 0 });
    expect(readFileSync(stage.memoryFile, "utf8")).toContain(newText);
  } finally {
    await stage.close();
  }
});

/** Gives the id of what it remembered. Its model would have been asked, and never answers. */
async function rememberAndDie({ db, root }: Stage): Promise<string> {
  const child = runProgram(`
    import { writeSync } from "node:fs";
    import { openMemory } from ${JSON.stringify(built("index.js"))};
    const memory = await openMemory({
      ...${JSON.stringify({ db, directory: root, embedder: null })},
      languageModel: { modelId: "fake:hangs", lastProblem: undefined, generate: () => new Promise(() => {}) },
    });
    const { id } = await memory.remember(${JSON.stringify(input)});
    writeSync(1, id);
    process.kill(process.pid, "SIGKILL");
    await new Promise(() => setTimeout(() => {}, 60_000));`);
  const [said] = (await once(child.stdout ?? child, "data")) as [Buffer];
  expect(await ended(child)).toBe(null);
  expect(child.signalCode).toBe("SIGKILL");
  return said.toString("utf8");
}

/** What is left to do for a memory, each 1 or 0. */
async function marksOf({ rows }: Stage, id: string): Promise<unknown> {
  const [row] = await rows(
    `SELECT m.embedded_by IS NOT NULL AS isEmbedded,
       EXISTS (SELECT 1 FROM memory_grounds WHERE memory_key = m.key AND node = '?') AS isMarked,
       EXISTS (SELECT 1 FROM memory_grounds WHERE memory_key = m.key AND node = '') AS isGrounded,
       EXISTS (SELECT 1 FROM contradiction_checks WHERE memory_key = m.key) AS isToBeAsked,
       EXISTS (SELECT 1 FROM layer_folders WHERE changes > written) AS isBehind
     FROM memories AS m WHERE m.id = :id`,
    { id },
  );
  return { ...row };
}
