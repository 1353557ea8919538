import * as fc from "fast-check";
import { expect, it } from "vitest";
import { chanceOfAtLeast, chanceOfMeeting } from "./chance.js";

it("Two files in the same three of twenty sessions are no coincidence", () => {
  expect(chanceOfMeeting({ sessions: 20, a: 3, b: 3, together: 3 })).toBeCloseTo(1 / 1140, 8);
  expect(chanceOfMeeting({ sessions: 3, a: 3, b: 3, together: 3 })).toBeCloseTo(1, 8);
  expect(chanceOfMeeting({ sessions: 20, a: 15, b: 3, together: 3 })).toBeCloseTo(455 / 1140, 8);
});

it("Three heads of three throws", () => {
  expect(chanceOfAtLeast(3, 3, 0.5)).toBeCloseTo(0.125, 8);
  expect(chanceOfAtLeast(0, 3, 0.5)).toBe(1);
  expect(chanceOfAtLeast(2, 3, 1)).toBeCloseTo(1, 8);
});

it("A chance is between 0 and 1, also where the counts do not fit together", () => {
  const count = fc.nat({ max: 300 });

  fc.assert(
    fc.property(count, count, count, count, (sessions, a, b, together) => {
      const chance = chanceOfMeeting({ sessions, a, b, together });
      expect(chance).toBeGreaterThanOrEqual(0);
      expect(chance).toBeLessThanOrEqual(1);
    }),
  );
});
