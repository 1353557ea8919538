import { describe, expect, it } from "vitest";
import { cleanFields } from "./clean-fields.js";

const secret = ["ghp", "0123456789abcdefABCDEF0123456789abcd"].join("_");

describe("the cleaner of a memory's fields", () => {
  it("[H1] redacts a label and says so each time it comes", async () => {
    const [first, second] = [cleanFields(), cleanFields()];

    const once = await first.labels([secret, "build"], "tag");
    const again = await second.labels(["build", secret], "tag");

    expect(once).toEqual([expect.stringContaining("redacted"), "build"]);
    expect(again).toEqual(once.toReversed());
    expect([...first.flags]).toEqual(["secret-redacted"]);
    expect([...second.flags]).toEqual(["secret-redacted"]);
  });

  it("takes any number of labels that never come back", async () => {
    const cleaner = cleanFields();
    const labels = Array.from({ length: 10_050 }, (_, n) => `label ${n}`);

    expect(await cleaner.labels([...labels, ...labels], "tag")).toEqual(labels);
  });

  it("limits one value, and not what holds several", async () => {
    const cleaner = cleanFields();
    const long = "x".repeat(65_536);

    await expect(cleaner.value(long, "metadata")).rejects.toMatchObject({
      code: "content-refused",
      message: "metadata is larger than 64 KiB.",
    });
    expect(await cleaner.json([long, long], "history")).toEqual([long, long]);
  });
});
