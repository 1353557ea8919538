import { expect, it } from "vitest";
import { listedAttacks, missingLists, naughtyStrings } from "../support/hostile-lists.js";

it("the tests of hostile input try the public lists of naughty strings and attacks as well as our own", ({ skip }) => {
  skip(missingLists !== undefined, missingLists);

  expect([naughtyStrings.length, listedAttacks.length]).toEqual([515, 125]);
});
