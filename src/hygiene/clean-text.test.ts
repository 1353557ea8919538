import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MemoryError } from "../base/memory-error.js";
import { cleanLongText, cleanText, type CleanText } from "./clean-text.js";
import { contentLimitBytes } from "./refuse-unstorable.js";

describe("cleanText", () => {
  it("keeps ordinary text byte for byte", async () => {
    const text = "  Ünïcode, e\u0301, tabs\t, \r\n line ends, \u001b[31mcolours\u001b[0m, 👩‍💻 and\u00a0spaces  ";

    expect(await cleanText(text, "content")).toEqual({ text, flags: [] });
  });

  it("names each thing it took out once", async () => {
    const cleaned = await cleanText("a\u200bb\u200b <private>x</private> password=hunter2 pwd=hunter22", "content");

    expect(cleaned.text).toBe("ab  password=[redacted:password] pwd=[redacted:password]");
    expect(cleaned.flags.toSorted()).toEqual(["invisible-removed", "private-removed", "secret-redacted"]);
  });

  it("finds a private part and a secret that invisible characters split", async () => {
    const cleaned = await cleanText("a <pri\u200bvate>b</private> pass\u2060word=hunter2", "content");

    expect(cleaned.text).toBe("a  password=[redacted:password]");
  });

  it("refuses a NUL and says where", async () => {
    await expect(cleanText("ab\0c", "content")).rejects.toMatchObject({
      code: "content-refused",
      message: "content has a NUL character at offset 2",
    });
  });

  it("refuses half a surrogate pair and says where", async () => {
    await expect(cleanText("😀\ud800x", "tag")).rejects.toMatchObject({
      code: "content-refused",
      message: expect.stringContaining("tag has half of a surrogate pair at offset 2"),
    });
  });

  it("takes 64 KiB, counted in bytes, and refuses one more", async () => {
    const full = "é".repeat(contentLimitBytes / 2);

    expect((await cleanText(full, "content")).text).toBe(full);
    await expect(cleanText(`${full}a`, "content")).rejects.toMatchObject({ code: "content-refused" });
  });

  it("refuses a text that redaction makes too long, so that what it returns can be cleaned again", async () => {
    const text = "pwd=hunter22 ".repeat(5000);

    await expect(cleanText(text, "content")).rejects.toMatchObject({
      code: "content-refused",
      message: expect.stringContaining("once its secrets are redacted"),
    });
  });

  it("never quotes the text in an error", async () => {
    const error = await cleanText("password=hunter2\0", "content").catch((thrown: unknown) => thrown);

    expect(String(error)).not.toContain("hunter2");
  });

  it("leaves ordinary letters untouched", async () => {
    await fc.assert(
      fc.asyncProperty(fc.stringMatching(/^[a-zà-ü一-龥 ]{0,200}$/), async (text) => {
        expect(await cleanText(text, "content")).toEqual({ text, flags: [] });
      }),
    );
  });

  it("changes nothing the second time, throws only MemoryError and leaves no stripped character", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: "binary" }))), async (parts) => {
        const text = parts.join("");
        const once = await unlessRefused(cleanText(text, "content"));

        expect(once.text).not.toMatch(alwaysStripped);
        expect(await cleanText(once.text, "content")).toEqual({ text: once.text, flags: [] });
      }),
      { numRuns: 1500 },
    );
  });

  it.each(hostileTexts())("stays well below a second on 64 KiB of %j", async (piece) => {
    const text = piece.repeat(Math.floor(contentLimitBytes / Buffer.byteLength(piece)));
    await cleanText("warm up", "content");

    const startedAt = performance.now();
    await cleanText(text, "content").catch(() => undefined);

    expect(performance.now() - startedAt).toBeLessThan(1000);
  });

  it.each(["the key ", "Cookie: a=", "password ", "token: ", "Authorization: Bearer ", "?sig=", "acme_live_", "root:"])(
    "stays well below a second on a word of 30,000 characters after %j",
    async (start) => {
      await cleanText("warm up", "content");

      for (const letter of ["a", "a1", "aA", "a.", "a-"]) {
        const startedAt = performance.now();
        await cleanText(`${start}${letter.repeat(30_000 / letter.length)}!(`, "content").catch(() => undefined);

        expect(performance.now() - startedAt, letter).toBeLessThan(1000);
      }
    },
  );
});

