import { Argument, type Command, InvalidArgumentError } from "commander";
import type { Role } from "../../index.js";
import { collect, pastMoment, wholeNumber } from "../terminal/option-values.js";
import type { Shell } from "../terminal/shell.js";

const details = `
SESSION is the id of a conversation: any text of yours, or the id that an agent gave its session.
Where it may be left out, the newest conversation of the project is meant.

Examples:
  tacit chat log planning user "Why do retries fail?"   say something in the conversation planning
  tacit chat log planning                               what was said in it
  tacit chat window planning --max-tokens 2000          the last turns, for a prompt
  tacit chat compact planning --keep 10                 sum up all but the last 10 messages
  tacit chat consolidate planning                       take what is worth keeping, sum up the rest
  tacit chat history retries                            find in what was summed up
  tacit chat import ~/chats/planning.jsonl --dry-run    what would be taken in
`;

const logExamples = `
Without a role it shows what was said; with role and text it adds a turn.

Examples:
  tacit chat log planning user "Why do retries fail?"
  git diff | tacit chat log planning tool - --tool git
  tacit chat log planning --last 6
`;

const importDetails = `
What a file is, Tacit sees from its beginning: a transcript of Claude Code, or JSON Lines with role
and content. Turns that are there already are passed over, so that a file which has grown adds what
is new.

Examples:
  tacit chat import ~/.claude/projects/-home-me-shop/3f2a….jsonl
  echo '{"role":"user","content":"Hello"}' | tacit chat import - --session planning
`;

const historyDetails = `
With words it finds the archives that hold them, best first; tacit recall "…" --type archive also
finds by meaning. HISTORY.md holds all of them as text, for grep.
`;

// Written out for the same reason as the lists in filter-options.ts.
const roles: Record<Role, true> = { user: true, assistant: true, system: true, tool: true };

const session = "the id of the conversation, or the last 8 characters of it; the newest when left out";

export function addChat(program: Command, shell: Shell): void {
  const chat = program
    .command("chat")
    .description("keep what was said, give it back small, and sum it up without losing it")
    .addHelpText("after", details);
  addTalking(chat, shell);
  addSummingUp(chat, shell);
  addFiles(chat, shell);
}

function addTalking(chat: Command, shell: Shell): void {
  chat
    .command("log")
    .description("add what was said to a conversation, or show it")
    .argument("[session]", session)
    .addArgument(new Argument("[role]", "who says it").choices(Object.keys(roles)))
    .argument("[text]", "what is said, in quotes; - reads it from standard input")
    .option("--tool <name>", "a tool that was used (repeatable)", collect)
    .option("--at <time>", "when it was said: a time, or how long ago (default now)", pastMoment)
    .option("--last <count>", "show so many of the last turns", wholeNumber)
    .addHelpText("after", logExamples)
    .action(async (...line) => {
      const [sessionId, role, text, flags] = line as unknown as LogLine;
      await shell.print(await (await import("./chat-log.js")).log(shell, { sessionId, role, text, ...flags }));
    });
  chat
    .command("window")
    .description("show the last turns, oldest first, as messages for a prompt")
    .argument("[session]", session)
    .option(
      "--turns <count>",
      "how many; a question and its answer are one (default: setting windowTurns)",
      wholeNumber,
    )
    .option("--max-tokens <count>", "leave out what does not fit, the oldest first", wholeNumber)
    .option("--clear", "begin with an empty window from now on; nothing is forgotten")
    .action(async (sessionId: string | undefined, flags: WindowFlags) =>
      shell.print(await (await import("./chat-window.js")).window(shell, sessionId, flags)),
    );
  chat
    .command("list")
    .description("show the conversations of the project, newest first")
    .option("--limit <count>", "so many of them, default 20", wholeNumber)
    .action(async (flags: { limit?: number }) =>
      shell.print(await (await import("./chat-window.js")).listConversations(shell, flags)),
    );
  chat
    .command("context")
    .description("show or set a value that holds until the end of the day")
    .argument("<key>", "its key, such as current_task")
    .argument("[text]", "the new value; - reads it from standard input")
    .option("--session <id>", "only within this session")
    .action(async (key: string, text: string | undefined, flags: { session?: string }) =>
      shell.print(await (await import("./chat-context.js")).context(shell, key, text, flags)),
    );
}

/** What commander hands over. */
type LogLine = [
  sessionId: string | undefined,
  role: Role | undefined,
  text: string | undefined,
  flags: { tool?: string[]; at?: string; last?: number },
];

export interface WindowFlags {
  turns?: number;
  maxTokens?: number;
  clear?: boolean;
}

export interface ConsolidateFlags {
  keep?: number;
  new?: boolean;
  model: boolean;
  recap?: boolean;
}

function addSummingUp(chat: Command, shell: Shell): void {
  chat
    .command("compact")
    .description("sum up the beginning of a conversation as an archive that leads to every turn")
    .argument("[session]", session)
    .option("--keep <count>", "so many of the last messages stay as they are (default: setting keepCount)", countOrNone)
    .option("--summary <text>", "a summary of your own; - reads it from standard input")
    .action(async (sessionId: string | undefined, flags: { keep?: number; summary?: string }) =>
      shell.print(await (await import("./chat-archive.js")).compact(shell, sessionId, flags)),
    );
  chat
    .command("consolidate")
    .description("take what is worth keeping from a conversation, and sum up the rest")
    .argument("[session]", session)
    .option("--keep <count>", "so many of the last messages stay as they are (default 0)", countOrNone)
    .option("--new", "begin anew afterwards, with an empty window")
    .option("--no-model", "ask no language model, whatever is configured")
    .option("--recap", "also show what stays, as one text for a prompt")
    .action(async (sessionId: string | undefined, flags: ConsolidateFlags) =>
      shell.print(await (await import("./chat-archive.js")).consolidate(shell, sessionId, flags)),
    );
  chat
    .command("history")
    .description("show what was summed up, newest first, or find in it")
    .argument("[query]", "a question or some words, in quotes; - reads it from standard input")
    .option("--limit <count>", "so many of them, default 20", wholeNumber)
    .addHelpText("after", historyDetails)
    .action(async (query: string | undefined, flags: { limit?: number }) =>
      shell.print(await (await import("./chat-history.js")).history(shell, query, flags)),
    );
}

function addFiles(chat: Command, shell: Shell): void {
  chat
    .command("import")
    .description("take in what was said elsewhere")
    .argument("<path>", "a transcript of Claude Code, or role/content JSON Lines; - reads standard input")
    .option("--session <id>", "the conversation of lines that name none; of a transcript this session alone")
    .option("--dry-run", "only tell what would happen")
    .addHelpText("after", importDetails)
    .action(async (path: string, flags: { session?: string; dryRun?: boolean }) =>
      shell.print(await (await import("./chat-import.js")).importChat(shell, path, flags)),
    );
  chat
    .command("memory")
    .description("show MEMORY.md, after taking in what you changed in it")
    .option("--path", "only where it lies")
    .action(async (flags: { path?: boolean }) =>
      shell.print(await (await import("./chat-memory.js")).memoryFile(shell, flags)),
    );
}

function countOrNone(value: string): number {
  if (/^\d{1,15}$/.test(value)) return Number(value);
  throw new InvalidArgumentError("It takes a whole number, 0 or more.");
}
