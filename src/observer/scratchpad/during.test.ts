import * as fc from "fast-check";
import { expect, it } from "vitest";
import { during } from "./during.js";

it("gives what lies between two orders, both included", () => {
  const orders = fc.uniqueArray(fc.integer({ min: -20, max: 20 })).map((some) => some.toSorted((a, b) => a - b));
  const border = fc.oneof(fc.integer({ min: -25, max: 25 }), fc.constantFrom(-Infinity, Infinity));
  fc.assert(
    fc.property(orders, border, border, (some, first, last) => {
      const things = some.map((order) => ({ order }));

      expect(during(things, first, last)).toEqual(things.filter(({ order }) => order >= first && order <= last));
    }),
  );
});
