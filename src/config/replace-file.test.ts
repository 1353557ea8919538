import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.js";
import { replaceFile } from "./replace-file.js";

describe("replaceFile", () => {
  it("shows others the old text or the new one, never half of either", async () => {
    const file = join(temporaryFolder(), "config.json");
    const texts = ["old".repeat(100_000), "new".repeat(100_000)];
    writeFileSync(file, texts[0] ?? "");

    const seen = new Set<string>();
    const writing = Promise.all(Array.from({ length: 10 }, async (_, n) => replaceFile(file, texts[n % 2] ?? "")));
    for (let look = 0; look < 100; look++) {
      seen.add(readFileSync(file, "utf8"));
      await new Promise(setImmediate);
    }
    await writing;

    expect([...seen].filter((text) => !texts.includes(text))).toEqual([]);
    expect(readdirSync(join(file, ".."))).toEqual(["config.json"]);
  });

  it("leaves nothing beside the file when it fails", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "config.json"));

    await expect(replaceFile(join(folder, "config.json"), "new")).rejects.toMatchObject({
      code: "config-unwritable",
      message: expect.stringContaining("Nothing was changed."),
    });
    expect(readdirSync(folder)).toEqual(["config.json"]);
  });
});
