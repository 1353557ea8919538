import type { Command, CommanderError } from "commander";
import type { MemoryError } from "../../index.js";
import { brief } from "./brief.js";
import { findSimilar } from "./find-similar.js";
import { wrongUsage } from "./wrong-usage.js";

/** What commander has to say against a command line, in our words: what is wrong, and what to type instead. */
export async function explainUsage(error: CommanderError, program: Command, words: string[]): Promise<MemoryError> {
  const command = commandIn(program, words);
  const path = pathOf(command);
  const said = sentence(error.message.replace(/^error: /, "").split("\n", 1)[0] ?? "");
  const usage = `Usage: ${path} ${command.usage()}`;

  switch (error.code) {
    case "commander.unknownOption": {
      const { option, guess } = unknownOption(error.message);
      return wrongUsage(
        `Unknown option '${option}'.`,
        [guess, dashHint(command, path), `${path} --help lists the options.`].filter((hint) => hint !== "").join("\n"),
      );
    }
    case "commander.excessArguments":
      return wrongUsage(said, takesText(command) ? `Put the text in quotes. ${usage}` : usage);
    case "commander.optionMissingArgument":
      return wrongUsage(`${flagIn(said)} needs a value.`, `${path} --help says which.`);
    case "commander.invalidArgument":
      return wrongUsage(...invalidValue(error.message));
    case "commander.unknownCommand":
      return unknownSubcommand(error.message, command, path);
    case "commander.help":
      return wrongUsage(
        `${path} needs to be told what: ${command.commands.map((each) => each.name()).join(", ")}.`,
        `${path} --help says what each does.`,
      );
    default:
      return wrongUsage(said, usage);
  }
}

/** What to say to a command that there is none of. */
export async function unknownCommand(word: string, names: string[]): Promise<MemoryError> {
  const guess = findSimilar(word, names);
  return wrongUsage(
    `There is no command '${brief(word)}'.`,
    `${guess === undefined ? "" : `Did you mean: tacit ${guess}\n`}tacit help lists the commands.`,
  );
}

/** `unknown command 'lgo'`, below one that has commands of its own. */
async function unknownSubcommand(message: string, command: Command, path: string): Promise<MemoryError> {
  const [, word = ""] = /^error: unknown command '(.*?)'(?:\n|$)/s.exec(message) ?? [];
  const names = command.commands.map((each) => each.name());
  const guess = findSimilar(word, names);
  return wrongUsage(
    `${path} has no command '${brief(word)}'.`,
    `${guess === undefined ? "" : `Did you mean: ${path} ${guess}\n`}There is: ${names.join(", ")}.`,
  );
}

/** `unknown option '--tga'`, with `(Did you mean --tag?)` in the next line; the option itself may have lines too. */
function unknownOption(message: string): { option: string; guess: string } {
  const [, typed = "", guess = ""] =
    /^error: unknown option '(.*)'(?:\n\((Did you mean [^\n]*\?)\))?$/s.exec(message) ?? [];
  // A value that is attached to it is no part of its name.
  return { option: brief(typed.replace(/^(--[\w-]+)=.*$/s, "$1")), guess };
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith(".") ? "" : "."}`;
}

function commandIn(program: Command, words: string[]): Command {
  let command = program;
  for (const word of words) {
    const next = command.commands.find((each) => each.name() === word);
    if (!next) break;
    command = next;
  }
  return command;
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}

function takesText(command: Command): boolean {
  return ["text", "query", "reason"].includes(command.registeredArguments.at(-1)?.name() ?? "");
}

function dashHint(command: Command, path: string): string {
  if (!takesText(command)) return "";
  const before = command.registeredArguments.slice(0, -1).map((argument) => ` <${argument.name()}>`);
  const line = `${path}${before.join("")}`;
  const orInput = command.registeredArguments.at(-1)?.name() === "reason" ? "" : `, or on standard input: ${line} -`;
  return `Text that begins with a dash goes after two dashes: ${line} -- "-text"${orInput}`;
}

const invalidOption = /^error: option '(?<name>--?[\w-]+)[^']*' argument '(?<value>.*)' is invalid\. (?<expected>.*)$/s;
const invalidArgument =
  /^error: command-argument value '(?<value>.*)' is invalid for argument '(?<name>\w+)'\. (?<expected>.*)$/s;

/** `option '--limit <count>' argument 'many' is invalid. It takes …` in two parts; and so for an argument. */
function invalidValue(message: string): [string, string] {
  const { groups = {} } = invalidOption.exec(message) ?? invalidArgument.exec(message) ?? {};
  const { name = "A value", value = "", expected = "" } = groups;
  return [`${name} cannot be '${brief(value)}'.`, expected.replace(/^Allowed choices are /, "It takes one of: ")];
}

function flagIn(said: string): string {
  return /'(--?[\w-]+)/.exec(said)?.[1] ?? said;
}
