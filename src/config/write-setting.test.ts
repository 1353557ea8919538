import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.js";
import type { SettingName, Settings } from "./config.js";
import { readConfig } from "./read-config.js";
import { defaultSettings, settings } from "./settings.js";
import { writeSetting } from "./write-setting.js";

describe("where there is no file", () => {
  it("setting makes a tacit.config.json that editors know, with its folder", async () => {
    const home = join(temporaryFolder(), "not", "there", "yet");

    const file = await writeSetting({ home }, "user", "maxEntries", "5000");

    expect(file).toBe(join(home, "tacit.config.json"));
    expect(readFileSync(file, "utf8")).toBe(
      '{\n  "$schema": "https://unpkg.com/tacit-memory/tacit.config.schema.json",\n  "maxEntries": 5000\n}\n',
    );
    expect((await readConfig({ home })).settings.maxEntries).toBe(5000);
    expect(readdirSync(home)).toEqual(["tacit.config.json"]);
  });

  it("taking away makes none", async () => {
    const home = temporaryFolder();

    expect(await writeSetting({ home }, "user", "maxEntries", undefined)).toBe(join(home, "tacit.config.json"));
    expect(readdirSync(home)).toEqual([]);
  });

  it("a package.json without tacit is left alone", async () => {
    const { place, root } = projectWith("package.json", '{"name": "tacit"}');

    expect(await writeSetting(place, "project", "enabled", "false")).toBe(join(root, "tacit.config.json"));
    expect(readFileSync(join(root, "package.json"), "utf8")).toBe('{"name": "tacit"}');
  });

  it("a folder that cannot be made is an error that says so, and does not hang", async () => {
    const file = join(temporaryFolder(), "file");
    writeFileSync(file, "");

    const below = writeSetting({ home: join(file, "below") }, "user", "enabled", "true");

    await expect(below).rejects.toMatchObject({ code: "config-unwritable", hint: expect.any(String) });
  });

  it("a folder that nobody can make is an error too", async ({ skip }) => {
    skip(process.platform !== "linux", "only Linux has a /proc, in which nobody can make a folder");

    const nowhere = writeSetting({ home: "/proc/tacit/below" }, "user", "enabled", "true");

    await expect(nowhere).rejects.toMatchObject({ code: "config-unwritable" });
  });
});

