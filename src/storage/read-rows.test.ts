import { describe, expect, it } from "vitest";
import { createClient } from "@libsql/client/sqlite3";
import { readRows, type Execute } from "./read-rows.js";

describe("[S18] rows of a local database", () => {
  it("are what libSQL gives, in few columns and in many", async () => {
    const { execute } = valuesTable();
    const few = "SELECT number, text FROM things ORDER BY number DESC";
    const many =
      "SELECT number, text, part, whole, missing, json_array(text, 1) AS list FROM things ORDER BY number DESC";

    for (const sql of [few, many]) {
      const plain = (await execute(sql, {})).rows.map((row) => ({ ...row }));

      expect((await readRows(execute, sql, {})).map((row) => ({ ...row }))).toEqual(plain);
    }
  });

  it("keep every digit of a number and every character of a text", async () => {
    const { execute } = valuesTable();
    const sql = "SELECT part, text, whole, number, missing FROM things WHERE number = :number";

    const [row] = await readRows(execute, sql, { number: 1 });

    expect(row).toEqual({ part: 0.1 + 0.2, text: 'ä "\\ 😀 \uFFFD', whole: 2 ** 53 - 1, number: 1, missing: null });
  });

  it.each(["SELECT text FROM broken", "SELECT text, text AS a, text AS b, text AS c, text AS d FROM broken"])(
    "read as U+FFFD where a text is not UTF-8: %s",
    async (sql) => {
      const { execute } = valuesTable();

      const [row] = await readRows(execute, sql, {});

      expect(row?.["text"]).toBe("a\uFFFDb");
    },
  );
});

function valuesTable(): { execute: Execute } {
  const client = createClient({ url: ":memory:" });
  const execute: Execute = async (sql, args) => {
    await ready;
    return client.execute({ sql, args });
  };
  const ready = client.executeMultiple(`
    CREATE TABLE things (number INTEGER, text TEXT, part REAL, whole INTEGER, missing TEXT);
    INSERT INTO things VALUES (1, 'ä "\\ 😀 ' || char(65533), 0.1 + 0.2, 9007199254740991, NULL), (2, '', -1e300, 0, NULL);
    CREATE TABLE broken (text TEXT);
    INSERT INTO broken VALUES (CAST(x'61E162' AS TEXT))`);
  return { execute };
}
