import type { Command } from "commander";
import type { EffectiveConfig as Config, Setting } from "../../index.js";
import type { Answer } from "../terminal/answer.js";
import type { Page } from "../terminal/page.js";
import { oneLine } from "../terminal/one-line.js";
import { renderFields } from "../terminal/render-fields.js";
import type { Shell } from "../terminal/shell.js";
import { wrongUsage } from "../terminal/wrong-usage.js";

type SettingName = keyof Config["settings"];

interface LocalFlag {
  local?: boolean;
}

const examples = `
Examples:
  tacit config                              the settings that matter first, and all that are set
  tacit config get                          every setting, its value here and who set it
  tacit config set cleanupDays 30           for every project of yours
  tacit config set maxEntries 5000 --local  for this project, in a file that can be committed
  tacit config unset maxEntries --local     back to your own setting, or the default
  tacit config set ignore '{"paths": ["secrets/"], "commands": ["vault *"], "projects": ["~/clients/*"]}'
                                            never observed, indexed or injected; a .tacitignore says it of paths

The project's file (tacit.config.json in its root, or "tacit" in its package.json) wins over yours
($TACIT_HOME/tacit.config.json, default ~/.tacit). Both may be .json, .jsonc, .yaml or .yml, with comments.
`;

export function addConfig(program: Command, shell: Shell): void {
  const command = program
    .command("config")
    .description("show and change the settings")
    .addHelpText("after", examples)
    .action(async () => shell.print(await show(shell, { isShort: true })));
  command
    .command("get")
    .description("show every setting in force, and who set it")
    .argument("[key]", "one setting only; --quiet prints its value alone")
    .action(async (key: string | undefined) =>
      shell.print(await (key === undefined ? show(shell, { isShort: false }) : get(shell, key))),
    );
  addLocal(command.command("set"))
    .description("give a setting a value")
    .argument("<key>", "the setting; tacit config lists all of them")
    .argument("<value>", "true, false, a number, a word, null, or JSON")
    .action(async (key: string, value: string, flags: LocalFlag) =>
      shell.print(await change(shell, key, value, flags)),
    );
  addLocal(command.command("unset"))
    .description("take a setting out of the file again")
    .argument("<key>", "the setting")
    .action(async (key: string, flags: LocalFlag) => shell.print(await change(shell, key, undefined, flags)));
  addLocal(command.command("path"))
    .description("tell which file is written to")
    .action(async (flags: LocalFlag) => shell.print(await path(shell, flags)));
}

function addLocal(command: Command): Command {
  return command.option("--local", "the project's file instead of yours");
}

/** Every setting; the short form leaves out what few will ever set, as long as it is not set. */
async function show(shell: Shell, { isShort }: { isShort: boolean }): Promise<Answer> {
  const { settings } = await import("../../index.js");
  const config = await shell.withMemory((memory) => memory.projects.config());
  const shown = isShort
    ? settings.filter(
        ({ name }) => isForEverybody(name) || config.origins[name] !== "default" || name in config.pending,
      )
    : settings;
  const hidden = settings.length - shown.length;
  return {
    document: documentOf(config, settings),
    ids: settings.map(({ name }) => `${name}=${wordOf(config.settings[name])}`),
    text: (page) =>
      [
        ...renderGroups(config, shown, page),
        ...(hidden > 0 ? [page.paint("dim", `${hidden} more, all as they come: tacit config get`)] : []),
        renderFiles(config, page),
      ].join("\n\n"),
  };
}

async function get(shell: Shell, key: string): Promise<Answer> {
  const { getSetting } = await import("../../index.js");
  const setting = getSetting(key);
  const config = await shell.withMemory((memory) => memory.projects.config());
  return {
    document: documentOf(config, [setting]),
    ids: [wordOf(config.settings[setting.name])],
    text: (page) => renderFields(fieldsOf(config, setting), page),
  };
}

function documentOf(config: Config, shown: readonly Setting[]): unknown {
  return {
    settings: Object.fromEntries(shown.map(({ name }) => [name, config.settings[name]])),
    origins: Object.fromEntries(shown.map(({ name }) => [name, config.origins[name]])),
    ...pendingOf(config, shown),
    files: config.files,
  };
}

