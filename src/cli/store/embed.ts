import { type Command, Option } from "commander";
import type { EmbeddingStatus, EmbedReport, TacitMemory } from "../../index.js";
import type { Answer } from "../terminal/answer.js";
import { countOf } from "../../base/count-of.js";
import { wholeNumber } from "../terminal/option-values.js";
import type { Page } from "../terminal/page.js";
import { renderEmbedding } from "./render-embedding.js";
import { oneLine } from "../terminal/one-line.js";
import { setOnly } from "../terminal/set-only.js";
import type { Shell } from "../terminal/shell.js";

const details = `
A memory is found by what it means, and not only by its words, once it has a vector. Vectors are made by themselves, a
few after each recall and in programs that stay open; this makes all of them now. Stopped or killed, it goes on where it
was. The model is the bundled one unless you name another: tacit config set embeddingProvider ollama
`;

interface EmbedFlags {
  limit?: number;
  status?: boolean;
  code?: boolean;
}

export function addEmbed(program: Command, shell: Shell): void {
  program
    .command("embed")
    .description("make every memory findable by its meaning now")
    .option("--limit <count>", "at most this many", wholeNumber)
    .addOption(new Option("--status", "only tell how it stands").conflicts("code"))
    .option("--code", "the chunks of the code instead, for tacit recall --code")
    .addHelpText("after", details)
    .action(async ({ limit, status = false, code = false }: EmbedFlags) => {
      if (code) return shell.print(await (await import("../code/embed-code.js")).embedCode(shell, limit));
      return shell.print(await (status ? tellStatus(shell) : embed(shell, limit)));
    });
}

async function tellStatus(shell: Shell): Promise<Answer> {
  const { embedding } = await shell.withMemory((memory) => memory.stats());
  return { document: embedding, text: (page) => renderEmbedding(embedding, page) };
}

async function embed(shell: Shell, limit: number | undefined): Promise<Answer> {
  const { report, status, isStopped, isOff, tookMs } = await shell.withMemory((memory) => run(shell, memory, limit));
  const ended: Ended = { ...report, ...setOnly({ modelId: status.modelId }), isStopped, tookMs };
  // As a shell expects it of a command that was stopped.
  if (isStopped) process.exitCode = 130;
  return {
    document: ended,
    ...(report.failure !== undefined && { ok: false }),
    text: (page) =>
      [...renderEnd(ended, status, page), ...nextSteps(ended, isOff).map((line) => page.paint("dim", line))].join("\n"),
  };
}

interface Ended extends EmbedReport {
  modelId?: string;
  isStopped: boolean;
  tookMs: number;
}

async function run(shell: Shell, memory: TacitMemory, limit: number | undefined) {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  const begun = performance.now();
  process.once("SIGINT", stop);
  try {
    const report = await memory.embedPending({
      ...setOnly<{ limit?: number }>({ limit }),
      signal: stopping.signal,
      onProgress: ({ done, total }) =>
        shell.progress(`Embedded ${done.toLocaleString("en")} of ${countOf(total, "memory")} …`),
    });
    const tookMs = Math.round(performance.now() - begun);
    return {
      report,
      status: (await memory.stats()).embedding,
      isStopped: stopping.signal.aborted,
      isOff: report.failure !== undefined && (await memory.projects.config()).settings.embeddingProvider === "none",
      tookMs,
    };
  } finally {
    process.off("SIGINT", stop);
    shell.progress("");
  }
}

function renderEnd(ended: Ended, status: EmbeddingStatus, page: Page): string[] {
  const { refused, failure } = ended;
  return [
    oneLine(`${ended.isStopped ? "Stopped. " : ""}${sentence(ended, status)}`, page),
    ...(refused > 0 ? [page.paint("yellow", refusal(refused))] : []),
    ...(failure === undefined ? [] : [page.paint("red", oneLine(failure, page))]),
  ];
}

function sentence({ embedded, pending, modelId, tookMs }: Ended, status: EmbeddingStatus): string {
  const by = modelId === undefined ? "" : ` with ${modelId}`;
  const wait = pending === 1 ? "waits" : "wait";
  if (embedded > 0) {
    const left = pending === 0 ? "" : `; ${pending.toLocaleString("en")} still ${wait}`;
    return `Embedded ${countOf(embedded, "memory")}${by} in ${(tookMs / 1000).toFixed(1)} s${left}.`;
  }
  if (pending > 0) return `Nothing was embedded; ${countOf(pending, "memory")} ${wait}.`;
  if (status.embedded === 0) return `There is nothing to embed yet. Begin with: tacit remember "…"`;
  return `Nothing to do: ${countOf(status.embedded, "memory")} embedded${by}.`;
}

function refusal(count: number): string {
  const which = count === 1 ? "which is found by its" : "which are found by their";
  return `The model refused ${countOf(count, "memory")}, ${which} words only.`;
}

function nextSteps({ failure, hint, pending, refused }: Ended, isOff: boolean): string[] {
  if (isOff) return ["To choose the bundled one: tacit config set embeddingProvider bundled"];
  if (failure !== undefined) {
    return [
      ...(hint === undefined ? [] : [hint]),
      "What is kept is found by words meanwhile. tacit doctor tells what is set up; tacit embed tries again.",
    ];
  }
  return pending > refused ? ["tacit embed goes on with the others."] : [];
}
