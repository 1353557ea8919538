import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compiled, ended, runProgram, startProgram } from "../../test/support/child-process.js";
import { temporaryFolder } from "../../test/support/temporary-folder.js";
import { connect } from "./connect.js";
import { migrations } from "./migrations.js";
import { Store } from "./storage.js";

describe("migrate", () => {
  it("[S6] is done once when ten processes open a new file at the same moment", async () => {
    const path = join(temporaryFolder(), "memory.db");
    const at = Date.now() + 1500;

    const codes = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        ended(
          runProgram(`
            import { Store } from ${JSON.stringify(compiled("storage/storage.js"))};
            const store = new Store({ db: ${JSON.stringify(path)}, timeoutMs: 20_000 });
            while (Date.now() < ${at});
            await store.write((writer) => writer.run("INSERT INTO store_state (name, value) VALUES ('p${n}', 'test')"));
            await store.close();
          `),
        ),
      ),
    );

    const client = await connect({ kind: "file", path }, 1000);
    const applied = await client.execute("SELECT number FROM schema_migrations ORDER BY number");
    const states = await client.execute("SELECT count(*) AS n FROM store_state WHERE value = 'test'");
    client.close();
    expect(codes).toEqual(Array.from({ length: 10 }, () => 0));
    expect(applied.rows.map((row) => row["number"])).toEqual(migrations.map(({ number }) => number));
    expect(states.rows[0]?.["n"]).toBe(10);
  });

  it.each(
    migrations.flatMap(({ number, statements }) =>
      [0, 1, 5, statements.length - 1].map((after) => ({ number, after })),
    ),
  )("[S6] recovers from a kill inside migration $number after statement $after", async ({ number, after }) => {
    const path = join(temporaryFolder(), "memory.db");
    const victim = await startProgram(`
        import { connect } from ${JSON.stringify(compiled("storage/connect.js"))};
        import { migrate } from ${JSON.stringify(compiled("storage/migrate.js"))};
        import { migrations } from ${JSON.stringify(compiled("storage/migrations.js"))};
        const client = await connect({ kind: "file", path: ${JSON.stringify(path)} }, 5000);
        await migrate(client, migrations.filter((migration) => migration.number < ${number}));
        const transaction = await client.transaction("write");
        for (const sql of migrations.find((migration) => migration.number === ${number}).statements.slice(0, ${after} + 1)) {
          await transaction.execute(sql);
        }
        console.log("inside");
        setTimeout(() => {}, 60_000);
      `);
    victim.kill("SIGKILL");
    await ended(victim);

    const store = new Store({ db: path, timeoutMs: 5000 });
    await store.write(async (writer) => writer.run("INSERT INTO store_state (name, value) VALUES ('alive', 'test')"));
    const check = await store.read(async (reader) => reader.rows("PRAGMA integrity_check"));
    await store.close();

    expect(check[0]?.["integrity_check"]).toBe("ok");
  });
});