/** Absent where nothing of these is pending. */
function pendingOf({ pending }: Config, shown: readonly Setting[]): { pending?: Config["pending"] } {
  const some = shown.filter(({ name }) => name in pending).map(({ name }) => [name, pending[name]]);
  return some.length === 0 ? {} : { pending: Object.fromEntries(some) };
}

const groups: [heading: string, beginning: string][] = [
  ["The model that finds by meaning", "embedding"],
  ["A language model that may help", "languageModel"],
  ["A model that puts results in order", "rerank"],
];

/** What does not name a model, and of each model who provides it; the rest says how that one is asked. */
function isForEverybody(name: SettingName): boolean {
  return name.endsWith("Provider") || groups.every(([, beginning]) => !name.startsWith(beginning));
}

function renderGroups(config: Config, shown: readonly Setting[], page: Page): string[] {
  const column = Math.max(...shown.map(({ name }) => name.length));
  const render = (some: readonly Setting[]) =>
    renderFields(
      some.flatMap((setting) => fieldsOf(config, setting)),
      page,
      column,
    );
  const others = shown.filter(({ name }) => groups.every(([, beginning]) => !name.startsWith(beginning)));
  return [
    render(others),
    ...groups.map(([heading, beginning]) => {
      const of = shown.filter(({ name }) => name.startsWith(beginning));
      return `${page.paint("bold", heading)}\n${render(of)}`;
    }),
  ];
}

function fieldsOf(config: Config, { name, purpose }: Setting): [string, string][] {
  const { [name]: pending } = config.pending;
  return [
    [name, `${wordOf(config.settings[name])} (${originOf(config, name)})`],
    ...(pending === undefined
      ? []
      : [
          ["", `the project's file says ${wordOf(pending)}, which is pending: tacit project accept`] as [
            string,
            string,
          ],
        ]),
    ["", purpose],
  ];
}

async function change(
  shell: Shell,
  key: string,
  value: string | undefined,
  { local = false }: LocalFlag,
): Promise<Answer> {
  const { getSetting } = await import("../../index.js");
  const { name } = getSetting(key);
  const { file, config } = await shell.withMemory(async (memory) => ({
    file: await memory.projects.configure(local ? "project" : "user", name, value),
    config: await memory.projects.config(),
  }));
  const inForce = wordOf(config.settings[name]);
  // What both files ignore is ignored; everything else of a project's file wins.
  const isOverruled = !local && value !== undefined && config.origins[name] === "project" && name !== "ignore";
  return {
    document: { file, settings: { [name]: config.settings[name] }, origins: { [name]: config.origins[name] } },
    ids: [file],
    text: (page) =>
      [
        value === undefined
          ? `${name} is not set in ${file}; here it is ${inForce} (${originOf(config, name)}).`
          : `Set ${name} to ${value} in ${file}`,
        ...(isOverruled ? [`Here it stays ${inForce}: the project's own file sets it, ${config.files.project}`] : []),
      ]
        .map((line, index) => (index === 0 ? oneLine(line, page) : page.paint("yellow", oneLine(line, page))))
        .join("\n"),
  };
}

async function path(shell: Shell, { local = false }: LocalFlag): Promise<Answer> {
  const { paths } = await shell.withMemory((memory) => memory.projects.config());
  const file = local ? paths.project : paths.user;
  if (file === undefined) throw await wrongUsage("There is no project folder here.", "Leave --local out.");
  return { document: { path: file }, ids: [file], text: (page) => page.clean(file) };
}

/** A value as it is typed. */
function wordOf(value: Config["settings"][SettingName]): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function originOf({ origins }: Config, name: SettingName): string {
  const origin = origins[name];
  return origin === "default" ? origin : `set by the ${origin}`;
}

function renderFiles({ files }: Config, page: Page): string {
  return renderFields(
    [
      ["user's file", files.user ?? "none"],
      ["project's file", files.project ?? "none"],
    ],
    page,
  );
}
