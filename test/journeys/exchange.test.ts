import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import type { TacitMemory } from "../../src/index.js";
import { openTestMemory } from "../support/open-memories.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { openFile, contentsOf } from "../support/exchange-files.js";

describe("memories that travel", () => {
  it("[E2] have a file each, even where their short ids are the same", async () => {
    const memory = await openFile();
    const folder = temporaryFolder();
    const ids = ["0193a0c2-1111-7abc-8def-0123456789ab", "0193a0c2-2222-7abc-8def-0123456789ab"];
    const lines = ids.map((id) => JSON.stringify({ id, content: `I am ${id}` }));
    writeFileSync(join(folder, "memories.jsonl"), lines.join("\n"));
    await memory.exchange.import(join(folder, "memories.jsonl"));

    await memory.exchange.export({ format: "md", output: join(folder, "notes") });

    expect(Object.keys(contentsOf(join(folder, "notes")))).toEqual([`${ids[1]}.md`, "note-456789ab.md"]);
  });

  it("[E1] keep their history: a change can be undone where they arrive", async () => {
    const [here, there] = [await openFile(), await openFile()];
    await here.remember({ content: "Port 8080", name: "port" });
    await here.revise("port", { content: "Port 9090" });
    const file = join(temporaryFolder(), "memories.jsonl");
    await here.exchange.export({ format: "jsonl", output: file });

    await there.exchange.import(file);
    await there.undo("port");

    expect(await there.get("port")).toMatchObject({ content: "Port 8080" });
    expect((await there.recall("8080"))[0]?.memory.name).toBe("port");
  });

  it("[E7] arrive once, however often they are imported", async () => {
    const memory = await openFile();
    const file = join(temporaryFolder(), "memories.jsonl");
    writeFileSync(file, ['{"content":"first"}', '{"content":"second","name":"two","tags":["a"]}', ""].join("\n"));

    const once = await memory.exchange.import(file);
    const before = await exported(memory);
    const twice = await memory.exchange.import(file);

    expect(once).toMatchObject({ kinds: ["jsonl"], added: 2 });
    expect(twice).toMatchObject({ added: 0, updated: 0, unchanged: 2 });
    expect(await exported(memory)).toBe(before);
  });

  it("[E7] do not overwrite what was changed here since", async () => {
    const memory = await openFile();
    await memory.remember({ content: "Port 8080", name: "port" });
    const file = join(temporaryFolder(), "memories.jsonl");
    await memory.exchange.export({ format: "jsonl", output: file });
    await memory.revise("port", { content: "Port 9090" });

    await memory.exchange.import(file);

    expect(await memory.get("port")).toMatchObject({ content: "Port 9090" });
  });

  it("[E7] do not bring back what was forgotten here, nor the old text of what was edited, though they have no ids", async () => {
    const memory = await openFile();
    const folder = temporaryFolder();
    const rules = join(folder, "CLAUDE.md");
    const lines = join(folder, "memories.jsonl");
    writeFileSync(rules, "# Rules\n\n- Use tabs in Makefiles\n- Never push on Fridays\n");
    writeFileSync(lines, '{"content":"The port is 8080"}\n{"content":"The host is alpha","tags":["net"]}\n');
    await memory.exchange.import(rules);
    await memory.exchange.import(lines);
    const idOf = async (content: string) => (await memory.list()).find((one) => one.content === content)?.id ?? "";
    await memory.forget(await idOf("Use tabs in Makefiles"));
    await memory.forget(await idOf("The port is 8080"));
    await memory.revise(await idOf("Never push on Fridays"), { content: "Push whenever" });
    await memory.revise(await idOf("The host is alpha"), { content: "The host is beta" });
    const before = await exported(memory);

    writeFileSync(rules, "# Rules\n\n## Habits\n\n- Use tabs in Makefiles\n- Never push on Fridays\n");
    const again = [await memory.exchange.import(rules), await memory.exchange.import(lines)];

    expect(again).toMatchObject([
      { added: 0, merged: 0, updated: 0, unchanged: 2 },
      { added: 0, merged: 0, updated: 0, unchanged: 2 },
    ]);
    expect(await exported(memory)).toBe(before);
  });

  it("[E7] lose nothing where two without an id have one text", async () => {
    const memory = await openFile();
    await memory.remember({ content: "known", tags: ["old"] });
    const file = join(temporaryFolder(), "memories.jsonl");
    const lines = [
      { content: "same", name: "one" },
      { content: "same", name: "two" },
      { content: "known", tags: ["new"] },
      { content: "said", type: "conversation" },
      { content: "said", type: "conversation" },
    ];
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));

    expect(await memory.exchange.import(file)).toMatchObject({ added: 4, merged: 1 });
    expect((await memory.get("one"))?.content).toBe("same");
    expect((await memory.get("two"))?.content).toBe("same");
    expect((await memory.list()).find(({ content }) => content === "known")?.tags).toEqual(["old", "new"]);
  });

  it("[E6] get ids that do not give away the secrets that were taken out of them", async () => {
    const [memory, other] = [await openFile(), await openFile()];
    const folder = temporaryFolder();
    const importing = async (into: TacitMemory, secret: string) => {
      const file = join(folder, `${secret}.jsonl`);
      writeFileSync(file, JSON.stringify({ content: `log in with password=${secret}` }));
      await into.exchange.import(file);
      return (await into.list())[0]?.id;
    };

    expect(await importing(memory, "hunter2hunter2")).toBe(await importing(other, "swordfish99"));
  });

  it("[E6] push out what is beyond maxEntries at once, and tell", async () => {
    const directory = temporaryFolder();
    const db = join(temporaryFolder(), "memory.db");
    const memory = await openTestMemory({ db, directory, project: undefined });
    await memory.projects.configure("project", "maxEntries", "3");
    const file = join(directory, "memories.jsonl");
    writeFileSync(file, Array.from({ length: 5 }, (_, n) => `{"content":"number ${n}"}\n`).join(""));

    const tried = await memory.exchange.import(file, { dryRun: true });
    const report = await memory.exchange.import(file);
    const again = await memory.exchange.import(file);

    expect(tried).not.toHaveProperty("evicted");
    expect(report).toMatchObject({ added: 5 });
    expect(report.evicted).toHaveLength(2);
    expect(report.evicted?.[0]).toMatchObject({ status: "forgotten", forgottenReason: "evicted" });
    expect(await memory.list()).toHaveLength(3);
    expect(again).toMatchObject({ added: 0, unchanged: 5 });
    expect(again).not.toHaveProperty("evicted");
  });

  it.each([
    ["a line that is no JSON", "{nonsense", /memories\.jsonl:2/],
    ["a field that is not known", '{"content":"x","colour":"red"}', /memories\.jsonl:2.*colour/s],
    ["a value of the wrong kind", '{"content":"x","tags":"a"}', /memories\.jsonl:2.*tags/s],
    ["a name that is taken", '{"content":"x","name":"taken"}', /memories\.jsonl:2.*taken/s],
    ["no text", '{"content":"  "}', /memories\.jsonl:2/],
  ])("[E6] are taken in all or none: %s is told with its line", async (_what, line, message) => {
    const memory = await openFile();
    await memory.remember({ content: "mine", name: "taken" });
    const file = join(temporaryFolder(), "memories.jsonl");
    writeFileSync(file, `{"content":"fine"}\n${line}\n{"content":"also fine"}\n`);

    await expect(memory.exchange.import(file)).rejects.toMatchObject({
      code: "import-refused",
      message: expect.stringMatching(message),
      hint: expect.any(String),
    });
    expect(await memory.list()).toHaveLength(1);
  });

  it("[E6] tell what would happen, and nothing happens", async () => {
    const memory = await openFile();
    const file = join(temporaryFolder(), "memories.jsonl");
    writeFileSync(file, '{"content":"first"}\n');

    expect(await memory.exchange.import(file, { dryRun: true })).toMatchObject({ added: 1 });
    expect(await memory.list()).toEqual([]);
  });

  it("[E6] have their secrets taken out on the way in", async () => {
    const memory = await openFile();
    const key = ["AKIA", "QYLPMN5HFIQR7XYZ"].join("");
    const file = join(temporaryFolder(), "memories.jsonl");
    writeFileSync(file, JSON.stringify({ content: `the key is ${key}`, metadata: { note: key } }));

    await memory.exchange.import(file);

    const [kept] = await memory.list();
    expect(JSON.stringify(kept)).not.toContain(key);
    expect(kept?.trustFlags).toContain("secret-redacted");
  });

  it("[E5] are recognised by what is in the file, from a stream too", async () => {
    const memory = await openFile();
    const odd = join(temporaryFolder(), "odd.txt");
    writeFileSync(odd, '{"content":"a line of JSON in a text file"}\n');

    expect(await memory.exchange.import(odd)).toMatchObject({ kinds: ["jsonl"], added: 1 });
    expect(await memory.exchange.import(Readable.from([Buffer.from('{"content":"through a pipe"}\n')]))).toMatchObject({
      added: 1,
    });
    writeFileSync(odd, Buffer.from([0, 1, 2, 3, 255]));
    await expect(memory.exchange.import(odd)).rejects.toMatchObject({ code: "import-refused" });
  });

  it("[E3] come from the rules of agents as typed memories, and go back as a section that leaves the rest alone", async () => {
    const memory = await openFile();
    const folder = temporaryFolder();
    mkdirSync(join(folder, ".cursor/rules"), { recursive: true });
    writeFileSync(join(folder, "CLAUDE.md"), "# Rules\n\n- Use pnpm\n\n## Gotchas\n\n- `src/http.ts` retries twice\n");
    writeFileSync(join(folder, "README.md"), "# Not a rule\n\nText\n");
    writeFileSync(join(folder, ".cursor/rules/style.mdc"), "---\nglobs: *.ts\n---\n\n- Prefer const\n");

    const report = await memory.exchange.import(folder);

    expect(report).toMatchObject({ kinds: ["rules"], files: 2 });
    expect((await memory.recall("pnpm"))[0]?.memory.type).toBe("convention");
    expect((await memory.recall("retries"))[0]?.memory).toMatchObject({
      type: "gotcha",
      relatedFiles: ["src/http.ts"],
    });
    expect(await memory.recall("Not a rule Text")).toEqual([]);

    const agents = join(folder, "AGENTS.md");
    writeFileSync(agents, "# Mine\n\nstays\n");
    await memory.exchange.export({ format: "claude-md", output: agents });
    const once = readFileSync(agents, "utf8");
    await memory.exchange.export({ format: "claude-md", output: agents });

    const claude = join(folder, "CLAUDE.md");
    const before = readFileSync(claude, "utf8");
    await memory.exchange.export({ format: "claude-md", output: claude, type: "convention" });
    expect(readFileSync(claude, "utf8").split("Use pnpm")).toHaveLength(2);
    expect(readFileSync(claude, "utf8")).toContain(before.trimEnd());
    expect(once).toContain("# Mine\n\nstays\n");
    expect(once).toContain("Use pnpm");
    expect(readFileSync(agents, "utf8")).toBe(once);
  });

  it("[E4] come from the memory.json of an opencode plugin, with what is global in the project user", async () => {
    const db = join(temporaryFolder(), "memory.db");
    const [memory, user] = [await openTestMemory({ db }), await openTestMemory({ db, project: "user" })];
    const file = join(temporaryFolder(), "memory.json");
    const common = { type: "preference", createdAt: "2025-01-02T03:04:05.000Z", accessCount: 3 };
    const entry = (id: string, content: string, metadata: object) => ({ id, content, metadata, ...common });
    const memories = [
      entry("mem_1", "Use TypeScript", { scope: "project", confidence: 0, tags: ["ts"] }),
      entry("mem_2", "Answer in German", { scope: "global" }),
    ];
    writeFileSync(file, JSON.stringify({ version: 1, updatedAt: "2025-01-02T03:04:05.000Z", memories }));

    expect(await memory.exchange.import(file)).toMatchObject({ kinds: ["memory-json"], added: 2 });
    expect(await memory.exchange.import(file)).toMatchObject({ added: 0, unchanged: 2 });
    expect(await memory.list()).toMatchObject([{ content: "Use TypeScript", scope: "global", confidence: 0 }]);
    expect(await user.list()).toMatchObject([{ content: "Answer in German", createdAt: "2025-01-02T03:04:05.000Z" }]);
    expect((await memory.recall("german"))[0]?.memory.project).toBe("user");
  });

  it("[E1] are not written over a file that Tacit did not write", async () => {
    const memory = await openFile();
    await memory.remember({ content: "x" });
    const folder = temporaryFolder();
    const file = join(folder, "precious.ts");
    writeFileSync(file, "precious");

    await expect(memory.exchange.export({ format: "jsonl", output: file })).rejects.toMatchObject({
      code: "export-refused",
    });
    await expect(memory.exchange.export({ format: "md", output: folder })).rejects.toMatchObject({
      code: "export-refused",
    });
    expect(readFileSync(file, "utf8")).toBe("precious");
  });

  it("[E1] [E2] are for their owner only where they are written, and blame the path that cannot be", async () => {
    const memory = await openFile();
    await memory.remember({ content: "x" });
    const folder = temporaryFolder();
    const [file, lines, notes] = [join(folder, "file"), join(folder, "new/x.jsonl"), join(folder, "notes")];
    writeFileSync(file, "mine");

    await memory.exchange.export({ format: "jsonl", output: lines });
    await memory.exchange.export({ format: "md", output: notes });

    const inside = readdirSync(notes).map((name) => join(notes, name));
    expect([lines, ...inside].map(modeOf)).toEqual([0o600, 0o600]);
    expect([join(folder, "new"), notes].map(modeOf)).toEqual([0o700, 0o700]);
    for (const [format, output, code] of [
      ["md", file, "ENOTDIR"],
      ["md", join(file, "below"), "ENOTDIR"],
      ["jsonl", join(file, "below.jsonl"), "ENOTDIR"],
      ["claude-md", join(file, "CLAUDE.md"), "ENOTDIR"],
    ] as const) {
      await expect(memory.exchange.export({ format, output })).rejects.toMatchObject({
        code: "export-refused",
        message: expect.stringMatching(new RegExp(`${basename(output)} cannot be written \\(${code}\\)`)),
      });
    }
    await expect(memory.exchange.archive(file)).rejects.toMatchObject({ code: "export-refused" });
    expect(readFileSync(file, "utf8")).toBe("mine");
  });

  it("[E12] fill an archive: a database of their own, JSON Lines and Markdown", async () => {
    const memory = await openFile();
    await memory.remember({ content: "Port 8080", name: "port" });
    await memory.remember({ content: "gone", name: "gone" });
    await memory.forget("gone");
    const folder = join(temporaryFolder(), "archive");

    const report = await memory.exchange.archive(folder);

    const { id = "" } = await memory.projects.current();
    const alone = join(temporaryFolder(), "memory.db");
    copyFileSync(join(folder, "memory.db"), alone);
    const copy = await openTestMemory({ db: alone, project: id });
    expect(report).toMatchObject({ format: "archive", memories: 2 });
    expect(await exported(copy)).toBe(await exported(memory));
    expect(readdirSync(folder).toSorted()).toEqual(["README.md", "memories", "memories.jsonl", "memory.db"]);
    expect(readdirSync(join(folder, "memories"))).toHaveLength(2);
    expect(
      readdirSync(folder)
        .toSorted()
        .map((name) => modeOf(join(folder, name))),
    ).toEqual([0o600, 0o700, 0o600, 0o600]);
    await expect(memory.exchange.archive(folder)).rejects.toMatchObject({ code: "export-refused" });
  });

  it("[E12] fill an archive where there are none yet", async () => {
    const memory = await openFile();
    const folder = join(temporaryFolder(), "archive");

    expect(await memory.exchange.archive(folder)).toMatchObject({ memories: 0 });
    expect(await (await openTestMemory({ db: join(folder, "memory.db") })).list()).toEqual([]);
  });
});

function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}

async function exported(memory: TacitMemory): Promise<string> {
  const file = join(temporaryFolder(), "export.jsonl");
  await memory.exchange.export({ format: "jsonl", output: file });
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}
