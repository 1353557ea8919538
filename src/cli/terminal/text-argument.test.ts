import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { readText } from "./text-argument.js";

describe("readText", () => {
  it.each([
    ["one\n", "one"],
    ["one\r\n", "one"],
    ["one\n\n", "one\n"],
    ["", ""],
    ["\uFEFFmarked", "\uFEFFmarked"],
  ])("reads %j without its last line end", async (sent, text) => {
    expect(await readText(Readable.from([Buffer.from(sent)]))).toBe(text);
  });

  it("joins a character that arrives in two pieces", async () => {
    const bytes = Buffer.from("漢");

    expect(await readText(Readable.from([bytes.subarray(0, 1), bytes.subarray(1)]))).toBe("漢");
  });

  it("refuses bytes that are no UTF-8 rather than guess", async () => {
    await expect(readText(Readable.from([Buffer.from([0x66, 0xff])]))).rejects.toMatchObject({
      code: "content-refused",
    });
  });
});
