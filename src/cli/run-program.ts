import { Command, CommanderError } from "commander";
import { openPage, takesColour } from "./terminal/page.js";
import type { Shell } from "./terminal/shell.js";

type AddCommand = (program: Command, shell: Shell) => void;

// Each is loaded only when it is asked for: together they would take longer than a recall.
const groups: Record<string, Record<string, () => Promise<AddCommand>>> = {
  "Keep and find:": {
    remember: async () => (await import("./memories/remember.js")).addRemember,
    recall: async () => (await import("./memories/recall.js")).addRecall,
    list: async () => (await import("./memories/list.js")).addList,
    show: async () => (await import("./memories/show.js")).addShow,
  },
  "Know the code:": {
    init: async () => (await import("./init/init.js")).addInit,
    index: async () => (await import("./code/index-command.js")).addIndex,
    watch: async () => (await import("./code/watch.js")).addWatch,
    impact: async () => (await import("./code/impact.js")).addImpact,
    map: async () => (await import("./code/map.js")).addMap,
    graph: async () => (await import("./code/graph.js")).addGraph,
    module: async () => (await import("./code/module.js")).addModule,
    pattern: async () => (await import("./code/concept.js")).addPattern,
    decision: async () => (await import("./code/concept.js")).addDecision,
  },
  "Work with agents:": {
    install: async () => (await import("./agents/install.js")).addInstall,
    uninstall: async () => (await import("./agents/uninstall.js")).addUninstall,
    review: async () => (await import("./sessions/review.js")).addReview,
    sessions: async () => (await import("./sessions/sessions.js")).addSessions,
    chat: async () => (await import("./chat/chat.js")).addChat,
    replay: async () => (await import("./sessions/replay.js")).addReplay,
    synthesize: async () => (await import("./sessions/synthesize.js")).addSynthesize,
    mcp: async () => (await import("./agents/mcp.js")).addMcp,
    hook: async () => (await import("./agents/hook.js")).addHook,
    observe: async () => (await import("./agents/observe.js")).addObserve,
  },
  "Name and relate:": {
    rename: async () => (await import("./memories/rename.js")).addRename,
    alias: async () => (await import("./memories/alias.js")).addAlias,
    unalias: async () => (await import("./memories/unalias.js")).addUnalias,
    relate: async () => (await import("./memories/relate.js")).addRelate,
  },
  "Keep it true:": {
    edit: async () => (await import("./memories/edit.js")).addEdit,
    supersede: async () => (await import("./memories/supersede.js")).addSupersede,
    verify: async () => (await import("./memories/verify.js")).addVerify,
    flag: async () => (await import("./memories/flag.js")).addFlag,
    pin: async () => (await import("./memories/pin.js")).addPin,
    history: async () => (await import("./memories/history.js")).addHistory,
    undo: async () => (await import("./memories/undo.js")).addUndo,
  },
  "Let go:": {
    forget: async () => (await import("./memories/forget.js")).addForget,
    restore: async () => (await import("./memories/restore.js")).addRestore,
    prune: async () => (await import("./memories/prune.js")).addPrune,
    purge: async () => (await import("./memories/purge.js")).addPurge,
  },
  "Take along:": {
    import: async () => (await import("./exchange/import.js")).addImport,
    export: async () => (await import("./exchange/export.js")).addExport,
    share: async () => (await import("./exchange/share.js")).addShare,
  },
  "Look after the store:": {
    backup: async () => (await import("./store/backup.js")).addBackup,
    config: async () => (await import("./store/config.js")).addConfig,
    doctor: async () => (await import("./store/doctor.js")).addDoctor,
    embed: async () => (await import("./store/embed.js")).addEmbed,
    project: async () => (await import("./store/project.js")).addProject,
    stats: async () => (await import("./store/stats.js")).addStats,
    types: async () => (await import("./memories/types.js")).addTypes,
  },
  "Learn:": {
    tour: async () => (await import("./tour/tour.js")).addTour,
  },
};

