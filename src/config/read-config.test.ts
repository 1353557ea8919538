import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.js";
import { MemoryError } from "../base/memory-error.js";
import { readConfig } from "./read-config.js";
import { defaultSettings, settings as allSettings } from "./settings.js";

const defaults = defaultSettings();

describe("where nothing is set", () => {
  it("the defaults are in force, and nothing is read", async () => {
    const { home, root } = placeWith({}, {});

    expect(await readConfig({ home, root })).toEqual({
      settings: defaults,
      origins: Object.fromEntries(allSettings.map(({ name }) => [name, "default"])),
      files: {},
      paths: { user: join(home, "tacit.config.json"), project: join(root, "tacit.config.json") },
    });
  });

  it("the defaults ask no model that is not part of Tacit", () => {
    expect(defaults).toMatchObject({
      enabled: true,
      autoInject: true,
      cleanupDays: 90,
      maxEntries: null,
      embeddingProvider: null,
      languageModelProvider: "none",
      rerankProvider: "none",
    });
  });

  it("folders that do not exist, or are files, have no configuration", async () => {
    const { home } = placeWith({ "a-file": "" }, {});

    expect((await readConfig({ home: join(home, "none"), root: join(home, "a-file") })).settings).toEqual(defaults);
  });

  it("there is no project file without a root", async () => {
    const { home } = placeWith({ "tacit.config.json": '{"maxEntries": 5}' }, {});

    const config = await readConfig({ home });

    expect(config.files).toEqual({ user: join(home, "tacit.config.json") });
    expect(config.paths).toEqual({ user: join(home, "tacit.config.json") });
    expect(config.settings.maxEntries).toBe(5);
  });
});

describe("precedence", () => {
  it("the project's setting counts before the user's, one by one, null included", async () => {
    const { home, root } = placeWith(
      { "tacit.config.json": '{"enabled": false, "maxEntries": 500, "cleanupDays": 7}' },
      { "tacit.config.yaml": "maxEntries: null\ncleanupDays: 0\n" },
    );

    const { settings, origins, files } = await readConfig({ home, root });

    expect(settings).toEqual({ ...defaults, enabled: false, cleanupDays: 0, maxEntries: null });
    expect(origins).toMatchObject({
      enabled: "user",
      autoInject: "default",
      cleanupDays: "project",
      maxEntries: "project",
    });
    expect(files).toEqual({ user: join(home, "tacit.config.json"), project: join(root, "tacit.config.yaml") });
  });

  it("a tacit.config.* counts before package.json, which is then not looked at", async () => {
    const { home, root } = placeWith(
      {},
      { "tacit.config.json": '{"maxEntries": 5}', "package.json": '{"tacit": {"maxEntries": "many", "enabled": 0}}' },
    );

    expect(await readConfig({ home, root })).toMatchObject({
      settings: { ...defaults, maxEntries: 5 },
      files: { project: join(root, "tacit.config.json") },
    });
  });

  it("package.json counts in a project, not in the user's folder", async () => {
    const { home, root } = placeWith(
      { "package.json": '{"tacit": {"enabled": false}}' },
      { "package.json": '{"name": "x", "tacit": {"autoInject": false}}' },
    );

    expect(await readConfig({ home, root })).toMatchObject({
      settings: { ...defaults, autoInject: false },
      files: { project: join(root, "package.json") },
    });
  });
});

