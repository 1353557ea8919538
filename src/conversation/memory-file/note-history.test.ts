import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { layerProject } from "../../../test/support/layer-project.js";
import { noteHistory } from "./note-history.js";
import { purgeFromFiles } from "./purge-from-files.js";
import { syncMemoryFile } from "./sync-memory-file.js";

const raw = async () => "[user] everything\n[assistant] that was said";

describe("HISTORY.md", () => {
  it("[D4] gets every archive once, with the file of its month, oldest first", async () => {
    const { context, folder, archive } = withArchives();
    await archive("second", "2026-03-01T09:30:00.500Z", "Second.\n## Not a heading\n\\## Nor this\n\nMore.");
    await archive("first", "2026-02-28T23:59:59.000Z", "First.");

    expect(await noteHistory(context, folder, { raw })).toBe(2);
    expect(await noteHistory(context, folder, { raw })).toBe(0);

    const first = "## 2026-02-28T23:59:59.000Z\n\n[2026-02-28 23:59] (first) First.\n\n";
    const second =
      "## 2026-03-01T09:30:00.500Z\n\n[2026-03-01 09:30] (second) Second.\n\\## Not a heading\n\\\\## Nor this\n\nMore.\n\n";
    expect(filesOf(folder)).toEqual({
      "HISTORY-2026-02.md": first,
      "HISTORY-2026-03.md": second,
      "HISTORY.md": first + second,
    });
  });

  it("holds all messages of an archive that no model summed up", async () => {
    const { context, folder, archive } = withArchives();
    await archive("raw-one", "2026-02-28T10:00:00.000Z", "[raw-fallback] 2 messages", true);

    await noteHistory(context, folder, { raw });

    expect(filesOf(folder)["HISTORY.md"]).toContain("(raw-one) [user] everything\n[assistant] that was said\n\n");
  });

  it("[D4] is written once and whole, wherever the process was killed or the disk was full", async () => {
    const { context, folder, archive } = withArchives();
    await archive("before", "2026-02-01T10:00:00.000Z", "Before.");
    await noteHistory(context, folder, { raw });
    const before = filesOf(folder)["HISTORY.md"] ?? "";
    await archive("cut", "2026-02-02T10:00:00.000Z", "What was\n\ncut off somewhere.");
    await noteHistory(context, folder, { raw });
    const whole = filesOf(folder)["HISTORY.md"] ?? "";
    const entry = whole.slice(before.length);
    const file = join(folder, "HISTORY.md");

    // After nothing, within and after the heading, within the text, before its last line ends, and after all of it.
    for (const bytes of [0, 1, 5, 27, 28, 29, 35, 60, 65, 66, entry.length - 2, entry.length - 1, entry.length].map(
      (more) => before.length + more,
    )) {
      truncateSync(file, bytes);
      await context.store.write((writer) =>
        writer.run("UPDATE conversation_archives SET noted_at = NULL, noted_in = NULL"),
      );
      expect(await noteHistory(context, folder, { raw })).toBe(2);

      const text = readFileSync(file, "utf8");
      expect(text.split(`\n${entry}`)).toHaveLength(2);
      expect(text.split("(before)")).toHaveLength(2);
      expect(text).toBe(
        bytes === whole.length || bytes === before.length
          ? whole
          : `${whole.slice(0, bytes)}${whole[bytes - 1] === "\n" ? "" : "\n"}[cut off]\n\n${entry}`,
      );
      // The file of the month was whole all the time.
      expect(filesOf(folder)["HISTORY-2026-02.md"]).toBe(whole);
      writeFileSync(file, whole);
    }
  });

  it("[D4] is written anew, each entry once, where it was taken away or another folder is set", async () => {
    const { context, folder, archive, tree } = withArchives();
    await archive("first", "2026-02-28T23:59:59.000Z", "First.");
    // Longer than what is looked at of a file to which only the newest are appended.
    await archive("second", "2026-02-28T23:59:59.500Z", "[raw-fallback] 2 messages", true);
    const long = async () => "x".repeat(1_100_000);
    expect(await noteHistory(context, folder, { raw: long })).toBe(2);
    const whole = filesOf(folder);
    expect(whole["HISTORY.md"]).toContain("First.");

    rmSync(join(folder, "HISTORY.md"));
    expect(await noteHistory(context, folder, { raw: long })).toBe(2);
    expect(filesOf(folder)).toEqual(whole);

    const other = join(tree.root, "other");
    expect(await noteHistory(context, other, { raw: long })).toBe(2);
    expect(filesOf(other)).toEqual(whole);

    await archive("third", "2026-02-28T23:59:59.900Z", "Third.");
    expect(await noteHistory(context, folder, { raw: long })).toBe(3);
    expect(filesOf(folder)["HISTORY.md"]?.match(/^\[2026-02-28 23:59\] \(\w+\)/gm)).toEqual([
      "[2026-02-28 23:59] (first)",
      "[2026-02-28 23:59] (second)",
      "[2026-02-28 23:59] (third)",
    ]);
    expect(await noteHistory(context, folder, { raw: long })).toBe(0);
  });

  it("stays to be written where it could not be", async () => {
    const { context, folder, archive, tree } = withArchives();
    await archive("one", "2026-02-01T10:00:00.000Z", "One.");
    writeFileSync(join(tree.root, "layer"), "a file where the folder should be");

    await expect(noteHistory(context, folder, { raw })).rejects.toMatchObject({ code: "config-unwritable" });
    await expect(noteHistory(context, join(tree.root, "other"), { raw })).resolves.toBe(1);
  });
});

