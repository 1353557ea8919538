import { Command, CommanderError } from "commander";
import { addBackup } from "./commands/backup.js";
import { addDoctor } from "./commands/doctor.js";
import { addEdit } from "./commands/edit.js";
import { addFlag } from "./commands/flag.js";
import { addForget } from "./commands/forget.js";
import { addList } from "./commands/list.js";
import { addPin } from "./commands/pin.js";
import { addProject } from "./commands/project.js";
import { addPurge } from "./commands/purge.js";
import { addRecall } from "./commands/recall.js";
import { addRemember } from "./commands/remember.js";
import { addRestore } from "./commands/restore.js";
import { addShow } from "./commands/show.js";
import { addSupersede } from "./commands/supersede.js";
import { addTour } from "./commands/tour.js";
import { addTypes } from "./commands/types.js";
import { addVerify } from "./commands/verify.js";
import { openPage, takesColour } from "./page.js";
import type { Shell } from "./shell.js";
import { explainUsage, refuseUnknownCommand } from "./usage-error.js";

const groups: [heading: string, add: ((program: Command, shell: Shell) => void)[]][] = [
  ["Keep and find:", [addRemember, addRecall, addList, addShow]],
  ["Keep it true:", [addEdit, addSupersede, addVerify, addFlag, addPin]],
  ["Let go:", [addForget, addRestore, addPurge]],
  ["Look after the store:", [addBackup, addDoctor, addProject, addTypes]],
  ["Learn:", [addTour]],
];

const examples = `
Examples:
  tacit remember "Retries must be idempotent" --type gotcha --file src/http.ts
  tacit recall "how do retries work"
  git log -1 --format=%B | tacit remember - --type decision

A reference (REF) is an id, its last characters, or a name. Every command takes --json.
`;

/** Runs the command in `words`, which no longer hold global flags. Help goes to standard output. */
export async function runProgram(words: string[], shell: Shell): Promise<void> {
  const help: string[] = [];
  const program = buildProgram(shell, (text) => help.push(text));
  const line = withHelpAsFlag(words);

  await refuseUnknownCommand(program, line);
  try {
    await program.parseAsync(line, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw await explainUsage(error, program, line);
  }
  if (help.length > 0) {
    const text = help.join("");
    process.stdout.write(shell.flags.json ? `${JSON.stringify({ help: text })}\n` : text);
  }
}

function buildProgram(shell: Shell, printHelp: (text: string) => void): Command {
  const page = openPage({ stream: process.stdout, env: process.env, clean: (text) => text, now: new Date() });
  const program = new Command("tacit")
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
      subcommandTerm: (command) => [command.name(), ...command.registeredArguments.map(argumentTerm)].join(" "),
    })
    .helpOption("-h, --help", "show this help")
    .addHelpText("after", examples);

  for (const [heading, adders] of groups) {
    program.commandsGroup(heading);
    for (const add of adders) add(program, shell);
  }
  program.helpCommand("help [command]", "show how a command is used");

  // Taken off the line before it gets here (global-flags.ts); told here for the help.
  return program
    .option("--db <file>", "use this store instead of $TACIT_HOME/memory.db (default ~/.tacit)")
    .option("--project <id>", "use this project instead of the one of this folder")
    .option("--json", "answer with one JSON document")
    .option("--quiet", "print ids only")
    .option("-V, --version", "print the version");
}

function argumentTerm(argument: { name(): string; required: boolean; variadic: boolean }): string {
  const name = argument.variadic ? `${argument.name()}...` : argument.name();
  return argument.required ? `<${name}>` : `[${name}]`;
}

/** `tacit`, `tacit help` and `tacit help recall` in the one form that commander answers for every command. */
function withHelpAsFlag(words: string[]): string[] {
  if (words.length === 0) return ["--help"];
  return words[0] === "help" ? [...words.slice(1), "--help"] : words;
}