describe("formats", () => {
  it.each([
    ["tacit.config.json", '{\n  // a comment\n  "maxEntries": 5, /* another */\n}\n'],
    ["tacit.config.jsonc", '{ "$schema": "./any.json", "maxEntries": 5 }'],
    ["tacit.config.json", '\uFEFF{"maxEntries": 5}'],
    ["tacit.config.json", '{\r\n\t"maxEntries": 5\r\n}'],
    ["tacit.config.yaml", "# a comment\nmaxEntries: 5 # another\n"],
    ["tacit.config.yml", "---\nmaxEntries: 5\n...\n"],
    ["tacit.config.yaml", "\uFEFFmaxEntries: 5"],
    ["tacit.config.yaml", '{"maxEntries": 5}'],
    ["package.json", '\uFEFF{"tacit": {"$schema": "x", "maxEntries": 5}}'],
  ])("%s may say %j", async (name, text) => {
    const { home, root } = placeWith({}, { [name]: text });

    expect((await readConfig({ home, root })).settings).toEqual({ ...defaults, maxEntries: 5 });
  });

  it.each([
    ["tacit.config.json", "{}"],
    ["tacit.config.yaml", ""],
    ["tacit.config.yaml", "# maxEntries: 5\n"],
  ])("%s may set nothing at all with %j", async (name, text) => {
    const { home, root } = placeWith({}, { [name]: text });

    const { settings, files } = await readConfig({ home, root });

    expect(settings).toEqual(defaults);
    expect(files.project).toBe(join(root, name));
  });

  it.each(["js", "ts", "mjs", "cjs", "mts", "cts", "jsx", "tsx"])("a program is never run: .%s", async (extension) => {
    const name = `tacit.config.${extension}`;
    const { home, root } = placeWith({}, { [name]: "throw new Error('this was run')" });

    const error = await refusalOf(readConfig({ home, root }));

    expect(error.message).toMatch(`${name} is not read: Tacit runs by itself in every clone`);
    expect(error.message).toMatch("use tacit.config.json");
  });

  it.each(["tacit.config.toml", "tacit.config.ini", "tacit.config.JSON", "tacit.config"])(
    "%s is named, not passed over",
    async (name) => {
      const { home, root } = placeWith({ [name]: "" }, {});

      const error = await refusalOf(readConfig({ home, root }));

      expect(error.message).toMatch(`${name} is not read: the formats are .json, .jsonc, .yaml, .yml`);
      expect(error.hint).toMatch(join(home, name));
    },
  );

  it.each(["tacit.config.schema.json", "tacit.config.json.orig", "tacit.config.json~", ".tacit.config.json.x.part"])(
    "%s is another file",
    async (name) => {
      const { home, root } = placeWith({ [name]: "nonsense" }, {});

      expect((await readConfig({ home, root })).files).toEqual({});
    },
  );

  it("two side by side are an error that names both", async () => {
    const { home, root } = placeWith({}, { "tacit.config.yaml": "", "tacit.config.json": "{}" });

    const error = await refusalOf(readConfig({ home, root }));

    expect(error.message).toMatch(`${root} has both tacit.config.json and tacit.config.yaml`);
  });
});