describe("what was purged", () => {
  it("[D7] leaves nothing in the files", async () => {
    const { context, folder, archive, keep } = withArchives();
    await keep("To be kept");
    await archive("keep", "2026-02-01T10:00:00.000Z", "Stays. (gone) ");
    await archive("gone", "2026-02-02T10:00:00.000Z", "SECRET\n## 2026-02-01T10:00:00.000Z\n(keep)");
    await archive("renamed", "2026-02-03T10:00:00.000Z", "SECRET too");
    await noteHistory(context, folder, { raw });
    appendFileSync(
      join(folder, "HISTORY.md"),
      "## 2026-02-02T10:00:00.000Z\n\n[2026-02-02 10:00] (gone) SEC\n[cut off]\n\n",
    );
    writeFileSync(join(folder, ".HISTORY.md.0198c0de-0000-7000-8000-0123456789ab.part"), "SECRET");
    await syncMemoryFile(context, folder);

    await purgeFromFiles(context, folder, {
      memories: [],
      archives: [
        { name: "gone", at: "2026-02-02T10:00:00.000Z" },
        { name: "renamed", at: "2026-02-03T10:00:00.000Z" },
        // Of the same name as one that stays, at another time.
        { name: "keep", at: "2026-02-02T10:00:00.000Z" },
      ],
    });

    const kept = "## 2026-02-01T10:00:00.000Z\n\n[2026-02-01 10:00] (keep) Stays. (gone)\n\n";
    expect(filesOf(folder)).toEqual({
      "HISTORY-2026-02.md": kept,
      "HISTORY.md": kept,
      "MEMORY.md": expect.stringContaining("To be kept"),
    });
    await purgeFromFiles(context, folder, "all");
    expect(existsSync(folder)).toBe(false);
  });
});

function withArchives() {
  const project = layerProject();
  let last = 0;
  const archive = async (name: string, archivedAt: string, content: string, fallback = false) => {
    last += 2;
    const data = { first: last - 1, last, archivedAt, ...(fallback && { fallback }) };
    return project.keep({ type: "archive", name, content, sessionId: "s", data });
  };
  return { ...project, archive };
}

function filesOf(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder)
      .toSorted()
      .map((name) => [name, readFileSync(join(folder, name), "utf8")]),
  );
}
