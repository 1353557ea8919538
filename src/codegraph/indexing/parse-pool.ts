import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { MemoryError } from "../../base/memory-error.js";
import { builtFile } from "../../base/built-file.js";
import { mayHaveFailed, parseInOrder, refusedFile, type FileToParse, type ParsedFile } from "./parse-file.js";

/** What goes into a thread. */
export interface ParseOrder {
  root: string;
  files: FileToParse[];
}

/** What comes back: that it has started, then one for each file and in their order; null for a file that is not there any more. */
export type ParseAnswer = "ready" | ParsedFile | null;

// Starting a thread and loading parsers there takes as long as about so many ordinary files.
const fewFiles = 24;
// A thread has this many files before it, so that it never waits for the one who writes.
const orderFiles = 16;
// So many may wait for the one who writes: two of its transactions.
const maxWaiting = 256;
// One that takes longer than this was made to: a file of 1 MB takes half a second.
const longestMs = 5000;

export interface ParseOptions {
  threads?: number;
  /** How long one file may take. */
  patienceMs?: number;
}

/** Parses files, on every core but the one that writes, and gives each as soon as it is done, in no order. */
export async function* parseFiles(
  root: string,
  files: readonly FileToParse[],
  { threads = Math.max(1, availableParallelism() - 1), patienceMs = longestMs }: ParseOptions = {},
): AsyncGenerator<ParsedFile> {
  // What has ended a thread or kept it for ever must not do so here.
  if (files.length <= fewFiles && !files.some(mayHaveFailed)) {
    for await (const parsed of parseInOrder(root, files)) if (parsed) yield parsed;
    return;
  }
  const done: ParsedFile[] = [];
  const [news, room] = [new Bell(), new Bell()];
  const todo = [...files].toReversed();
  const byPath = new Map(files.map((file) => [file.path, file]));
  const take = async () => {
    while (done.length >= maxWaiting && todo.length > 0) await room.rung();
    return todo.splice(-orderFiles).toReversed();
  };
  const give = (parsed: ParsedFile) => {
    done.push(parsed);
    news.ring();
  };
  const running = new Set<ParseThread>();
  let failure: unknown;
  const started = Math.min(threads, Math.ceil(files.length / orderFiles));
  const job = { root, patienceMs, take, give, running };
  const ended = Promise.all(Array.from({ length: started }, () => work(job))).catch((error: unknown) => {
    failure = error;
  });
  let isDone = false;
  void ended.finally(() => {
    isDone = true;
    news.ring();
  });
  try {
    for (;;) {
      const next = done.shift();
      room.ring();
      if (next?.lacksParser) yield* parseHere(root, byPath.get(next.path), next);
      else if (next) yield next;
      else if (isDone) break;
      else await news.rung();
    }
    if (failure !== undefined) throw failure;
  } finally {
    // Whoever stops listening early stops the threads.
    todo.length = 0;
    room.ring();
    await Promise.all([...running].map((thread) => thread.end()));
  }
}

/**
 * Parses a file for which a thread had no parser. The memory of a WebAssembly parser takes 10 GB of address space, and each
 * thread has its own: where that is limited, a process that could open its parser has threads that cannot.
 */
async function* parseHere(
  root: string,
  file: FileToParse | undefined,
  refusal: ParsedFile,
): AsyncGenerator<ParsedFile> {
  if (!file || mayHaveFailed(file)) yield refusal;
  else for await (const parsed of parseInOrder(root, [file])) if (parsed) yield parsed;
}

/** Wakes whoever waits for it. */
class Bell {
  #waiting: (() => void)[] = [];

  async rung(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  ring(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }
}

interface Work {
  root: string;
  patienceMs: number;
  take: () => Promise<FileToParse[]>;
  give: (parsed: ParsedFile) => void;
  running: Set<ParseThread>;
}

/** Has one thread parse what there is to take. After a file at which it dies or hangs, another thread goes on. */
async function work(job: Work): Promise<void> {
  let files = await job.take();
  while (files.length > 0) {
    const fate = await inThread(job, async (thread) => {
      for (; files.length > 0; files = await job.take()) {
        const reached = await thread.parse(job, files);
        if (reached !== "done") return reached;
      }
      return "done";
    });
    if (fate === "done" || fate === "ended") return;
    files = files.slice(files.indexOf(fate.file) + 1);
    await parseAlone(job, fate.file);
    if (files.length === 0) files = await job.take();
  }
}

/** Tries a file once more: a machine that slept, or what was parsed before it, may have been the cause. */
async function parseAlone(job: Work, file: FileToParse): Promise<void> {
  const fate = await inThread(job, async (thread) => thread.parse(job, [file]));
  if (fate !== "done" && fate !== "ended") job.give(await refusedFile(job.root, file, fate.problem));
}

async function inThread(job: Work, task: (thread: ParseThread) => Promise<Fate>): Promise<Fate> {
  const thread = new ParseThread();
  job.running.add(thread);
  try {
    return await task(thread);
  } finally {
    await thread.end();
    job.running.delete(thread);
  }
}

type Fate = "done" | "ended" | { file: FileToParse; problem: string };

class ParseThread {
  readonly #worker: Worker;
  #isReady = false;
  #isEnding = false;
  #error: Error | undefined;

  constructor() {
    this.#worker = new Worker(builtFile("codegraph/indexing/parse-worker.js"), {
      name: "tacit-parser",
      // Not what the process was started with: `--inspect-brk` would stop here, and `--import` load somebody's hooks.
      execArgv: [],
      // A parser that runs natively recurses on the stack of its thread: 4 MB, the default, end at 5,000 nested functions.
      resourceLimits: { maxOldGenerationSizeMb: 512, stackSizeMb: 32 },
    });
    // It may be told before the last answers are. When the thread has ended, all are.
    this.#worker.on("error", (error: unknown) => {
      this.#error = error instanceof Error ? error : new Error(String(error));
    });
  }

  /** Parses these files in order, and tells how it went: with the one at which it failed. Throws when it cannot even start. */
  parse({ root, patienceMs, give }: Work, files: readonly FileToParse[]): Promise<Fate> {
    const worker = this.#worker;
    let answered = 0;
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const wait = () => {
        clearTimeout(timer);
        if (this.#isReady) timer = setTimeout(late, patienceMs);
      };
      const settle = (fate: Fate | MemoryError) => {
        clearTimeout(timer);
        worker.off("message", hear).off("exit", exit);
        if (fate instanceof MemoryError) reject(fate);
        else resolve(fate);
      };
      const hear = (answer: ParseAnswer) => {
        this.#isReady = true;
        if (answer !== "ready") answered += 1;
        if (answer !== "ready" && answer) give(answer);
        if (answered === files.length) settle("done");
        else wait();
      };
      const current = () => files[answered] as FileToParse;
      const exit = () => {
        const why = this.#error?.message ?? "its thread ended";
        if (this.#isEnding) settle("ended");
        else if (!this.#isReady) settle(cannotStart(why, this.#error));
        else settle({ file: current(), problem: `could not be parsed: ${why}` });
      };
      const late = () => settle({ file: current(), problem: "takes too long to parse" });
      worker.on("message", hear).on("exit", exit);
      wait();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
      worker.postMessage({ root, files: [...files] } satisfies ParseOrder);
    });
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    await this.#worker.terminate();
  }
}

function cannotStart(why: string, cause: unknown): MemoryError {
  return new MemoryError(
    "store-failed",
    `The thread that parses files could not be started: ${why}`,
    "Nothing was marked as unreadable. Install the package anew if this happens again.",
    cause,
  );
}
