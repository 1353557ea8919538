import { describe, expect, it } from "vitest";
import { cleanJson, cleanText, contentLimitBytes, neutralise } from "./hygiene.js";

describe("hygiene", () => {
  it("cleans a text, a JSON value and what is printed", async () => {
    expect(await cleanText("password=hunter2", "content")).toEqual({
      text: "password=[redacted:password]",
      flags: ["secret-redacted"],
    });
    expect(await cleanJson(["a\u200b"], "data")).toEqual({ value: ["a"], flags: ["invisible-removed"] });
    expect(neutralise("\u001b[0m")).toBe("␛[0m");
    expect(contentLimitBytes).toBe(65536);
  });
});