const alwaysStripped =
  /[\u00AD\u061C\u115F\u1160\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF9-\uFFFB]|\u034F|[\u17B4\u17B5]|[\u180B-\u180F]/u;

const pieces = [
  ..."<private> </private> <pri vate> password= passwd: token secret: api_key= --password hunter2 'hunter2 s3cr3t\"".split(
    " ",
  ),
  ..."[redacted:password] [redacted:jwt] :// bob:hunter2@host postgres://u:p@ Authorization: Bearer abc123def456ghi789".split(
    " ",
  ),
  ..."\u200B \u200C \u200D \uFE0F \u202E \u{1F3F4} \u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F} 👩 💻 می 12345678".split(
    " ",
  ),
  glued("gh", "p_", "a1B2".repeat(9)),
  glued("sk-", "ant-", "a1B2".repeat(9)),
  glued("-----BEGIN PRIVATE ", "KEY-----\n"),
  "MIIEow",
  "| user | password |\n|---|---|\n| bob | ",
  "\nuser,password\nbob,",
  "${TOKEN:-",
  "Cookie: a=b; sid=",
  "credentials: bob / ",
  'getenv("PASSWORD", "',
  "the password for bob is ",
  "acme_live_a1B2c3D4e5F6g7H8i9J0k1",
  "a1b2c3d4e5f6g7h8",
  "correct horse battery staple",
  "PIN 1234",
  "key: ",
  " -> ",
  "|",
  ",",
  " ",
  "\n",
  "=",
  ":",
  '"',
  "'",
  "&",
  ";",
  "@",
  "/",
  glued("ey", "Jhbgcioi."),
  "eyJzdWIiOi.",
];

function hostileTexts(): string[] {
  return [
    ..."a A 1 - _ . / : = \" ' \\ < & @ $ { ( + 😀 <private <private> </private> <private></private> :// ://a: http://a:b@".split(
      " ",
    ),
    ..."password password= token= api_key secret> pass eyJ SG. xoxb-a- ghp_ sk- AKIA curl mysql glpat- dp.pt. tskey- ".split(
      " ",
    ),
    ..."-----BEGIN LS0tLS1CRUdJTi ?sig= {{ ${ 12345678: a.b your- my- [redacted:password]".split(" "),
    " ",
    "\n",
    "\u200b",
    "\u200d",
    "x\uFE0F",
    "ا\u200c",
    "<pri<private>x</private>vate>",
    "password is ",
    "curl -u a:",
    glued("-----BEGIN PRIVATE ", "KEY-----\n"),
    glued("-----BEGIN PRIVATE ", `KEY-----\n${"A".repeat(64)}\n`),
    "authorization: ",
    "key=",
    "| password |\n|-|\n",
    "a,password\n",
    "password,a\nb,c\n",
    "cookie: a=b;",
    "${token:-",
    "password for a ",
    "log in a / ",
    "password: abc def ghi jkl ",
    'auth("a","b',
    "acme_a1-",
    "a:11:b:c:",
    "echo a | ",
    "password { default ",
    "Private-Lines: 1\nAAAA\n",
  ].filter((piece) => piece !== "");
}

/** Throws what is no MemoryError; where the text was refused, an empty one stands in for what cannot be cleaned. */
async function unlessRefused(cleaning: Promise<CleanText>): Promise<CleanText> {
  return cleaning.catch((thrown: unknown) => {
    if (thrown instanceof MemoryError) return { text: "", flags: [] };
    throw thrown;
  });
}

/** Puts a fake secret together, so that this file holds nothing that looks like one. */
function glued(...parts: string[]): string {
  return parts.join("");
}

describe("cleanLongText", () => {
  it("cleans what is too long to be stored as one text, and refuses what could not be stored at all", async () => {
    const rest = "x ".repeat(40_000);

    const { text, flags } = await cleanLongText(`${rest}password=hunter2 <private>${rest}</private>end`, "content");

    expect(text === `${rest}password=[redacted:password] end`).toBe(true);
    expect(flags.toSorted()).toEqual(["private-removed", "secret-redacted"]);
    await expect(cleanLongText(`${rest}\0`, "content")).rejects.toMatchObject({ code: "content-refused" });
  });
});
