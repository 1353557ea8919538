import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.js";
import { readConfig } from "../../config/read-config.js";
import { defaultSettings, settings } from "../../config/settings.js";
import { writeSetting } from "../../config/write-config.js";
import { neutralise, type TacitMemory } from "../../index.js";
import type { Answer } from "../answer.js";
import { openPage } from "../page.js";
import type { Shell } from "../shell.js";
import { addConfig } from "./config.js";

describe("tacit config", () => {
  it.each([[["config"]], [["config", "get"]]])(
    "%j shows every setting, what it is for and who set it",
    async (line) => {
      const { run, home, root } = place({ user: '{"maxEntries": 500}', project: '{"autoInject": false}' });

      const answer = await run(...line);

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
      expect(lines).toHaveLength(2 * settings.length + 3);
      expect(lines.slice(-3)).toEqual([
        "",
        `user's file     ${join(home, "tacit.config.json")}`,
        `project's file  ${join(root, "tacit.config.json")}`,
      ]);
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
    },
  );

  it("get KEY shows one, and its value alone to a script", async () => {
    const { run } = place({});

    const answer = await run("config", "get", "maxEntries");

    expect(textOf(answer)).toMatch(/^maxEntries {2}null \(default\)\n {12}how many memories .*$/);
    expect(answer.document).toEqual({ settings: { maxEntries: null }, origins: { maxEntries: "default" }, files: {} });
    expect(answer.ids).toEqual(["null"]);
  });

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

function textOf(answer: Answer): string {
  return answer.text(openPage({ stream: {}, env: { NO_COLOR: "1" }, clean: neutralise, now: new Date() }));
}

/** A user's folder and a project's root with these files, and a way to run commands between them. */
function place(
  texts: { user?: string; project?: string },
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
  const memory: Pick<TacitMemory, "config" | "configure"> = {
    config: async () => readConfig({ home, root }),
    configure: async (where, name, value) => writeSetting({ home, root }, where, name, value),
  };
  return { home, root, run: async (...line) => runLine(memory as TacitMemory, line) };
}

async function runLine(memory: TacitMemory, line: string[]): Promise<Answer> {
  const answers: Answer[] = [];
  const shell: Shell = {
    flags: { json: false, quiet: false },
    withMemory: async (work) => work(memory),
    close: async () => {},
    print: async (answer) => void answers.push(answer),
    notice: () => {},
    progress: () => {},
  };
  const program = new Command().exitOverride();
  addConfig(program, shell);
  await program.parseAsync(line, { from: "user" });
  return answers[0] as Answer;
}
