import { textOf } from "./loose-value.js";

export interface SeenCommit {
  /** As git shows it, most often seven characters. */
  sha: string;
  message: string;
}

/**
 * The commits that a command made, told by what git says then: `[main 1a2b3c4] Fix the parser`. The message is the whole
 * one where the command carries it, else its first line. Nothing for other commands, nor where git was told to be quiet.
 */
export function seenCommits(input: Record<string, unknown>, output: string): SeenCommit[] {
  const command = textOf(input["command"]) ?? textOf(input["cmd"]) ?? textOf(input["script"]);
  if (command === undefined || !/\bgit\b[^\n;|&]{0,200}\bcommit\b/u.test(command)) return [];
  const messages = givenMessages(command.slice(0, maxCommand));
  const said = output.length > maxOutput ? output.slice(-maxOutput) : output;
  return [...said.matchAll(/^\[[^\]\n]{1,200} ([\da-f]{7,40})\] (\S.*)$/gmu)]
    .slice(0, maxCommits)
    .map(([, sha = "", subject = ""]) => ({
      sha,
      message: messages.find((message) => message.split("\n", 1)[0]?.trim() === subject.trim()) ?? subject.trim(),
    }));
}

const maxCommand = 20_000;
// Hooks of a commit may say much before git does.
const maxOutput = 200_000;
const maxCommits = 20;

/** Every message that a command line gives to git, paragraphs of several `-m` together. */
function givenMessages(command: string): string[] {
  return command.split(/\bcommit\b/u).map((part) => {
    const paragraphs: string[] = [];
    for (const { index, 0: option } of part.matchAll(/(?:^|\s)(?:-[a-z]*m|--message)[\s=]?(?=["'])/gu)) {
      const text = quotedAt(part, index + option.length);
      if (text !== undefined) paragraphs.push(text);
    }
    return paragraphs.join("\n\n").trim();
  });
}

function quotedAt(text: string, start: number): string | undefined {
  const quote = text[start] ?? "";
  if (quote === '"' && text.startsWith("$(cat <<", start + 1)) return heredocAt(text, start);
  let end = start + 1;
  while (end < text.length && text[end] !== quote) end += quote === '"' && text[end] === "\\" ? 2 : 1;
  if (end >= text.length) return undefined;
  const inner = text.slice(start + 1, end);
  return quote === '"' ? inner.replaceAll(/\\(["$`\\])/gu, "$1") : inner;
}

/** `"$(cat <<'EOF' … EOF)"`: how agents give a message of several lines. */
function heredocAt(text: string, start: number): string | undefined {
  const [head = "", ...lines] = text.slice(start).split("\n");
  const mark = /<<-?\s*["']?(\w+)/u.exec(head)?.[1];
  const end = lines.findIndex((line) => line.trim() === mark);
  return end < 0 ? undefined : lines.slice(0, end).join("\n").trim();
}
