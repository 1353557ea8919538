import { describe, expect, it } from "vitest";
import { edited, learned, ran, read, searched, seenIn } from "../../../test/support/acts.js";
import { repeatedSearch } from "./repeated-search.js";
import { searchKey } from "./search-key.js";
import { signalValue } from "./signal.js";

describe("repeatedSearch", () => {
  it("is worth 0.76", () => {
    expect(signalValue(repeatedSearch)).toBe(0.76);
  });

  it("learns where something is when two searches end in the same file", () => {
    const sessions = [
      [searched("openStore", 12), read("src/storage/open.ts"), edited("src/other.ts")],
      [searched("function openStore\\(", 1, { where: "src" }), ran("ls"), read("src/storage/open.ts"), ran("npm test")],
    ];

    expect(learned(repeatedSearch, sessions)).toMatchObject({
      type: "module_insight",
      content: "`openStore` is in `src/storage/open.ts`; searches for it end there.",
      relatedFiles: ["src/storage/open.ts"],
      relatedModules: ["src/storage"],
    });
  });

  it("takes the file that was changed before one that was only opened on the way", () => {
    const session = [searched("retryLimit", 4), read("src/a.ts"), read("src/b.ts"), edited("src/b.ts")];

    expect(learned(repeatedSearch, [session, session])?.relatedFiles).toEqual(["src/b.ts"]);
  });

  it("takes the file that was opened next, and not one that was only edited later", () => {
    const session = [searched("timeout", 3), read("src/http/client.ts"), edited("src/billing/rates.ts")];
    const only = [searched("retryLimit", 1), read("src/a.ts"), read("src/b.ts"), edited("src/b.ts")];

    expect(learned(repeatedSearch, [session, session])?.relatedFiles).toEqual(["src/http/client.ts"]);
    expect(learned(repeatedSearch, [only, only])?.relatedFiles).toEqual(["src/a.ts"]);
    expect(seenIn(repeatedSearch, [searched("timeout", 3), edited("src/billing/rates.ts")])).toEqual([]);
  });

  it("makes nothing of a name that the file has itself", () => {
    const session = (pattern: string, file: string) => [searched(pattern, 2), read(file)];

    expect(
      learned(
        repeatedSearch,
        [1, 2].map(() => session("schema", "src/api/schema.ts")),
      ),
    ).toBeUndefined();
    expect(
      learned(
        repeatedSearch,
        [1, 2].map(() => session("openStore", "src/open-store.ts")),
      ),
    ).toBeUndefined();
  });

  it("learns that something has another name", () => {
    const session = [
      searched("userProfile", 0),
      searched("profile", 5),
      read("src/account.ts"),
      edited("src/account.ts"),
    ];

    expect(learned(repeatedSearch, [session, session])).toMatchObject({
      type: "gotcha",
      content: "Searching for `userProfile` finds nothing in this project; what is meant is in `src/account.ts`.",
    });
    expect(
      learned(repeatedSearch, [[searched("userProfile", 0), searched("userProfile", 0, { where: "lib" })]])?.content,
    ).toBe("Searching for `userProfile` finds nothing in this project; it must have another name here.");
  });

  it("makes nothing of searches that end elsewhere each time", () => {
    const session = (file: string) => [searched("openStore", 3), read(file)];

    expect(learned(repeatedSearch, [session("src/a.ts"), session("src/b.ts")])).toBeUndefined();
    expect(learned(repeatedSearch, [session("src/a.ts"), session("src/a.ts"), session("src/b.ts")])).toBeUndefined();
  });

  it("sees nothing in a file that is read on the way to another one", () => {
    const onTheWay = ["src/auth/session.ts", "src/db/client.ts", "src/ui/page.ts"].map((file) => read(file));

    expect(seenIn(repeatedSearch, [searched("lifeMinutes", 1), ...onTheWay, edited("src/ui/page.ts")])).toEqual([]);
  });

  it("sees nothing in a file that is left at once for the next search", () => {
    expect(
      seenIn(repeatedSearch, [searched("openStore", 3), read("src/a.ts"), searched("closeStore", 1), ran("ls")]),
    ).toEqual([]);
  });

  it("takes a command that fails without a word as one that found nothing", () => {
    const { found: _, ...silent } = searched("userProfile", 0, { line: "rg userProfile" });
    const session = [
      { ...silent, failed: true },
      { ...silent, failed: true },
    ];

    expect(seenIn(repeatedSearch, session)[0]?.data).toMatchObject({ isNothing: true, times: 2 });
  });

  it("makes nothing of a file that is open in every session", () => {
    const session = [searched("openStore", 3), read("src/a.ts")];

    expect(learned(repeatedSearch, [session, session], { sessions: 10, sessionsOfFile: () => 9 })).toBeUndefined();
  });

  it("makes nothing of one search that finds nothing", () => {
    expect(learned(repeatedSearch, [[searched("userProfile", 0)], [searched("userProfile", 0)]])).toBeUndefined();
  });

  it.each(["TODO", "import", "a", "x.*", "console.log", "^export default", "\\d+", "", "test|spec", "return null"])(
    "sees nothing in a search for %s",
    (pattern) => {
      expect(seenIn(repeatedSearch, [searched(pattern, 3), read("src/a.ts"), searched(pattern, 3)])).toEqual([]);
    },
  );

  it("sees nothing in a word with hundreds of hits, nor in what is opened after another search", () => {
    expect(seenIn(repeatedSearch, [searched("customer", 900), read("src/a.ts")])).toEqual([]);
    expect(seenIn(repeatedSearch, [searched("openStore", 2), searched("closeStore", 2), ran("ls")])).toEqual([]);
  });
});

describe("searchKey", () => {
  it.each([
    ["openStore", "openstore"],
    ["\\bopenStore\\b", "openstore"],
    ["export async function openStore\\(", "openstore"],
    ["open_store", "open_store"],
    ["closeStore|openStore", "closestore | openstore"],
    ["store\\.open", "store.open"],
  ])("knows %s as %s", (pattern, key) => {
    expect(searchKey({ pattern, by: "text" })).toBe(key);
  });

  it("knows names of files without what is around them", () => {
    expect(searchKey({ pattern: "**/open-store*.ts", by: "name" })).toBe("open-store");
    expect(searchKey({ pattern: "**/*.{ts,tsx}", by: "name" })).toBeUndefined();
    expect(searchKey({ pattern: "src/**/*", by: "name" })).toBeUndefined();
  });
});
