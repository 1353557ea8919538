import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MemoryError } from "../base/memory-error.js";
import { cleanJson } from "./clean-json.js";

describe("cleanJson", () => {
  it("cleans every string, keys included", async () => {
    const { value, flags } = await cleanJson(
      { "a\u200b": ["x <private>y</private>", { deep: "token=abc123def456" }], n: 1, yes: true, no: null },
      "metadata",
    );

    expect(value).toEqual({ a: ["x ", { deep: "token=[redacted:token]" }], n: 1, yes: true, no: null });
    expect(flags.toSorted()).toEqual(["invisible-removed", "private-removed", "secret-redacted"]);
  });

  it("redacts a value that only its key makes a secret", async () => {
    const { value, flags } = await cleanJson(
      { user: "bob", dbPassword: "swordfish", pin: { password: 12345678 }, api_key: "9f8e7d6c5b4a" },
      "metadata",
    );

    expect(value).toEqual({
      user: "bob",
      dbPassword: "[redacted:password]",
      pin: { password: "[redacted:password]" },
      api_key: "[redacted:api-key]",
    });
    expect(flags).toEqual(["secret-redacted"]);
  });

  it("redacts a value that a name beside it makes a secret", async () => {
    const { value } = await cleanJson(
      {
        env: [
          { name: "DB_PASSWORD", value: "swordfish" },
          { key: "PORT", value: "swordfish" },
        ],
        args: ["--user", "bob", "--password", "swordfish", "swordfish"],
        passwords: ["swordfish1"],
        headers: { Cookie: "theme=dark; sid=a1b2c3d4e5f6g7h8", Authorization: "ApiKey a1b2c3d4e5f6g7h8" },
      },
      "metadata",
    );

    expect(value).toEqual({
      env: [
        { name: "DB_PASSWORD", value: "[redacted:password]" },
        { key: "PORT", value: "swordfish" },
      ],
      args: ["--user", "bob", "--password", "[redacted:password]", "swordfish"],
      passwords: ["swordfish1"],
      headers: { Cookie: "theme=dark; sid=[redacted:authorization]", Authorization: "ApiKey [redacted:authorization]" },
    });
  });

  it("keeps what such a key holds when it is no secret", async () => {
    const value = { password: "required", token: "identifier", secret: "${SECRET}", passwordLength: 12 };

    expect(await cleanJson(value, "data")).toEqual({ value, flags: [] });
  });

  it("leaves out undefined properties, as JSON does", async () => {
    expect((await cleanJson({ a: undefined, b: 1 }, "data")).value).toEqual({ b: 1 });
  });

  it("keeps a key named __proto__ as a key", async () => {
    const { value } = await cleanJson(JSON.parse('{"__proto__": {"admin": true}}'), "data");

    expect(JSON.stringify(value)).toBe('{"__proto__":{"admin":true}}');
  });

  it.each([
    ["undefined in an array", { a: [1, undefined] }, "data.a[1] is undefined"],
    ["a hole in an array", { a: Array(1) }, "data.a[0] is undefined"],
    ["NaN", { a: { b: NaN } }, "data.a.b is NaN"],
    ["Infinity", [Infinity], "data[0] is Infinity"],
    ["a function", { f: () => 1 }, "data.f is a function"],
    ["a symbol", { s: Symbol("x") }, "data.s is a symbol"],
    ["a bigint", { big: 1n }, "data.big is a bigint"],
    ["a Map", { m: new Map() }, "data.m is a Map"],
    ["a Date", { at: new Date(0) }, "data.at is a Date"],
    ["an instance of a class", { e: new Error("x") }, "data.e is a Error"],
    ["undefined itself", undefined, "data is undefined"],
  ])("refuses %s and names the path", async (_name, value, message) => {
    await expect(cleanJson(value, "data")).rejects.toMatchObject({
      code: "content-refused",
      message: expect.stringContaining(message),
    });
  });

  it("refuses a value that contains itself", async () => {
    const loop: { self?: unknown } = {};
    loop.self = [loop];

    await expect(cleanJson(loop, "data")).rejects.toMatchObject({
      message: expect.stringContaining("data.self[0] contains itself"),
    });
  });

  it("takes the same object twice when neither is inside the other", async () => {
    const shared = { a: 1 };

    expect((await cleanJson([shared, shared], "data")).value).toEqual([{ a: 1 }, { a: 1 }]);
  });

  it("takes 32 levels and refuses 33", async () => {
    expect(JSON.stringify((await cleanJson(nested(32), "data")).value)).toBe(JSON.stringify(nested(32)));
    await expect(cleanJson(nested(33), "data")).rejects.toMatchObject({ code: "content-refused" });
  });

  it("refuses two keys that cleaning makes the same", async () => {
    await expect(cleanJson({ a: 1, "a\u200b": 2 }, "data")).rejects.toMatchObject({
      message: expect.stringContaining("data.a appears twice"),
    });
  });

  it("names the path of a string that is refused, without the secrets in it", async () => {
    const error = await cleanJson({ "password=hunter2": { b: "x\0" } }, "data").catch((thrown: unknown) => thrown);

    expect(error).toMatchObject({ message: expect.stringContaining("data.password=[redacted:password].b has a NUL") });
  });

  it("throws only MemoryError, and changes nothing the second time", async () => {
    await fc.assert(
      fc.asyncProperty(fc.anything({ withBigInt: true, withDate: true, withMap: true }), async (anything) => {
        const once = await cleanJson(anything, "data").catch((thrown: unknown) => {
          if (thrown instanceof MemoryError) return { value: null, flags: [] };
          throw thrown;
        });

        expect(await cleanJson(once.value, "data")).toEqual({ value: once.value, flags: [] });
      }),
    );
  });
});

function nested(levels: number): unknown {
  return levels === 0 ? "end" : [nested(levels - 1)];
}