describe("a file that is not in order", () => {
  it.each([
    [
      "tacit.config.json",
      '{\n\n\n  "maxEntries": "many"\n}',
      ':4: maxEntries must be a whole number from 1, or null; it is "many".',
    ],
    [
      "tacit.config.yaml",
      "enabled: true\nmaxEntries: 0\n",
      ":2: maxEntries must be a whole number from 1, or null; it is 0.",
    ],
    ["tacit.config.yaml", "maxEntries: 1.5", ":1: maxEntries must be a whole number"],
    ["tacit.config.json", '{"maxEntries": 9007199254740993}', ":1: maxEntries must be a whole number"],
    ["tacit.config.json", '{"cleanupDays": -1}', ":1: cleanupDays must be a number from 0, or null; it is -1."],
    ["tacit.config.yaml", "cleanupDays: .inf", "; it is Infinity."],
    ["tacit.config.yaml", "cleanupDays: .nan", "; it is NaN."],
    ["tacit.config.json", '{"enabled": "true"}', ':1: enabled must be true or false; it is "true".'],
    ["tacit.config.json", '{"enabled": null}', "; it is null."],
    ["tacit.config.json", '{"enabled": 1}', "; it is 1."],
    ["tacit.config.json", '{"maxEntries": [1]}', "; it is a list."],
    [
      "tacit.config.yaml",
      "maxEntries:\n  most: 5\n",
      ":2: maxEntries must be a whole number from 1, or null; it is an object.",
    ],
    ["tacit.config.yaml", "enabled: &on true\nautoInject: *on\n", ":2: aliases are not read."],
    ["tacit.config.json", '{\n  "max_entries": 5}', ':2: there is no setting "max_entries".'],
    ["tacit.config.yaml", "1: 2\n", ':1: there is no setting "1".'],
    ["tacit.config.json", '{"__proto__": {"enabled": false}}', ':1: there is no setting "__proto__".'],
    [
      "tacit.config.json",
      '{"enabled": true,\r\n"autoInject": true,\r\n"enabled": false}',
      ':3: "enabled" is there twice.',
    ],
    ["tacit.config.yaml", "enabled: true\nenabled: true\n", ':2: "enabled" is there twice.'],
    ["tacit.config.json", '{\n  "enabled": true\n  "autoInject": true\n}', ":3: this is no JSON: comma expected."],
    ["tacit.config.json", '{"enabled": true', ":1: this is no JSON: close brace expected."],
    ["tacit.config.json", "", ":1: this is no JSON: value expected."],
    ["tacit.config.yaml", "enabled: true\n  autoInject: true\n", ":1: this is no YAML: "],
    ["tacit.config.yaml", "enabled: true\n---\nenabled: false\n", ":2: this is no YAML: "],
    ["tacit.config.json", "[]", ":1: the file must be an object."],
    ["tacit.config.json", "\n5", ":2: the file must be an object."],
    ["tacit.config.yaml", "enabled", ":1: the file must be an object."],
    ["package.json", '{\n"tacit": true}', ":2: tacit must be an object."],
    ["package.json", '{"tacit": {},\n"tacit": {}}', ':2: "tacit" is there twice.'],
    ["package.json", '{"name": "x",\n"tacit": {\n"enabled": 5}}', ":3: enabled must be true or false; it is 5."],
  ])("%s with %j", async (name, text, expected) => {
    const { home, root } = placeWith({}, { [name]: text });

    const error = await refusalOf(readConfig({ home, root }));

    expect(error.message).toMatch(`${join(root, name)}:`);
    expect(error.message).toContain(expected);
    expect(error.hint).not.toBe("");
  });

  it.each([
    ["maxEntrys", "maxEntries"],
    ["max-entries", "maxEntries"],
    ["Enabled", "enabled"],
    ["autoInjection", "autoInject"],
    ["cleanup", "cleanupDays"],
  ])("with the key %s means %s", async (key, meant) => {
    const { home, root } = placeWith({}, { "tacit.config.json": JSON.stringify({ [key]: 5 }) });

    expect((await refusalOf(readConfig({ home, root }))).hint).toMatch(`Did you mean ${meant}?`);
  });

  it("is not guessed at where no setting is near", async () => {
    const { home, root } = placeWith({}, { "tacit.config.json": '{"colour": 5}' });

    expect((await refusalOf(readConfig({ home, root }))).hint).toMatch(
      /^The settings are enabled, autoInject, cleanupDays, maxEntries, .*rerankTimeoutMs\.$/,
    );
  });

  it("is quoted in brief, whatever was pasted into it", async () => {
    const secret = `${"x".repeat(60)}-the-secret-end`;
    const { home, root } = placeWith({}, { "tacit.config.json": JSON.stringify({ enabled: secret }) });

    const { message } = await refusalOf(readConfig({ home, root }));

    expect(message).toMatch(`it is "${"x".repeat(40)}…"`);
    expect(message).not.toMatch("secret-end");
  });

  it.each([
    ["tacit.config.yaml", `ignore: ${"[".repeat(20_000)}${"]".repeat(20_000)}`],
    ["tacit.config.yaml", `enabled: ${"{a: ".repeat(65)}1${"}".repeat(65)}`],
    ["tacit.config.yaml", `ignore:\n  ${"- ".repeat(10_000)}a`],
    ["tacit.config.yaml", Array.from({ length: 70 }, (_, at) => `${" ".repeat(at)}a:`).join("\n")],
    ["tacit.config.json", `{"ignore": ${"[".repeat(65)}${"]".repeat(65)}}`],
  ])("[TR84] is refused before it is parsed when it is nested deeper than any setting: %s", async (name, text) => {
    const place = placeWith({}, { [name]: text });

    expect((await refusalOf(readConfig(place))).message).toContain("nested more than 64 levels deep");
  });

  it.each([
    ["tacit.config.yaml", `ignore: [${"a,".repeat(40_000)}a]`],
    ["tacit.config.json", `{"ignore": [${'"a",'.repeat(40_000)}"a"]}`],
  ])("[TR84] is refused before it is parsed when it is larger than 64 KiB: %s", async (name, text) => {
    const place = placeWith({}, { [name]: text });

    expect((await refusalOf(readConfig(place))).message).toContain(`${name}:1: the file is larger than 64 KiB`);
  });

  it("is refused when it is larger than 1 MiB, or no UTF-8", async () => {
    const large = placeWith({}, { "tacit.config.json": `{}${" ".repeat(1024 * 1024)}` });
    const wide = placeWith({}, { "tacit.config.json": Buffer.from("\uFEFF{}", "utf16le") });

    expect((await refusalOf(readConfig(large))).message).toMatch("is larger than 1 MiB");
    expect((await refusalOf(readConfig(wide))).message).toMatch("is not UTF-8 text");
  });

  it("is refused when it cannot be read or is a folder", async () => {
    const [link, folder] = [placeWith({}, {}), placeWith({}, {})];
    symlinkSync(join(link.root, "nothing"), join(link.root, "tacit.config.json"));
    mkdirSync(join(folder.root, "tacit.config.json"));

    expect((await refusalOf(readConfig(link))).message).toMatch("cannot be read (ENOENT)");
    expect((await refusalOf(readConfig(folder))).message).toMatch("is no file");
  });

  it("is refused when it is a pipe, and never waited for", async ({ skip }) => {
    skip(process.platform === "win32", "Windows has no pipes in folders");
    const pipe = placeWith({}, {});
    execFileSync("mkfifo", [join(pipe.root, "tacit.config.json")]);

    expect((await refusalOf(readConfig(pipe))).message).toMatch("is no file");
  });
});