const examples = `
Examples:
  tacit remember "Retries must be idempotent" --type gotcha --file src/http.ts
  tacit recall "how do retries work"
  git log -1 --format=%B | tacit remember - --type decision

A reference (REF) is an id, its last 8 characters, or a name. Every command takes --json.
`;

/** Runs the command in `words`, which no longer hold global flags. Help goes to standard output. */
export async function runProgram(words: string[], shell: Shell): Promise<void> {
  const help: string[] = [];
  const line = withHelpAsFlag(words);
  const program = openProgram((text) => help.push(text));
  await addCommands(program, shell, line);

  try {
    await program.parseAsync(line, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    const { explainUsage } = await import("./terminal/usage-error.js");
    if (error.exitCode !== 0) throw await explainUsage(error, program, line);
  }
  if (help.length > 0) {
    const text = help.join("");
    process.stdout.write(shell.flags.json ? `${JSON.stringify({ help: text })}\n` : text);
  }
}

/** Adds the one command that the line begins with, or all of them when it begins with none, for the help. */
export async function addCommands(program: Command, shell: Shell, line: string[]): Promise<void> {
  const [wanted = ""] = line;
  const named = wanted !== "" && !wanted.startsWith("-");
  const names = Object.values(groups).flatMap((commands) => Object.keys(commands));
  if (named && !names.includes(wanted)) {
    const { unknownCommand } = await import("./terminal/usage-error.js");
    throw await unknownCommand(wanted, names);
  }
  for (const [heading, commands] of Object.entries(groups)) {
    program.commandsGroup(heading);
    for (const [name, load] of Object.entries(commands)) {
      if (!named || name === wanted) (await load())(program, shell);
    }
  }
}

function openProgram(printHelp: (text: string) => void): Command {
  const page = openPage({ stream: process.stdout, env: process.env, clean: (text) => text, now: new Date() });
  return (
    new Command("tacit")
      .description("Memory for AI coding agents: keeps what was learned in one local file, and finds it again.")
      .usage("<command> [options]")
      .exitOverride()
      .configureOutput({
        writeOut: printHelp,
        writeErr: () => {},
        outputError: () => {},
        getOutHelpWidth: () => Math.min(page.width, 100),
        getOutHasColors: () => takesColour(process.stdout, process.env),
      })
      .configureHelp({
        showGlobalOptions: true,
        styleTitle: (title) => page.paint("bold", title),
        styleCommandText: (text) => page.paint("cyan", text),
        styleSubcommandText: (text) => page.paint("cyan", text),
        styleOptionText: (text) => page.paint("green", text),
        optionDescription: withChoices,
        argumentDescription: withChoices,
        subcommandTerm: (command) => [command.name(), ...command.registeredArguments.map(argumentTerm)].join(" "),
      })
      .helpOption("-h, --help", "show this help")
      .addHelpCommand(
        new Command("help").argument("[command]").description("show how a command is used").helpGroup("Learn:"),
      )
      .addHelpText("after", examples)
      // Answered or taken off the line before it gets here (main.ts, global-flags.ts); told here for the help.
      .option("--db <file>", "use this store instead of $TACIT_HOME/memory.db (default ~/.tacit)")
      .option("--project <id>", "use this project instead of the one of this folder")
      .option("--json", "answer with one JSON document")
      .option("--quiet", "print ids only")
      .option("-V, --version", "print the version")
  );
}

function withChoices({ description, argChoices }: { description: string; argChoices?: string[] | undefined }): string {
  return argChoices ? `${description}: ${argChoices.join(", ")}` : description;
}

function argumentTerm(argument: { name(): string; required: boolean; variadic: boolean }): string {
  const name = argument.variadic ? `${argument.name()}...` : argument.name();
  return argument.required ? `<${name}>` : `[${name}]`;
}

/** `tacit`, `tacit help recall` and `tacit --help recall` in the one form that commander answers for every command. */
function withHelpAsFlag(words: string[]): string[] {
  const begin = words.findIndex((word) => !["help", "--help", "-h"].includes(word));
  if (begin === 0) return words;
  return [...(begin < 0 ? [] : words.slice(begin)), "--help"];
}
