import { type ChangeSubscriber, forShare, type MemoryContext } from "../../memory/change/change.js";
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { MemoryError } from "../../base/memory-error.js";
import type { ShareOptions, ShareReport } from "../exchange.js";
import type { SharedReading } from "./read-if-changed.js";

/** The shared files of the work tree, looked at by the way. */
export interface Sharing {
  /** Follows changes: what was wrong with a file may be mended by one, such as another name. */
  subscriber: ChangeSubscriber;
  /** Reads the files if they changed, at most once a second. Never fails: what is wrong becomes a notice. */
  read(): Promise<void>;
  /** What was wrong, or waits. */
  notices(): Promise<string[]>;
  share(context: MemoryContext, options?: ShareOptions): Promise<ShareReport>;
  accept(accepted?: boolean): Promise<void>;
}

// A look at the folder takes under a millisecond for a hundred files; a long-lived process asks often.
const everyMs = 1000;
// An answer must not wait for what another process is writing.
const patienceMs = 50;

export function openSharing(opened: MemoryContext): Sharing {
  const context = forShare(opened);
  let readAt = -Infinity;
  let notices: string[] = [];
  const read = async (): Promise<void> => {
    // A project that was named need not be the one of this folder.
    if (!("folder" in context.project) || performance.now() - readAt < everyMs) return;
    readAt = performance.now();
    notices = await look(context);
  };
  return {
    subscriber: {
      name: "share",
      after: ({ by }) => {
        if (by.kind !== "share") readAt = -Infinity;
      },
    },
    read,
    notices: async () => {
      await read();
      return notices;
    },
    share: async (asked, options) => {
      readAt = -Infinity;
      return (await import("./share-memories.js")).shareMemories(forShare(asked), options);
    },
    accept: async (accepted = true) => {
      await (await load()).accept(context, accepted);
      readAt = -Infinity;
      await read();
    },
  };
}

async function look(context: MemoryContext): Promise<string[]> {
  try {
    const { root } = await context.folder();
    // Most projects share nothing, and then nothing is loaded.
    if (!lstatSync(join(root, ".tacit", "memories"), { throwIfNoEntry: false })?.isDirectory()) return [];
    if (!(await context.settings()).enabled) return [];
    return noticesOf(await (await load()).readIfChanged(context, patienceMs));
  } catch (error) {
    // Somebody else is writing; the next look will do it.
    if (error instanceof MemoryError && error.code === "store-locked") return [];
    if (error instanceof MemoryError) return [`Shared memories were not read: ${error.message} ${error.hint}`];
    return [`Shared memories were not read: ${error instanceof Error ? error.message : String(error)}`];
  }
}

function noticesOf({ waiting, problems }: SharedReading): string[] {
  const waits =
    waiting === 1 ? "1 memory that came with this folder waits" : `${waiting} memories that came with this folder wait`;
  return [
    ...(waiting > 0 ? [`${waits} in .tacit/memories. Look at what is there; tacit project accept lets it speak.`] : []),
    ...problems.map(
      ({ file, line, message, hint }) =>
        `${file}${line === undefined ? "" : `:${line}`}: ${message.replace(/\.$/, "")}. ${hint}`,
    ),
  ];
}

/** Loaded when it is needed: recall does not wait for it. */
async function load(): Promise<typeof import("./read-if-changed.js")> {
  return import("./read-if-changed.js");
}