describe("what is the user's alone", () => {
  const own = allSettings.filter(({ isUsersAlone }) => isUsersAlone);

  it("is every setting about models, and where files are written", () => {
    const aboutModels = allSettings.filter(({ name }) => /^(?:embedding|languageModel|rerank|memoryFolder)/.test(name));

    expect(own).toEqual(aboutModels);
    expect(own).toHaveLength(17);
  });

  it.each(own)("$name counts in the user's file", async ({ name, default: value }) => {
    const { home, root } = placeWith({ "tacit.config.json": JSON.stringify({ [name]: value }) }, {});

    expect((await readConfig({ home, root })).origins[name]).toBe("user");
  });

  it.each(own)("$name is refused in a project's file, with its line and where it belongs", async ({ name }) => {
    const { home, root } = placeWith({}, { "tacit.config.yaml": `enabled: true\n${name}: null\n` });

    const error = await refusalOf(readConfig({ home, root }));

    expect(error.message).toContain(`${join(root, "tacit.config.yaml")}:2: ${name} is the user's alone to set`);
    expect(error.hint).toContain(`tacit config set ${name}`);
  });

  it("is refused in a package.json as well", async () => {
    const { home, root } = placeWith({}, { "package.json": '{"tacit": {\n"embeddingUrl": "https://evil.example"}}' });

    expect((await refusalOf(readConfig({ home, root }))).message).toContain(":2: embeddingUrl is the user's alone");
  });

  it.each([
    ["embeddingProvider", "openai-compatible"],
    ["embeddingModel", "Qwen/Qwen3-Embedding-0.6B"],
    ["embeddingModel", "qwen3-embedding:8b"],
    ["embeddingDimensions", 768],
    ["embeddingUrl", "http://127.0.0.1:11434"],
    ["embeddingUrl", "https://models.example.com/team/v1/"],
    ["embeddingUrl", "http://[::1]:8080/v1"],
    ["embeddingKeyVariable", "MY_KEY_2"],
    ["rerankProvider", "endpoint"],
    ["languageModelCalls", 0],
  ])("%s may be %j", async (name, value) => {
    const { home } = placeWith({ "tacit.config.json": JSON.stringify({ [name]: value }) }, {});

    expect((await readConfig({ home })).settings).toEqual({ ...defaults, [name]: value });
  });

  it.each([
    ["embeddingProvider", "voyage"],
    ["embeddingProvider", true],
    ["languageModelProvider", null],
    ["embeddingModel", ""],
    ["embeddingModel", "two words"],
    ["embeddingModel", "red\u001B[31m"],
    ["embeddingModel", 5],
    ["embeddingDimensions", 100],
    ["embeddingDimensions", 8],
    ["embeddingDimensions", 8192],
    ["embeddingDimensions", 64.5],
    ["languageModelTimeoutMs", 0],
    ["rerankTimeoutMs", 1e9],
    ["languageModelCalls", -1],
    ["languageModelCalls", null],
  ])("%s may not be %j", async (name, value) => {
    const { home } = placeWith({ "tacit.config.json": JSON.stringify({ [name]: value }) }, {});

    expect((await refusalOf(readConfig({ home }))).message).toContain(`:1: ${name} must be `);
  });

  it.each([
    ["embeddingUrl", "http://me:hunter2@example.com"],
    ["embeddingUrl", "http://hunter2@example.com/v1"],
    ["embeddingUrl", "https://example.com/v1?key=hunter2"],
    ["embeddingUrl", "https://example.com/v1#hunter2"],
    ["rerankUrl", "file:///hunter2"],
    ["rerankUrl", "hunter2.example.com"],
    ["languageModelUrl", "https://example.com\\@hunter2"],
    ["embeddingKeyVariable", "sk-hunter2"],
    ["languageModelKeyVariable", "hunter2"],
  ])("%s may not be %j, and is not repeated", async (name, value) => {
    const { home } = placeWith({ "tacit.config.json": JSON.stringify({ [name]: value }) }, {});

    const { message, hint } = await refusalOf(readConfig({ home }));

    expect(message).toContain(`:1: ${name} must be `);
    expect(message + hint).not.toContain("hunter2");
  });
});

