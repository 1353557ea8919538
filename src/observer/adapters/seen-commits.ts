import { allShellParts, type ShellPart } from "../tools/shell-parts.js";
import { programOf } from "../tools/shell-program.js";
import { textOf } from "./loose-value.js";

export interface SeenCommit {
  /** As it was printed, most often seven characters. */
  sha: string;
  /** What the command itself gave to git; empty where that did not stand in it. */
  message: string;
}

/**
 * The commits that a command seems to have made: `[main 1a2b3c4] Fix the parser`. Any program may print such a line, so no
 * word of it is taken: the message is the one that the command gave to git, and what git has under that name is asked when
 * the session is over. Nothing for commands that commit nothing, nor where git was told to be quiet.
 */
export function seenCommits(input: Record<string, unknown>, output: string): SeenCommit[] {
  const command = textOf(input["command"]) ?? textOf(input["cmd"]) ?? textOf(input["script"]);
  if (command === undefined || !/\bgit\b[^\n;|&]{0,200}\bcommit\b/u.test(command)) return [];
  const given = givenMessages(command);
  if (given.length === 0) return [];
  const said = output.length > maxOutput ? output.slice(-maxOutput) : output;
  const messages = given.filter((message) => message !== "");
  return [...said.matchAll(/^\[[^\]\n]{1,200} ([\da-f]{7,40})\] (\S.*)$/gmu)]
    .slice(0, maxCommits)
    .map(([, sha = "", subject = ""]) => ({
      sha,
      message:
        messages.find((message) => message.split("\n", 1)[0]?.trim() === subject.trim()) ??
        (given.length === 1 ? (messages[0] ?? "") : ""),
    }));
}

// Hooks of a commit may say much before git does.
const maxOutput = 200_000;
const maxCommits = 20;

/** The message of each commit that a command line makes, paragraphs of several `-m` together; empty where it gives none. */
function givenMessages(line: string, depth = 0): string[] {
  return allShellParts(line).flatMap((part) => {
    const program = programOf(part.words);
    if (program?.script !== undefined && depth < 2) return givenMessages(program.script, depth + 1);
    if (program?.program !== "git" || !program.args.includes("commit")) return [];
    return [messageIn(program.args.slice(program.args.indexOf("commit") + 1), part)];
  });
}

function messageIn(args: readonly string[], part: ShellPart): string {
  const paragraphs: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const [, joined] = /^(?:--message=|-[a-z]*m(?=[^a-z]))(.+)$/su.exec(args[at] as string) ?? [];
    if (joined !== undefined) paragraphs.push(joined);
    else if (/^(?:-[a-z]*m|--message)$/u.test(args[at] as string)) paragraphs.push(args[++at] ?? "");
    else if (/^(?:-F|--file|--file=-)$/u.test(args[at] as string)) paragraphs.push(part.heredoc ?? "");
  }
  // A backtick in single quotes starts nothing.
  const isLiteral = part.inner.length === 0;
  return paragraphs
    .map((text) => heredocIn(text) ?? (isLiteral ? unescaped(text) : typedText(text)))
    .filter((text) => text !== "")
    .join("\n\n")
    .trim();
}

/** What was typed. What another program fills in, nobody has typed. */
function typedText(text: string): string {
  return /(?<!\\)(?:\$\(|`)/u.test(text) ? "" : unescaped(text);
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(["$`\\])/gu, "$1");
}

/** `"$(cat <<'EOF' … EOF)"`: how agents give a message of several lines. */
function heredocIn(text: string): string | undefined {
  if (!text.startsWith("$(cat <<")) return undefined;
  const [head = "", ...lines] = text.split("\n");
  const mark = /<<-?\s*["']?(\w+)/u.exec(head)?.[1];
  const end = lines.findIndex((line) => line.trim() === mark);
  const body = lines.slice(0, Math.max(0, end)).join("\n").trim();
  return /<<-?\s*["'\\]/u.test(head) ? body : typedText(body);
}
