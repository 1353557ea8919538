import { relative, sep } from "node:path";
import { watch } from "chokidar";
import { foreignFolders } from "../files/foreign-folders.js";
import { listIgnored } from "./list-ignored.js";

/** A work tree that is being watched. */
export interface Watching {
  /** Ends it, after what is being done. */
  close(): Promise<void>;
}

export interface WatchOptions {
  /** How long it must be quiet before something is done. Default 500. */
  quietMs?: number;
  /** What could not be done, or watched. Nobody else hears of it. */
  onError?: (error: unknown) => void;
  /** Ends it, also before it has begun. */
  signal?: AbortSignal;
  /** Paths from the root that do not count, such as what `work` itself writes. */
  leaveOut?: ReadonlySet<string>;
}

const usualQuietMs = 500;
// Somebody who writes without a pause gets an index all the same.
const longestMs = 5000;

/** Calls `work` whenever files of a work tree have changed and it has been quiet for a moment; never twice at once. */
export async function watchTree(
  root: string,
  work: () => Promise<unknown>,
  { quietMs = usualQuietMs, onError = () => undefined, signal, leaveOut = new Set() }: WatchOptions = {},
): Promise<Watching> {
  const ignored = new Set([...(await listIgnored(root)), ...leaveOut]);
  const watcher = watch(root, {
    ignoreInitial: true,
    followSymlinks: false,
    ignored: (path) => isIgnored(relative(root, path).split(sep).join("/"), ignored),
  });
  let timer: NodeJS.Timeout | undefined;
  let since: number | undefined;
  let running: Promise<unknown> = Promise.resolve();
  const begin = () => {
    timer = undefined;
    since = undefined;
    running = running.then(work).catch(onError);
  };
  watcher.on("all", () => {
    since ??= performance.now();
    const left = Math.max(0, longestMs - (performance.now() - since));
    clearTimeout(timer);
    timer = setTimeout(begin, Math.min(quietMs, left));
  });
  watcher.on("error", onError);
  const close = async (): Promise<void> => {
    clearTimeout(timer);
    await watcher.close();
    await running;
  };
  await new Promise<void>((resolve) => {
    const end = () => void close().then(resolve);
    watcher.once("ready", resolve);
    if (signal?.aborted) end();
    else signal?.addEventListener("abort", end, { once: true });
  });
  return { close };
}

/** Folders that git ignores as a whole are not even looked at: a `node_modules` has more files than the rest together. */
function isIgnored(path: string, ignored: ReadonlySet<string>): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return ignored.has(path) || name === ".git" || foreignFolders.has(name);
}
