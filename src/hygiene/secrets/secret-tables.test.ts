import { describe, expect, it } from "vitest";
import { findInTables } from "./secret-tables.js";

describe("findInTables", () => {
  it.each([
    "| user | password |\n|---|---|\n| bob | hunter2 |",
    "Accounts:\n\n| **User** | **DB password** | since |\n| :-- | :-: | --: |\n| bob | `hunter2` | May |\n\nThat is all.",
    "user,password,host\nbob,hunter2,db",
    "user\tpassword\nbob\thunter2",
    "user,password\r\nbob,hunter2\r\n",
  ])("finds the password in %j", (text) => {
    expect(findInTables(text).map(({ start, end }) => text.slice(start, end))).toEqual(["hunter2"]);
  });

  it("finds one in every row, and none below the table", () => {
    const text = "| token |\n|---|\n| a1b2c3d4 |\n| e5f6g7h8 |\n\n| i9j0k1l2 |";

    expect(findInTables(text.replaceAll("token |", "token | x |").replaceAll("8 |", "8 | y |"))).toEqual([]);
    expect(
      findInTables("| a | token |\n|---|---|\n| x | a1b2c3d4 |\n| y | e5f6g7h8 |\n\n| z | i9j0k1l2 |"),
    ).toHaveLength(2);
  });

  it.each([
    "| field | password |\n|---|---|\n| type | string |",
    "| key | value |\n|---|---|\n| a | b1c2d3e4 |",
    "| password | bob12345 |\n| host | db012345 |",
    "const user,\n  password,\n  host1234,",
    "call(user, password)\nthen(this1, that22)",
    "| user | password |\n|---|---|\n| bob | <password> |",
  ])("finds none in %j", (text) => {
    expect(findInTables(text)).toEqual([]);
  });
});
