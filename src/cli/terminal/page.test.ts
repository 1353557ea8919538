import { describe, expect, it } from "vitest";
import { openPage, takesColour } from "./page.js";

describe("colours", () => {
  it("come on a terminal only, unless the environment says otherwise", () => {
    expect(takesColour({ isTTY: true }, {})).toBe(true);
    expect(takesColour({}, {})).toBe(false);
    expect(takesColour({ isTTY: true }, { NO_COLOR: "1" })).toBe(false);
    expect(takesColour({ isTTY: true }, { NO_COLOR: "" })).toBe(true);
    expect(takesColour({ isTTY: true }, { TERM: "dumb" })).toBe(false);
    expect(takesColour({}, { FORCE_COLOR: "1", NO_COLOR: "1" })).toBe(true);
    expect(takesColour({ isTTY: true }, { FORCE_COLOR: "0" })).toBe(false);
  });

  it("are closed again after what they paint", () => {
    const page = openPage({ stream: { isTTY: true, columns: 80 }, env: {}, clean: (text) => text, now: new Date(0) });

    expect(page.paint("red", "no")).toBe("\u001B[31mno\u001B[39m");
    expect(page.paint("red", "")).toBe("");
  });
});
