import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runLine, textOf } from "../../../test/support/run-line.js";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import { readConfig } from "../../config/read-config.js";
import { defaultSettings, settings } from "../../config/settings.js";
import { writeSetting } from "../../config/write-setting.js";
import type { MemoryProjects, Settings, TacitMemory } from "../../index.js";
import type { Answer } from "../terminal/answer.js";
import { addConfig } from "./config.js";

describe("tacit config", () => {
  it("shows first what concerns everybody: each setting, what it is for and who set it", async () => {
    const { run, home, root } = place({ user: '{"maxEntries": 500}', project: '{"autoInject": false}' });

    const answer = await run("config");

    const lines = textOf(answer).split("\n");
    expect(lines.slice(0, 8)).toEqual([
      expect.stringMatching(/^enabled {2,}true \(default\)$/),
      expect.stringMatching(/^ +whether /),
      expect.stringMatching(/^autoInject {2,}false \(set by the project\)$/),
      expect.stringMatching(/^ +whether /),
      expect.stringMatching(/^cleanupDays {2,}90 \(default\)$/),
      expect.stringMatching(/^ +after how many days /),
      expect.stringMatching(/^maxEntries {2,}500 \(set by the user\)$/),
      expect.stringMatching(/^ +how many memories /),
    ]);
    expect(lines.slice(-3)).toEqual([
      "",
      `user's file     ${join(home, "tacit.config.json")}`,
      `project's file  ${join(root, "tacit.config.json")}`,
    ]);
  });

  it("shows of each model who provides it and what is set, and says how many settings are left out", async () => {
    const { run } = place({ user: '{"embeddingProvider": "ollama", "embeddingModel": "qwen3-embedding:4b"}' });

    const text = textOf(await run("config"));

    expect(text).toMatch(
      /\n\nThe model that finds by meaning\nembeddingProvider +ollama \(set by the user\)\n.*\nembeddingModel +qwen3-embedding:4b \(/,
    );
    expect(text).toMatch(/^languageModelProvider +none \(default\)$/m);
    expect(text).toMatch(/^rerankProvider +none \(default\)$/m);
    expect(text).not.toContain("embeddingUrl");
    expect(text).toContain(`\n\n${settings.length - 19} more, all as they come: tacit config get\n\n`);
  });

  it("get shows every setting, under the heading of what it is about", async () => {
    const { run } = place({});

    const lines = textOf(await run("config", "get")).split("\n");

    const shown = lines.map((line) => line.split(" ", 1)[0]);
    expect(settings.filter(({ name }) => !shown.includes(name))).toEqual([]);
    expect(lines.indexOf("A language model that may help") + 1).toBe(shown.indexOf("languageModelProvider"));
    expect(lines.join("\n")).not.toContain("as they come");
  });

  it.each([[["config"]], [["config", "get"]]])("%j tells programs everything", async (line) => {
    const { run, home, root } = place({ user: '{"maxEntries": 500}', project: '{"autoInject": false}' });

    const answer = await run(...line);

    expect(answer.document).toEqual({
      settings: { ...defaultSettings(), autoInject: false, maxEntries: 500 },
      origins: {
        ...Object.fromEntries(settings.map(({ name }) => [name, "default"])),
        autoInject: "project",
        maxEntries: "user",
      },
      files: { user: join(home, "tacit.config.json"), project: join(root, "tacit.config.json") },
    });
    expect(answer.ids?.slice(0, 4)).toEqual(["enabled=true", "autoInject=false", "cleanupDays=90", "maxEntries=500"]);
    expect(answer.ids).toHaveLength(settings.length);
  });

  it("get KEY shows one, and its value alone to a script", async () => {
    const { run } = place({});

    const answer = await run("config", "get", "maxEntries");

    expect(textOf(answer)).toMatch(/^maxEntries {2}null \(default\)\n {12}how many memories .*$/);
    expect(answer.document).toEqual({ settings: { maxEntries: null }, origins: { maxEntries: "default" }, files: {} });
    expect(answer.ids).toEqual(["null"]);
  });

  it.each([[["config"]], [["config", "get"]], [["config", "get", "windowTurns"]]])(
    "%j tells what the project's file says and the user has not accepted",
    async (line) => {
      const { run } = place({ pending: { windowTurns: 1 } });

      const answer = await run(...line);

      expect(textOf(answer)).toMatch(
        /^windowTurns +5 \(default\)\n +the project's file says 1, which is pending: tacit project accept$/m,
      );
      expect(answer.document).toMatchObject({ origins: { windowTurns: "default" }, pending: { windowTurns: 1 } });
      expect(answer.ids).toContain(line.length === 3 ? "5" : "windowTurns=5");
    },
  );

  it("set and unset change the user's file, and with --local the project's", async () => {
    const { run, home, root } = place({ user: "{}", project: '{ "enabled": true }' });

    const set = await run("config", "set", "cleanupDays", "30");
    const setLocal = await run("config", "set", "maxEntries", "unlimited", "--local");
    const unset = await run("config", "unset", "enabled", "--local");

    expect(textOf(set)).toBe(`Set cleanupDays to 30 in ${join(home, "tacit.config.json")}`);
    expect(set.document).toEqual({
      file: join(home, "tacit.config.json"),
      settings: { cleanupDays: 30 },
      origins: { cleanupDays: "user" },
    });
    expect(setLocal.ids).toEqual([join(root, "tacit.config.json")]);
    expect(textOf(unset)).toBe(`enabled is not set in ${join(root, "tacit.config.json")}; here it is true (default).`);
    expect(JSON.parse(readFileSync(join(home, "tacit.config.json"), "utf8"))).toEqual({ cleanupDays: 30 });
    expect(JSON.parse(readFileSync(join(root, "tacit.config.json"), "utf8"))).toEqual({ maxEntries: null });
  });

  it("set says when the project's own file goes on to count", async () => {
    const { run, root } = place({ project: '{ "maxEntries": 10 }' });

    const answer = await run("config", "set", "maxEntries", "500");

    expect(textOf(answer).split("\n")[1]).toBe(
      `Here it stays 10: the project's own file sets it, ${join(root, "tacit.config.json")}`,
    );
    expect(answer.document).toMatchObject({ settings: { maxEntries: 10 }, origins: { maxEntries: "project" } });
  });

  it("set refuses to give a project what is the user's alone", async () => {
    const { run, home, root } = place({});

    await run("config", "set", "embeddingProvider", "ollama");
    const refused = run("config", "set", "embeddingProvider", "openai", "--local");

    await expect(refused).rejects.toMatchObject({
      code: "config-invalid",
      message: expect.stringContaining("embeddingProvider is the user's alone to set"),
    });
    expect(await readConfig({ home, root })).toMatchObject({
      settings: { embeddingProvider: "ollama" },
      origins: { embeddingProvider: "user" },
    });
  });

  it("path tells which file is written to, whether it is there or not", async () => {
    const { run, home, root } = place({});
    writeFileSync(join(root, "tacit.config.yaml"), "");

    const [user, project] = [await run("config", "path"), await run("config", "path", "--local")];

    expect(textOf(user)).toBe(join(home, "tacit.config.json"));
    expect(textOf(project)).toBe(join(root, "tacit.config.yaml"));
    expect(project.document).toEqual({ path: join(root, "tacit.config.yaml") });
  });

  it.each([[["get", "maxEntrys"]], [["set", "maxEntrys", "5"]], [["unset", "maxEntrys"]]])(
    "%j names the nearest setting",
    async (line) => {
      const { run } = place({});

      await expect(run("config", ...line)).rejects.toMatchObject({
        code: "invalid-input",
        hint: expect.stringContaining("Did you mean maxEntries?"),
      });
    },
  );

  it("cannot be made to speak to the terminal by a file's name", async () => {
    const { run } = place({}, "evil\u001B]0;owned\u0007");

    for (const line of [["config"], ["config", "set", "enabled", "false", "--local"], ["config", "path", "--local"]]) {
      // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
      expect(textOf(await run(...line))).not.toMatch(/[\u0000-\u0009\u000B-\u001F]/);
    }
  });
});

/** A user's folder and a project's root with these files, and a way to run commands between them. */
function place(
  texts: { user?: string; project?: string; pending?: Partial<Settings> },
  project = "project",
): { home: string; root: string; run: (...line: string[]) => Promise<Answer> } {
  const folder = temporaryFolder();
  const [home, root] = [join(folder, "home"), join(folder, project)];
  for (const [path, text] of [
    [home, texts.user],
    [root, texts.project],
  ] as const) {
    mkdirSync(path);
    if (text !== undefined) writeFileSync(join(path, "tacit.config.json"), text);
  }
  const projects: Pick<MemoryProjects, "config" | "configure"> = {
    config: async () => ({ ...(await readConfig({ home, root })), pending: texts.pending ?? {} }),
    configure: async (where, name, value) => writeSetting({ home, root }, where, name, value),
  };
  const memory = { projects } as TacitMemory;
  return { home, root, run: async (...line) => (await runLine(memory, addConfig, line)).answer };
}
