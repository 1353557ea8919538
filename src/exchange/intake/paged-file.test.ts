import { readdirSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import { PagedFile } from "./paged-file.js";

describe("a spool", () => {
  it("gives back what went in, in order, as often as it is asked", async () => {
    const spool = await open<{ n: number; text: string }>();
    const entries = Array.from({ length: 1000 }, (_, n) => ({ n, text: `“naïve”\n日本語 🦉 ${n}` }));
    for (const entry of entries) await spool.append(entry);

    const once = await read(spool);
    const twice = await read(spool);

    expect(once.flat()).toEqual(entries);
    expect(twice).toEqual(once);
  });

  it("ends a page when it has many entries or much text", async () => {
    const spool = await open<string>();
    for (let n = 0; n < 900; n += 1) await spool.append("short");
    for (let n = 0; n < 3; n += 1) await spool.append("x".repeat(600_000));

    const pages = await read(spool);

    expect(pages.map((page) => page.length)).toEqual([400, 400, 102, 1]);
  });

  it("takes more between two readings", async () => {
    const spool = await open<number>();
    await spool.append(1);
    await read(spool);

    await spool.append(2);

    expect((await read(spool)).flat()).toEqual([1, 2]);
  });

  it("says that the folder for temporary files is to blame", async () => {
    setTemporaryFolder("/nowhere/at all");

    await expect(PagedFile.open()).rejects.toMatchObject({
      code: "import-refused",
      message: expect.stringContaining("/nowhere/at all"),
      hint: expect.stringContaining("TMPDIR"),
    });
  });

  it("has no name that anybody could find", async ({ skip }) => {
    skip(process.platform === "win32", "Windows keeps the name of a file until it is closed");
    const folder = temporaryFolder();
    setTemporaryFolder(folder);

    const spool = await open<string>();
    for (let n = 0; n < 500; n += 1) await spool.append("an entry");

    expect(readdirSync(folder)).toEqual([]);
  });
});

async function open<T>(): Promise<PagedFile<T>> {
  const spool = await PagedFile.open<T>();
  onTestFinished(() => spool.close());
  return spool;
}

async function read<T>(spool: PagedFile<T>): Promise<T[][]> {
  const pages: T[][] = [];
  for await (const page of spool.pages()) pages.push(page);
  return pages;
}

function setTemporaryFolder(folder: string): void {
  const usual = process.env["TMPDIR"];
  process.env["TMPDIR"] = folder;
  onTestFinished(() => {
    if (usual === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = usual;
  });
}
