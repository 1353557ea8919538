import type { Command } from "commander";
import type { Memory, ReviewedMemory, TacitMemory } from "../../index.js";
import { contradictedRemark } from "../listing/remarks.js";
import { findProjectNotice, withNotice } from "../memories/project-notice.js";
import { oneLine } from "../terminal/one-line.js";
import { aboutMemory } from "../listing/about-memory.js";
import type { Answer } from "../terminal/answer.js";
import { countOf } from "../../base/count-of.js";
import { getMemory } from "../listing/get-memory.js";
import type { Page } from "../terminal/page.js";
import { renderMemoryList } from "../listing/render-memory-list.js";
import { shortId } from "../terminal/short-id.js";
import type { Shell } from "../terminal/shell.js";
import { textArgument } from "../terminal/text-argument.js";
import { fold } from "../terminal/text-width.js";

const details = `
What waits here was inferred from what agents did, or comes from outside the project: the web, other
tools, files that git does not know. It is told to nobody before you accept it.

What an agent remembered while no hooks watched it is unverified: it answers when somebody asks, and no
agent is told of it by itself. tacit verify REF changes that.

Examples:
  tacit review                          what waits, and why
  tacit show REF --evidence             what it was made of
  tacit review accept REF               let it speak
  tacit review edit REF "better text"   let it speak in other words
  tacit review reject REF               forget it; only new evidence brings it back
  tacit review reject REF --forever     and nothing brings it back
  tacit review --unverified             what agents wrote unwatched
`;

export function addReview(program: Command, shell: Shell): void {
  const review = program
    .command("review")
    .description("look at what waits for you, and accept or reject it")
    .option("--unverified", "show what agents wrote unwatched instead")
    .addHelpText("after", details)
    .action(async ({ unverified = false }: { unverified?: boolean }) =>
      shell.print(await (unverified ? showUnverified(shell) : showWaiting(shell))),
    );
  const reference = "its id, the last 8 characters of it, or its name";
  review
    .command("accept")
    .description("let memories speak that waited")
    .argument("<refs...>", reference)
    .action(async (references: string[]) => shell.print(await accept(shell, references)));
  review
    .command("edit")
    .description("let a memory speak in other words")
    .argument("<ref>", reference)
    .argument("<text>", "the new text; - reads standard input")
    .action(async (ref: string, text: string) => {
      const content = await textArgument(text, shell);
      const accepted = await shell.withMemory((memory) => memory.review.accept(ref, { content }));
      await shell.print(aboutMemory(accepted, (id) => `Accepted ${id} in your words.`, contradictedRemark(accepted)));
    });
  review
    .command("reject")
    .description("forget memories that waited")
    .argument("<refs...>", reference)
    .option("--forever", "never propose it again, whatever is seen")
    .action(async (references: string[], { forever = false }: { forever?: boolean }) =>
      shell.print(await reject(shell, references, forever)),
    );
}

async function showWaiting(shell: Shell): Promise<Answer> {
  const { waiting, unverified, inDoubt, notice } = await shell.withMemory(async (memory) => ({
    ...(await memory.review.pending()),
    inDoubt: (await memory.review.stale({ recheck: false })).inDoubt.length,
    // What leads here is listed already.
    notice: (await findProjectNotice(memory, shell))
      ?.split("\n")
      .filter((line) => !line.endsWith(": tacit review"))
      .join("\n"),
  }));
  return {
    document: waiting,
    ids: waiting.map(({ id }) => id),
    text: (page) => {
      const answer = [
        ...(waiting.length === 0
          ? ["Nothing waits for a review."]
          : [
              renderMemoryList(waiting, page, ({ review }) => [review.reason ?? "It waits for a person."]),
              page.paint(
                "dim",
                "tacit review accept REF · edit REF TEXT · reject REF [--forever] · tacit show REF --evidence",
              ),
            ]),
        ...(unverified.length === 0 ? [] : [dimmed(unverifiedNotice(unverified.length), page)]),
        ...(inDoubt === 0 ? [] : [dimmed(doubtNotice(inDoubt), page)]),
      ];
      return withNotice(answer.join("\n\n"), notice || undefined, page);
    },
  };
}

function dimmed(text: string, page: Page): string {
  return fold(text, page.width)
    .map((line) => page.paint("dim", line))
    .join("\n");
}

function unverifiedNotice(count: number): string {
  const [wrote, are] = count === 1 ? ["an agent", "is"] : ["agents", "are"];
  return `${countOf(count, "memory")} that ${wrote} wrote unwatched (over MCP, without hooks) ${are} not told by ${count === 1 ? "itself" : "themselves"}: tacit review --unverified`;
}

function doubtNotice(count: number): string {
  return `${countOf(count, "memory")} ${count === 1 ? "is" : "are"} in doubt since the code changed: tacit verify --stale`;
}

async function showUnverified(shell: Shell): Promise<Answer> {
  const { unverified } = await shell.withMemory((memory) => memory.review.pending());
  return {
    document: unverified,
    ids: unverified.map(({ id }) => id),
    text: (page) =>
      unverified.length === 0
        ? "Nothing is unverified."
        : [
            renderMemoryList(unverified, page, ({ review }) => [review.reason ?? "Nobody has verified it."]),
            page.paint("dim", 'tacit verify REF lets agents be told · tacit forget REF · tacit flag REF "why"'),
          ].join("\n\n"),
  };
}

async function accept(shell: Shell, references: string[]): Promise<Answer> {
  const accepted = await forEach(shell, references, (memory, ref) => memory.review.accept(ref));
  return answerFor(accepted, (ids) => `Accepted ${ids}.`);
}

async function reject(shell: Shell, references: string[], forever: boolean): Promise<Answer> {
  const rejected = await forEach(shell, references, (memory, ref) => memory.review.reject(ref, { forever }));
  return answerFor(rejected, (ids) => (forever ? `Rejected ${ids} for ever.` : `Rejected ${ids}.`));
}

async function forEach(
  shell: Shell,
  references: string[],
  decide: (memory: TacitMemory, reference: string) => Promise<ReviewedMemory>,
): Promise<Decided[]> {
  return shell.withMemory(async (memory) => {
    // A slip in the last reference must not leave the others decided and untold.
    const asked: Memory[] = [];
    for (const reference of references) asked.push(await getMemory(memory, reference));
    const decided: Decided[] = [];
    for (const { id } of asked) decided.push({ id, memory: await decide(memory, id) });
    return decided;
  });
}

/** What was decided about, and what it is now: of what others shared, the memory that its file stands for. */
interface Decided {
  id: string;
  memory: ReviewedMemory;
}

function answerFor(decided: Decided[], sentence: (ids: string) => string): Answer {
  const memories = decided.map(({ memory }) => memory);
  const ids = decided
    .map(({ id, memory }) => (id === memory.id ? shortId(id) : `${shortId(id)}, imported as ${shortId(memory.id)}`))
    .join(", ");
  return {
    document: memories,
    ids: memories.map(({ id }) => id),
    text: (page) =>
      [
        sentence(memories.length > 3 ? countOf(memories.length, "memory") : ids),
        ...memories.flatMap(contradictedRemark).map((remark) => page.paint("yellow", oneLine(remark, page))),
        "",
        renderMemoryList(memories, page),
      ].join("\n"),
  };
}
