import type { Command, CommanderError } from "commander";
import type { MemoryError } from "../index.js";
import { findSimilar } from "./similar-word.js";
import { wrongUsage } from "./wrong-usage.js";

/** What commander has to say against a command line, in our words: what is wrong, and what to type instead. */
export async function explainUsage(error: CommanderError, program: Command, words: string[]): Promise<MemoryError> {
  const command = commandIn(program, words);
  const path = pathOf(command);
  const [first = "", guess = ""] = error.message.replace(/^error: /, "").split("\n");
  const said = sentence(first);
  const usage = `Usage: ${path} ${command.usage()}`;

  switch (error.code) {
    case "commander.unknownOption":
      return wrongUsage(
        said,
        [guess.replaceAll(/[()]/g, ""), dashHint(command, path), `${path} --help lists the options.`]
          .filter((hint) => hint !== "")
          .join("\n"),
      );
    case "commander.excessArguments":
      return wrongUsage(said, takesText(command) ? `Put the text in quotes. ${usage}` : usage);
    case "commander.optionMissingArgument":
      return wrongUsage(`${flagIn(said)} needs a value.`, `${path} --help says which.`);
    case "commander.invalidArgument":
      return wrongUsage(...invalidValue(error.message));
    default:
      return wrongUsage(said, usage);
  }
}

/** What to say to a command that there is none of. */
export async function unknownCommand(word: string, names: string[]): Promise<MemoryError> {
  const guess = findSimilar(word, names);
  return wrongUsage(
    `There is no command '${word}'.`,
    `${guess === undefined ? "" : `Did you mean: tacit ${guess}\n`}tacit help lists the commands.`,
  );
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
  return takesText(command) ? `Text that begins with a dash follows two: ${path} -- "-text"` : "";
}

/** `option '--limit <count>' argument 'many' is invalid. It takes …` in two parts. */
function invalidValue(message: string): [string, string] {
  const [, said = message, expected = ""] = /^error: (.*) is invalid\. (.*)$/s.exec(message) ?? [];
  const [, value = ""] = /argument '(.*)'$/s.exec(said) ?? [];
  return [`${flagIn(said)} cannot be '${value}'.`, expected.replace(/^Allowed choices are /, "It takes one of: ")];
}

function flagIn(said: string): string {
  return /'(--?[\w-]+)/.exec(said)?.[1] ?? said;
}
