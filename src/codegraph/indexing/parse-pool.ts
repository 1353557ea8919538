import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { builtFile } from "../../base/built-file.js";
import { parseInOrder, refusedFile, type FileToParse, type ParsedFile } from "./parse-file.js";

/** What goes into a thread. */
export interface ParseOrder {
  root: string;
  files: FileToParse[];
}

/** What comes back, one for each file and in their order; null for a file that is not there any more. */
export type ParseAnswer = ParsedFile | null;

// Starting a thread and loading parsers there takes as long as about so many ordinary files.
const fewFiles = 24;
// A thread has this many files before it, so that it never waits for the one who writes.
const orderFiles = 16;
// One that takes longer than this was made to: a file of 1 MB takes half a second.
const patienceMs = 5000;

/** Parses files, on every core but the one that writes, and gives each as soon as it is done, in no order. */
export async function* parseFiles(
  root: string,
  files: readonly FileToParse[],
  { threads = Math.max(1, availableParallelism() - 1) }: { threads?: number } = {},
): AsyncGenerator<ParsedFile> {
  if (files.length <= fewFiles) {
    for await (const parsed of parseInOrder(root, files)) if (parsed) yield parsed;
    return;
  }
  const done: ParsedFile[] = [];
  let waiting: (() => void) | undefined;
  const wake = () => waiting?.();
  const todo = [...files].toReversed();
  const take = () => todo.splice(-orderFiles).toReversed();
  const give = (parsed: ParsedFile) => {
    done.push(parsed);
    wake();
  };
  const running = new Set<ParseThread>();
  let failure: unknown;
  const started = Math.min(threads, Math.ceil(files.length / orderFiles));
  const ended = Promise.all(Array.from({ length: started }, () => work({ root, take, give, running }))).catch(
    (error: unknown) => {
      failure = error;
    },
  );
  let isDone = false;
  void ended.finally(() => {
    isDone = true;
    wake();
  });
  try {
    for (;;) {
      const next = done.shift();
      if (next) yield next;
      else if (isDone) break;
      else await new Promise<void>((resolve) => (waiting = resolve));
    }
    if (failure !== undefined) throw failure;
  } finally {
    // Whoever stops listening early stops the threads.
    todo.length = 0;
    await Promise.all([...running].map((thread) => thread.end()));
  }
}

interface Work {
  root: string;
  take: () => FileToParse[];
  give: (parsed: ParsedFile) => void;
  running: Set<ParseThread>;
}

/** Has one thread parse what there is to take. A file at which it dies or hangs is named, and another thread goes on. */
async function work({ root, take, give, running }: Work): Promise<void> {
  let files = take();
  while (files.length > 0) {
    const thread = new ParseThread();
    running.add(thread);
    try {
      while (files.length > 0) {
        const fate = await thread.parse(root, files, give);
        if (fate === "ended") return;
        if (fate === "done") {
          files = take();
          continue;
        }
        give(await refusedFile(root, fate.file, fate.problem));
        files = files.slice(files.indexOf(fate.file) + 1);
        break;
      }
    } finally {
      await thread.end();
      running.delete(thread);
    }
    if (files.length === 0) files = take();
  }
}

type Fate = "done" | "ended" | { file: FileToParse; problem: string };

class ParseThread {
  readonly #worker: Worker;
  #isEnding = false;

  constructor() {
    this.#worker = new Worker(builtFile("codegraph/indexing/parse-worker.js"), {
      name: "tacit-parser",
      // Not what the process was started with: `--inspect-brk` would stop here, and `--import` load somebody's hooks.
      execArgv: [],
      // A parser that runs natively recurses on the stack of its thread: 4 MB, the default, end at 5,000 nested functions.
      resourceLimits: { maxOldGenerationSizeMb: 512, stackSizeMb: 32 },
    });
  }

  /** Parses these files in order, and tells how it went: with the one at which it failed. */
  parse(root: string, files: readonly FileToParse[], give: (parsed: ParsedFile) => void): Promise<Fate> {
    const worker = this.#worker;
    let answered = 0;
    return new Promise((resolve) => {
      let timer = setTimeout(late, patienceMs);
      const settle = (fate: Fate) => {
        clearTimeout(timer);
        worker.off("message", hear).off("error", fail).off("exit", exit);
        resolve(fate);
      };
      const hear = (answer: ParseAnswer) => {
        clearTimeout(timer);
        answered += 1;
        if (answer) give(answer);
        if (answered === files.length) settle("done");
        else timer = setTimeout(late, patienceMs);
      };
      const current = () => files[answered] as FileToParse;
      const fail = () => settle({ file: current(), problem: "could not be parsed" });
      const exit = () => settle(this.#isEnding ? "ended" : { file: current(), problem: "could not be parsed" });
      function late() {
        settle({ file: current(), problem: "takes too long to parse" });
      }
      worker.on("message", hear).on("error", fail).on("exit", exit);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
      worker.postMessage({ root, files: [...files] } satisfies ParseOrder);
    });
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    await this.#worker.terminate();
  }
}
