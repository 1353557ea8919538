import { readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commitFiles, gitRepository } from "../../test/support/git-repository.js";
import { temporaryFolder } from "../../test/support/temporary-folder.js";
import { openMemory } from "../index.js";
import { observeOnce } from "../hook/observe-once.js";

describe("the doctor's word about sessions", () => {
  it("counts those that go on, here and elsewhere, and those that are over and not learned from yet", async () => {
    const { home, root, check } = openHome();
    await observeOnce([event("here")], { home, directory: root });
    await observeOnce([event("over"), { sessionId: "over", kind: "end" }], { home, directory: root });
    await observeOnce([event("there")], { home, directory: gitRepository() });

    expect(await check()).toEqual({
      name: "sessions",
      status: "ok",
      message: "0 learned from here; 1 going on; 1 over and to be learned from next; 1 going on elsewhere",
    });
  });

  it("warns of those that are long over and that nobody learned from", async () => {
    const { home, check } = openHome();
    await observeOnce([event("left")], { home, directory: gitRepository() });
    const long = new Date(Date.now() - 15 * 86_400_000);
    for (const entry of readdirSync(join(home, "sessions"), { recursive: true, withFileTypes: true })) {
      utimesSync(join(entry.parentPath, entry.name), long, long);
    }

    expect(await check()).toMatchObject({
      status: "warning",
      message: "0 learned from here; 1 over for more than 14 days and not learned from",
      hint: expect.stringContaining("Any command of Tacit in their folder"),
    });
  });
});

function event(sessionId: string) {
  return { sessionId, kind: "call" as const, callId: "1", tool: "Read", input: { file_path: "README.md" } };
}

function openHome() {
  const home = temporaryFolder();
  const root = gitRepository();
  commitFiles(root, { "README.md": "# It\n" });
  const check = async () => {
    const before = process.env["TACIT_HOME"];
    process.env["TACIT_HOME"] = home;
    const memory = await openMemory({ directory: root, embedder: null });
    try {
      return (await memory.store.diagnose()).checks.find(({ name }) => name === "sessions");
    } finally {
      await memory.close();
      process.env["TACIT_HOME"] = before;
    }
  };
  return { home, root, check };
}
