import { type ChangeSubscriber, forShare, type MemoryContext } from "../../memory/change/change.js";
import { lstatSync } from "node:fs";
import { join } from "node:path";
import { MemoryError } from "../../base/memory-error.js";
import type { ReviewedMemory } from "../../memory/memory.js";
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
  accept(accepted?: boolean, options?: { withRules?: boolean }): Promise<void>;
  /** Approves what a pending memory shows of a shared file; undefined for a memory that shows none. */
  approve(
    context: MemoryContext,
    reference: string,
    changes?: { content?: string },
  ): Promise<ReviewedMemory | undefined>;
  /** Has the work done that refuses a pending memory; what it shows of a shared file is not shown again. */
  refusing<T>(context: MemoryContext, reference: string, refuse: () => Promise<T>): Promise<T>;
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
    approve: async (asked, reference, changes) => {
      const { approveShared, findShown } = await deciding();
      const shown = await findShown(asked, reference);
      readAt = -Infinity;
      return shown && approveShared(asked, shown, changes);
    },
    refusing: async (asked, reference, refuse) => {
      const { findShown, refuseShared } = await deciding();
      const shown = await findShown(asked, reference);
      const refused = await refuse();
      if (shown) await refuseShared(asked, shown);
      return refused;
    },
    accept: async (accepted = true, options = {}) => {
      await (await load()).accept(context, accepted, options);
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

const deciding = () => import("./decide-shared.js");

function noticesOf({ waiting, proposed, problems }: SharedReading): string[] {
  const authors = [...new Set(proposed.map(({ sharedBy }) => sharedBy ?? "nobody whom git knows"))];
  const shared =
    proposed.length === 1 ? "1 shared memory is pending" : `${proposed.length} shared memories are pending`;
  const waits =
    waiting === 1
      ? "1 memory that came with this folder is pending"
      : `${waiting} memories that came with this folder are pending`;
  return [
    ...(waiting > 0 ? [`${waits} in .tacit/memories. Look at what is there; tacit project accept approves it.`] : []),
    ...(proposed.length > 0 ? [`${shared} your review, by ${authors.slice(0, 5).join(", ")}: tacit review`] : []),
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
