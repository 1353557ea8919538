import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gitRepository } from "../../test/support/git-repository.js";
import { temporaryFolder } from "../../test/support/temporary-folder.js";
import { openMemory, type TacitMemory } from "../index.js";

describe("the doctor's word about conversations", () => {
  it("tells where the files lie, and whether they are in step", async () => {
    const { check, withMemory } = openHome();
    expect(await check()).toEqual({ name: "conversations", status: "ok", message: "none was kept yet" });

    const file = await withMemory(async (memory) => {
      await memory.remember({ content: "Tests need Redis.", type: "fact", source: "user_taught" });
      await memory.conversation("s1").append({ role: "user", content: "Why?" });
      await memory.conversation("s1").compact({ keepCount: 0 });
      return (await memory.conversations.memoryFile()).file as string;
    });
    expect(await check()).toEqual({
      name: "conversations",
      status: "ok",
      message: expect.stringMatching(/^1 conversation, 1 archive; files in .*; MEMORY\.md is in step$/) as string,
    });

    writeFileSync(file, readFileSync(file, "utf8").replace("need Redis", "need Kafka"));
    expect((await check())?.message).toContain("1 change of yours in MEMORY.md to be taken in");
    // It only looked.
    expect((await check())?.message).toContain("1 change of yours");
  });

  it("warns of files that cannot be written, archives that are in none, and a conversation that nobody sums up", async () => {
    const { home, check, withMemory } = openHome();
    const blocked = join(home, "blocked");
    writeFileSync(blocked, "a file where a folder is to be");
    await withMemory(async (memory) => {
      const talk = memory.conversation("s1", { autoConsolidate: false });
      await talk.append({ role: "user", content: "First." });
      const { folder = "" } = await memory.conversations.memoryFile();
      mkdirSync(join(folder, "HISTORY.md"), { recursive: true });
      await talk.compact({ keepCount: 0 });
      await talk.append(Array.from({ length: 5 }, (_, n) => ({ role: "user" as const, content: `Said ${n}.` })));
    });

    writeFileSync(join(home, "tacit.config.json"), JSON.stringify({ memoryFolder: blocked, memoryWindow: 2 }));
    const found = await check();

    expect(found?.status).toBe("warning");
    expect(found?.message).toContain(
      `${blocked} cannot be written; 1 archive is not in HISTORY.md yet; s1 has 5 messages`,
    );
    expect(found?.hint).toContain("tacit config get memoryFolder");
  });
});

function openHome() {
  const home = temporaryFolder();
  const root = gitRepository();
  const withMemory = async <T>(work: (memory: TacitMemory) => Promise<T>): Promise<T> => {
    const before = process.env["TACIT_HOME"];
    process.env["TACIT_HOME"] = home;
    const memory = await openMemory({ directory: root, embedder: null });
    try {
      return await work(memory);
    } finally {
      await memory.close();
      process.env["TACIT_HOME"] = before;
    }
  };
  const check = () =>
    withMemory(async (memory) => (await memory.store.diagnose()).checks.find(({ name }) => name === "conversations"));
  return { home, check, withMemory };
}