describe("where there is one", () => {
  it("the tacit of a package.json is edited in its own layout", async () => {
    const { place, file } = projectWith("package.json", '{\n\t"name": "x",\n\t"tacit": {},\n\t"version": "1.0.0"\n}\n');

    expect(await writeSetting(place, "project", "enabled", "false")).toBe(file);
    await writeSetting(place, "project", "maxEntries", "unlimited");

    expect(readFileSync(file, "utf8")).toBe(
      '{\n\t"name": "x",\n\t"tacit": {\n\t\t"enabled": false,\n\t\t"maxEntries": null\n\t},\n\t"version": "1.0.0"\n}\n',
    );
  });

  it("a package.json that speaks of Tacit and does not parse is named, not passed over", async () => {
    const { place, root } = projectWith("package.json", '{\n"tacit": {\n}');

    await expect(writeSetting(place, "project", "enabled", "false")).rejects.toMatchObject({
      code: "config-invalid",
      message: expect.stringContaining(`${join(root, "package.json")}:3: this is no JSON`),
    });
    expect(readdirSync(root)).toEqual(["package.json"]);
  });

  it("the byte order mark, the line ends and the mode stay", async () => {
    const { place, file } = projectWith("tacit.config.json", '\uFEFF{\r\n  "enabled": true\r\n}\r\n');
    chmodSync(file, 0o640);
    const { mode } = statSync(file);

    await writeSetting(place, "project", "cleanupDays", "7");

    expect(readFileSync(file, "utf8")).toBe('\uFEFF{\r\n  "enabled": true,\r\n  "cleanupDays": 7\r\n}\r\n');
    expect(statSync(file).mode).toBe(mode);
  });

  it("a link stays a link, and the file behind it is changed", async () => {
    const { place, root, file } = projectWith("elsewhere.json", '{ "enabled": true }');
    const link = join(root, "tacit.config.json");
    symlinkSync(file, link);

    expect(await writeSetting(place, "project", "enabled", "false")).toBe(link);

    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(file, "utf8")).toBe('{ "enabled": false }');
  });

  it("nothing is written when nothing changes", async () => {
    const { place, file } = projectWith("tacit.config.yaml", "enabled: true\n");
    const before = statSync(file);

    await writeSetting(place, "project", "enabled", "TRUE");
    await writeSetting(place, "project", "maxEntries", undefined);

    expect(statSync(file).ino).toBe(before.ino);
  });

  it("a wrong value of the setting itself can be put right or taken away", async () => {
    const { place, file } = projectWith("tacit.config.json", '{ "maxEntries": "many", "enabled": true }');

    await writeSetting(place, "project", "maxEntries", "5");
    expect(readFileSync(file, "utf8")).toBe('{ "maxEntries": 5, "enabled": true }');

    writeFileSync(file, '{ "maxEntries": [1, 2] }');
    await writeSetting(place, "project", "maxEntries", undefined);
    expect(readFileSync(file, "utf8")).toBe("{ }");
  });

  it.each([
    ["another value is wrong", '{ "maxEntries": "many" }', "maxEntries must be"],
    ["a key is unknown", '{ "colour": 1 }', "there is no setting"],
    ["the key is there twice", '{ "enabled": 1, "enabled": 2 }', '"enabled" is there twice'],
    ["it does not parse", '{ "enabled": ', "this is no JSON"],
  ])("nothing is written when %s", async (_what, text, message) => {
    const { place, file } = projectWith("tacit.config.json", text);

    await expect(writeSetting(place, "project", "enabled", "true")).rejects.toMatchObject({
      code: "config-invalid",
      message: expect.stringContaining(message),
    });
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  it.each([
    ["? maxEntries\n: 5\n", "maxEntries", undefined, "take maxEntries away"],
    ["maxEntries: !!str 5\n", "maxEntries", "7", "set maxEntries to 7"],
    ["{ maxEntries, enabled: true }\n", "maxEntries", "7", "set maxEntries to 7"],
  ])("YAML that cannot be edited safely is left as it is: %j", async (text, name, value, hint) => {
    const { place, file } = projectWith("tacit.config.yaml", text);

    await expect(writeSetting(place, "project", name, value)).rejects.toMatchObject({
      code: "config-invalid",
      message: `${file} is written in a way that cannot be changed from here.`,
      hint: `Open it and ${hint}.`,
    });
    expect(readFileSync(file, "utf8")).toBe(text);
  });
});

describe("what was typed", () => {
  it.each([
    ["enabled", "true", true],
    ["enabled", " False ", false],
    ["cleanupDays", "0", 0],
    ["cleanupDays", "0.5", 0.5],
    ["cleanupDays", "never", null],
    ["maxEntries", "null", null],
    ["maxEntries", "unlimited", null],
    ["maxEntries", "1", 1],
    ["embeddingProvider", "ollama", "ollama"],
    ["embeddingProvider", "null", null],
    ["embeddingModel", " Qwen/Qwen3-Embedding-0.6B ", "Qwen/Qwen3-Embedding-0.6B"],
    ["embeddingUrl", "http://127.0.0.1:8080/v1", "http://127.0.0.1:8080/v1"],
    ["embeddingKeyVariable", "OPENAI_API_KEY", "OPENAI_API_KEY"],
    ["embeddingDimensions", "512", 512],
    ["rerankTimeoutMs", "500", 500],
  ])("%s %s is %j", async (name, typed, value) => {
    const home = temporaryFolder();

    await writeSetting({ home }, "user", name, typed);

    expect((await readConfig({ home })).settings).toEqual({ ...defaultSettings(), [name]: value });
  });

  it.each([
    ["enabled", "1"],
    ["enabled", "null"],
    ["enabled", "yes"],
    ["cleanupDays", "-1"],
    ["cleanupDays", "1e999"],
    ["cleanupDays", ""],
    ["maxEntries", "0"],
    ["maxEntries", "1.5"],
    ["maxEntries", "many"],
    ["maxEntries", "[5]"],
    ["maxEntries", '"5"'],
    ["maxEntries", "true"],
    ["embeddingProvider", "Voyage"],
    ["embeddingProvider", "unlimited"],
    ["embeddingModel", ""],
    ["languageModelProvider", "null"],
    ["languageModelTimeoutMs", "never"],
  ])("%s %j is refused, with what it may be", async (name, typed) => {
    const home = temporaryFolder();

    await expect(writeSetting({ home }, "user", name, typed)).rejects.toMatchObject({
      code: "invalid-input",
      message: expect.stringMatching(`^${name} must be .*; .* is not\\.$`),
    });
    expect(readdirSync(home)).toEqual([]);
  });

  it.each([
    ["embeddingUrl", "https://me:hunter2@example.com"],
    ["embeddingKeyVariable", "sk-hunter2"],
  ])("%s %j is refused without being repeated", async (name, typed) => {
    const refused = writeSetting({ home: temporaryFolder() }, "user", name, typed);

    await expect(refused).rejects.toMatchObject({
      code: "invalid-input",
      message: expect.not.stringContaining("hunter2"),
    });
  });

  it("what is the user's alone is refused for a project, and can be taken out of its file", async () => {
    const text = '{ "enabled": true, "embeddingProvider": "openai" }';
    const { place, file } = projectWith("tacit.config.json", text);

    await expect(writeSetting(place, "project", "embeddingProvider", "ollama")).rejects.toMatchObject({
      code: "config-invalid",
      message: expect.stringContaining("embeddingProvider is the user's alone to set"),
      hint: expect.stringContaining("tacit config set embeddingProvider"),
    });
    await expect(writeSetting(place, "project", "enabled", "false")).rejects.toMatchObject({ code: "config-invalid" });
    expect(readFileSync(file, "utf8")).toBe(text);

    await writeSetting(place, "project", "embeddingProvider", undefined);
    expect(readFileSync(file, "utf8")).toBe('{ "enabled": true }');
  });

  it("a setting that there is not is refused, with the nearest, and so is a project without a folder", async () => {
    const home = temporaryFolder();

    await expect(writeSetting({ home }, "user", "maxEntrys", "5")).rejects.toMatchObject({
      code: "invalid-input",
      message: 'There is no setting "maxEntrys".',
      hint: expect.stringContaining("Did you mean maxEntries?"),
    });
    await expect(writeSetting({ home }, "user", "$schema", undefined)).rejects.toMatchObject({ code: "invalid-input" });
    await expect(writeSetting({ home }, "project", "enabled", "true")).rejects.toMatchObject({ code: "invalid-input" });
  });
});

describe("any sequence of setting and taking away", () => {
  const modelName = fc.option(fc.constantFrom("qwen3-embedding:8b", "Qwen/Qwen3-Reranker-0.6B", "a@b+c"));
  const url = fc.option(fc.constantFrom("http://127.0.0.1:11434", "https://models.example.com/v1/"));
  const variable = fc.option(fc.constantFrom("OPENAI_API_KEY", "_"));
  const timeoutMs = fc.integer({ min: 100, max: 600_000 });
  const value: Record<SettingName, fc.Arbitrary<Settings[SettingName]>> = {
    enabled: fc.boolean(),
    autoInject: fc.boolean(),
    injectionConfidence: fc.double({ min: 0, max: 1, noNaN: true }).map(Math.abs),
    sessionMapTokens: fc.integer({ min: 0, max: 2000 }),
    cleanupDays: fc.option(fc.double({ min: 0, max: 1e6, noNaN: true }).map(Math.abs)),
    sessionType: fc.constantFrom("build", "terminal", "spec"),
    maxEntries: fc.option(fc.integer({ min: 1 })),
    ignore: fc.record({
      paths: fc.uniqueArray(fc.constantFrom("secrets/**", "*.pem", '!a "b"', "# c: [d]")),
      commands: fc.uniqueArray(fc.constantFrom("vault *", "op item get ?*")),
      projects: fc.uniqueArray(fc.constantFrom("~/clients/*", "github.com/acme/*")),
    }),
    embeddingProvider: fc.constantFrom("bundled", "openai-compatible", "none", null),
    embeddingModel: modelName,
    embeddingUrl: url,
    embeddingDimensions: fc.option(fc.constantFrom(64, 1024)),
    embeddingKeyVariable: variable,
    languageModelProvider: fc.constantFrom("none", "ollama"),
    languageModel: modelName,
    languageModelUrl: url,
    languageModelKeyVariable: variable,
    languageModelTimeoutMs: timeoutMs,
    languageModelCalls: fc.nat(),
    keepTurns: fc.boolean(),
    windowTurns: fc.integer({ min: 1, max: 100 }),
    memoryWindow: fc.integer({ min: 1, max: 1000 }),
    keepCount: fc.nat(),
    consolidationTimeout: fc.integer({ min: 1, max: 600_000 }),
    maxMemorySize: fc.integer({ min: 512, max: 1_048_576 }),
    memoryFolder: fc.constantFrom(null, "memory", "/srv/memory"),
    rerankProvider: fc.constantFrom("none", "endpoint"),
    rerankModel: modelName,
    rerankUrl: url,
    rerankKeyVariable: variable,
    rerankTimeoutMs: timeoutMs,
  };
  const changeOf = (names: SettingName[]) =>
    fc.constantFrom(...names).chain((name) => fc.tuple(fc.constant(name), fc.option(value[name], { nil: undefined })));
  const change = {
    user: changeOf(settings.map(({ name }) => name)),
    project: changeOf(settings.filter(({ isUsersAlone }) => !isUsersAlone).map(({ name }) => name)),
  };

  it.each<[string, string, Partial<Settings>]>([
    [
      "tacit.config.jsonc",
      '// remark 1\n{\n  // remark 2\n  "enabled": true, // remark 3\n  /* remark 4 */ "maxEntries": 5 // remark 5\n  // remark 6\n}\n// remark 7\n',
      { enabled: true, maxEntries: 5 },
    ],
    ["tacit.config.json", '{ /* remark 1 */ "cleanupDays": 1, /* remark 2 */ }', { cleanupDays: 1 }],
    [
      "tacit.config.yaml",
      "# remark 1\n\n# remark 2\nenabled: true # remark 3\n# remark 4\nmaxEntries:   5\n\n# remark 5\n",
      { enabled: true, maxEntries: 5 },
    ],
    [
      "tacit.config.yml",
      "# remark 1\n{ enabled: true, # remark 2\n  maxEntries: 5 } # remark 3\n",
      { enabled: true, maxEntries: 5 },
    ],
    [
      "package.json",
      '{ "name": "remark 1", "tacit": { "enabled": true }, "description": "remark 2" }',
      { enabled: true },
    ],
  ])("keeps the comments of a %s, and reads back as a plain object would", async (name, text, initial) => {
    const { place, root, file } = projectWith(name, text);
    // A package.json is no user's file.
    for (const owner of name === "package.json" ? (["project"] as const) : (["project", "user"] as const)) {
      const where = owner === "user" ? { home: root } : place;

      await fc.assert(
        fc.asyncProperty(fc.array(change[owner], { maxLength: 12 }), async (changes) => {
          writeFileSync(file, text);
          const model = new Map<string, unknown>(Object.entries(initial));

          for (const [each, to] of changes) {
            const typed = typeof to === "string" ? to : JSON.stringify(to);
            await writeSetting(where, owner, each, to === undefined ? undefined : typed);
            if (to === undefined) model.delete(each);
            else model.set(each, to);

            const config = await readConfig(where);
            expect(config.settings).toEqual({ ...defaultSettings(), ...Object.fromEntries(model) });
            expect(settings.filter((setting) => config.origins[setting.name] === owner)).toHaveLength(model.size);
            expect(readFileSync(file, "utf8").match(/remark \d/g)).toEqual(text.match(/remark \d/g));
          }
        }),
        { numRuns: 25 },
      );
    }
    expect(readdirSync(root)).toEqual([name]);
  });
});

/** A project whose root holds one file. */
function projectWith(
  name: string,
  text: string,
): { place: { home: string; root: string }; root: string; file: string } {
  const folder = temporaryFolder();
  const root = join(folder, "project");
  mkdirSync(root);
  writeFileSync(join(root, name), text);
  return { place: { home: join(folder, "home"), root }, root, file: join(root, name) };
}
