import { expect, it } from "vitest";
import { refusalOf } from "../support/server-parser.js";

it.each([
  ["HAVING without GROUP BY", "SELECT count(*) FROM memories HAVING count(*) > 0", "HAVING"],
  ["an order inside an aggregate", "SELECT json_group_array(name ORDER BY name) FROM memories", "ORDER"],
  ["a temporary table", "CREATE TEMP TABLE seen (key INTEGER)", "Unsupported"],
  ["no SQL at all", "remember this", "remember"],
])("a server's parser refuses %s", (_, sql, named) => {
  expect(refusalOf(sql)).toContain(named);
});

it("a server's parser takes what both take, and nobody is asked", () => {
  expect(refusalOf("SELECT type, count(*) FROM memories GROUP BY type HAVING count(*) > :few")).toBeUndefined();
});
