import type { MemoryRecord } from "../memory/memory-record.js";
import type { Memory } from "../memory/memory.js";
import type { ShareProblem } from "./exchange.js";
import type { ReadFile } from "./shared-files.js";
import { sharedPath } from "./shared-folder.js";
import type { SharedState } from "./shared-state.js";

/** A memory of the project that the files speak of, or that is to be shared. */
export interface LocalMemory {
  key: number;
  record: MemoryRecord;
  memory: Memory;
  /** True when it belongs into the folder. */
  isShared: boolean;
  /** As Tacit would write it, and where. */
  text: string;
  hash: string;
  path: string;
}

/** One memory seen from all sides: its file, the store, and how both looked when they last agreed. */
export interface Side {
  id: string;
  file?: ReadFile;
  /** When they last agreed in this work tree. */
  known?: SharedState;
  /** When they last agreed in this one or, for a new clone, in another. */
  agreed?: SharedState;
  local?: LocalMemory;
  /** The file is there and could not be read; it is left alone. */
  isUnreadable: boolean;
}

/** What is to be done about a memory so that its file and the store agree. */
export type Step =
  | { do: "nothing"; side: Side }
  | { do: "add"; side: Side & { file: ReadFile } }
  | { do: "update"; side: Side & { file: ReadFile; local: LocalMemory } }
  | { do: "forget"; side: Side & { local: LocalMemory } }
  | { do: "write"; side: Side & { local: LocalMemory } }
  | { do: "remove"; side: Side & { file: ReadFile } }
  | { do: "ask"; side: Side; problem: ShareProblem };

/**
 * Decides by what changed since both agreed: a file that changed is read, a memory that changed is written, and where
 * both did, somebody is asked, unless it was said which side to prefer.
 */
export function planStep(side: Side, prefer: "files" | "store" | undefined): Step {
  const { file, known, agreed, local } = side;
  if (side.isUnreadable || (file && local?.isShared && local.hash === file.hash)) return { do: "nothing", side };
  const fileChanged = file ? file.hash !== agreed?.fileHash : known !== undefined;
  const localChanged =
    local !== undefined && local.record.forgottenReason !== "unshared" && local.hash !== agreed?.memoryHash;
  if (!fileChanged || !localChanged) return fileChanged ? takeFile(side) : takeStore(side);

  // Gone from both.
  if (!file && !local.isShared) return { do: "nothing", side };
  if (prefer === undefined) return { do: "ask", side, problem: bothChanged(side) };
  return prefer === "files" ? takeFile(side) : takeStore(side);
}

function takeFile(side: Side): Step {
  const { file, local } = side;
  if (!file) return local?.isShared ? { do: "forget", side: { ...side, local } } : { do: "nothing", side };
  return local ? { do: "update", side: { ...side, file, local } } : { do: "add", side: { ...side, file } };
}

function takeStore(side: Side): Step {
  const { file, agreed, local } = side;
  if (local?.isShared) {
    // A file that somebody wrote by hand gains its id.
    const isAsWritten = file?.incoming.record.id !== undefined && local.hash === agreed?.memoryHash;
    return isAsWritten ? { do: "nothing", side } : { do: "write", side: { ...side, local } };
  }
  if (file && local?.record.trustFlags.includes("secret-redacted")) {
    return { do: "ask", side, problem: holdsSecret(side) };
  }
  return file ? { do: "remove", side: { ...side, file } } : { do: "nothing", side };
}

function bothChanged({ file, known, id }: Side): ShareProblem {
  return {
    file: `${sharedPath}/${file?.path ?? known?.path ?? id}`,
    message: file ? "the file and the memory were both changed" : "the file was removed, and the memory was changed",
    hint: "tacit share --prefer files takes the files' side, tacit share --prefer store the memories'.",
  };
}

function holdsSecret({ file, id }: Side): ShareProblem {
  return {
    file: `${sharedPath}/${file?.path ?? id}`,
    message: "it holds what looks like a secret; the memory has it redacted",
    hint: "Take the secret out of the file, and make it worthless: what was in git stays in its history.",
  };
}
