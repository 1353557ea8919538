import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { getHttpToken } from "./http-token.js";

it("[A12] is made once, for its owner's eyes, by however many start at once", async () => {
  const place = { home: join(newFolder(), "not", "there"), given: "" };
  const made = await Promise.all(Array.from({ length: 8 }, () => getHttpToken(place)));
  const { value, file = "" } = await getHttpToken(place);

  expect(new Set(made.map((one) => one.value))).toEqual(new Set([value]));
  expect(value).toMatch(/^[\w-]{43}$/);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it("[A12] is refused from a file that others can read", async ({ skip }) => {
  skip(process.platform === "win32", "Windows has no modes of files");
  const place = { home: newFolder(), given: "" };
  const { file = "" } = await getHttpToken(place);
  chmodSync(file, 0o640);

  await expect(getHttpToken(place)).rejects.toMatchObject({
    code: "config-invalid",
    hint: expect.stringMatching("Remove it"),
  });
});

it("[A12] is taken from the environment, and not where it can be guessed", async () => {
  const home = newFolder();

  expect(await getHttpToken({ home, given: "0123456789abcdef" })).toEqual({ value: "0123456789abcdef" });
  for (const given of ["short", "with a space in between", "line\nline line line line"]) {
    await expect(getHttpToken({ home, given })).rejects.toThrow("is no token");
  }
});

it("[A12] says so where its file holds none", async () => {
  const home = newFolder();
  writeFileSync(join(home, "http-token"), "?", { mode: 0o600 });

  await expect(getHttpToken({ home, given: "" })).rejects.toThrow("There is no token in");
  await expect(getHttpToken({ home: join(home, "http-token"), given: "" })).rejects.toThrow("Could not write");
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "tacit-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
