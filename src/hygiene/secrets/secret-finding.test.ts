import { describe, expect, it } from "vitest";
import { blankMarkers, redactionMarker, secretKinds, splitAtBlanks } from "./secret-finding.js";

describe("redaction markers", () => {
  it("are blanked out in place, whatever their kind", () => {
    for (const kind of secretKinds) {
      const blanked = blankMarkers(`a ${redactionMarker(kind)} b`);

      expect(blanked).toHaveLength(`a ${redactionMarker(kind)} b`.length);
      expect(blanked).not.toContain(kind);
    }
  });

  it("are known by their kind only", () => {
    expect(blankMarkers("[redacted:0123abcd]")).toBe("[redacted:0123abcd]");
  });

  it("are cut out of a finding that spans one", () => {
    const text = blankMarkers("abc[redacted:jwt]de");

    expect(splitAtBlanks(text, { start: 0, end: text.length, kind: "password" })).toEqual([
      { start: 0, end: 3, kind: "password" },
      { start: 17, end: 19, kind: "password" },
    ]);
  });
});