describe("a package.json", () => {
  it.each([
    ["says nothing to Tacit", '{"name": "tacit"}'],
    ["says so elsewhere", '{"dependencies": {"tacit": "1"}}'],
    ["does not parse", '{"tacit": {"enabled": false}'],
    ["has comments", '{"tacit": {"enabled": false} /* no */}'],
    ["is nested too deeply", '{"tacit": '.repeat(50_000)],
    ["is no object", '["tacit"]'],
    ["is no text", Buffer.from('{"tacit": {"enabled": false, "\xff": 1}}', "latin1")],
    ["is larger than 1 MiB", `{"tacit": {"enabled": false}}${" ".repeat(1024 * 1024)}`],
  ])("that %s is ignored, because it is not ours", async (_what, text) => {
    const { home, root } = placeWith({}, { "package.json": text });

    expect(await readConfig({ home, root })).toMatchObject({ settings: defaults, files: {} });
  });

  it("that is a folder is ignored", async () => {
    const { home, root } = placeWith({}, {});
    mkdirSync(join(root, "package.json"));

    expect((await readConfig({ home, root })).files).toEqual({});
  });
});

async function refusalOf(reading: Promise<unknown>): Promise<MemoryError> {
  const error: unknown = await reading.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(MemoryError);
  expect(error).toMatchObject({ code: "config-invalid" });
  return error as MemoryError;
}

/** A user's folder and a project's root with these files. */
function placeWith(
  user: Record<string, string | Buffer>,
  project: Record<string, string | Buffer>,
): { home: string; root: string } {
  const [home, root] = [temporaryFolder(), temporaryFolder()];
  for (const [name, content] of Object.entries(user)) writeFileSync(join(home, name), content);
  for (const [name, content] of Object.entries(project)) writeFileSync(join(root, name), content);
  return { home, root };
}
