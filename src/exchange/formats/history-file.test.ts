import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openTestMemory } from "../../../test/support/open-memories.js";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import { parseHistory } from "./history-file.js";
import { recognise } from "../import/recognise.js";

const one = "## 2026-02-27T14:30:00.000Z\n\n[2026-02-27 14:30] (deploy-talk) We deploy\n\\## by hand\n\nfor now.\n\n";
const two = "## 2026-03-01T08:00:00+01:00\nFree text,\n\n### with a heading\n\n";

describe("a HISTORY.md", () => {
  it("[D6] is taken in as archives of their times, each once, however often and from how many files", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "HISTORY.md"), `# History\n\nWhat happened.\n\n${one}${two}`);
    writeFileSync(join(folder, "HISTORY-2026-02.md"), one.replaceAll("\n", "\r\n"));
    writeFileSync(join(folder, "README.md"), "A document");
    const memory = await openTestMemory();

    expect(await memory.exchange.import(folder)).toMatchObject({ kinds: ["history"], files: 2, added: 2 });
    expect(await memory.exchange.import(folder)).toMatchObject({ added: 0, updated: 0, merged: 0 });
    expect((await memory.list()).map(({ type, createdAt, content }) => [type, createdAt, content])).toEqual([
      ["archive", "2026-03-01T07:00:00.000Z", "Free text,\n\n### with a heading"],
      ["archive", "2026-02-27T14:30:00.000Z", "[2026-02-27 14:30] (deploy-talk) We deploy\n## by hand\n\nfor now."],
    ]);
  });

  it("is known by its name and headings, and a changelog is none", () => {
    expect(recognise(one, "standard input")).toBe("history");
    expect(recognise(`Free text above\n\n${one}`, "a/HISTORY-2026-02.md")).toBe("history");
    expect(recognise("# Changes\n\n## 2.0.0 / 2026-02-27\n\n- Faster\n", "HISTORY.md")).toBe("markdown");
    expect(recognise(`Notes\n\n${one}`, "notes.md")).toBe("markdown");
    expect(recognise("[2026-02-27 14:30] We deploy by hand.\n", "HISTORY.md")).toBe("history");
    expect(recognise("[2026-02-27 14:30] We deploy by hand.\n", "notes.md")).toBe("markdown");
  });

  it("[D6] of other tools begins its entries with a day and a time, and keeps the lines below together", () => {
    const theirs =
      "# History\n\n[2026-02-27 14:30] We deploy by hand:\n[2026-02-27 14:31] USER: ok\n\nfor now.\n\n[2026-03-01 08:00] Not any more.\n\n";

    expect(parseHistory(theirs + one, "a/HISTORY.md").map(({ record }) => [record.createdAt, record.content])).toEqual([
      ["2026-02-27T14:30:00.000Z", "[2026-02-27 14:30] We deploy by hand:\n[2026-02-27 14:31] USER: ok\n\nfor now."],
      ["2026-03-01T08:00:00.000Z", "[2026-03-01 08:00] Not any more."],
      ["2026-02-27T14:30:00.000Z", "[2026-02-27 14:30] (deploy-talk) We deploy\n## by hand\n\nfor now."],
    ]);
    expect(() => parseHistory("[2026-02-30 14:30] Never.", "HISTORY.md")).toThrow("HISTORY.md:1");
  });

  it("leaves out half an entry that was written again, and splits one that no memory could hold", () => {
    const half = "## 2026-02-27T14:30:00.000Z\n\n[2026-02-27 14:30] (deploy-talk) We dep\n[cut off]\n\n";
    expect(parseHistory(`${half}${one}## 2026-02-28T00:00:00.000Z\n\n[cut off]\n`, "f")).toHaveLength(1);

    const long = `${"ä".repeat(40_000)}\n${"b c\n".repeat(30_000)}`;
    const parts = parseHistory(`## 2026-02-27T14:30:00.000Z\n${long}`, "f");
    expect(Math.max(...parts.map(({ record }) => Buffer.byteLength(record.content)))).toBeLessThan(65_536);
    expect(
      parts
        .map(({ record }) => record.content)
        .join("")
        .replace(/\s/g, ""),
    ).toBe(long.replace(/\s/g, ""));
    expect(new Set(parts.map(({ record }) => record.id)).size).toBe(parts.length);
    expect(() => parseHistory("## 2026-13-27T14:30:00.000Z\ntext", "f")).toThrow("f:1");
  });
});
