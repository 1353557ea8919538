import type { MemoryRecord, Memory } from "../../memory/memory.js";
import type { ShareOptions, ShareProblem } from "../exchange.js";
import type { FoundFile } from "./shared-files.js";
import { largestFileBytes, sharedPath } from "./shared-folder.js";
import type { SharedState } from "./shared-state.js";
import type { Origin } from "./vouching.js";

/** A memory of the project that the files speak of, or that is to be shared. */
export interface LocalMemory {
  key: number;
  record: MemoryRecord;
  memory: Memory;
  /** True when it belongs into the folder. */
  isShared: boolean;
  /** As Tacit would write it. */
  text: string;
  hash: string;
}

/** One memory seen from all sides: its file, the store, and how both looked when they last agreed. */
export interface Side {
  /** Of the memory. */
  id: string;
  /** Of the file, where it has one or had one; see SharedState. */
  fileId: string;
  /** Where its file is, was, or would be. */
  path: string;
  file?: FoundFile;
  /** When they last agreed in this work tree. */
  known?: SharedState;
  /** When they last agreed in this one or, for a new clone, in another. */
  agreed?: SharedState;
  local?: LocalMemory;
  /** Another work tree or another branch of this project still has the file. */
  isElsewhere: boolean;
  /** The file is as it was before, and another work tree has it as it is now: an older branch is checked out here. */
  isOutdated: boolean;
  /** Something that is not understood lies where its file is, was, or would be; it is left alone. */
  isBlocked: boolean;
  /** The file lies there as a power cut left it, and the store has what it said. */
  isDamaged: boolean;
  /** The file is gone, and git does not say that somebody removed it. */
  isVanished: boolean;
  /** Who removed the file, where that is nobody whose word counts here. */
  removedBy?: string;
  /** The file of another memory lies where its own would be. */
  isTaken: boolean;
  /** Another memory has taken its place here that has no file. */
  isReplacedHere: boolean;
}

/** What is to be done about a memory so that its file and the store agree. */
export type Step =
  | { do: "nothing"; side: Side }
  | { do: "add"; side: Side & { file: FoundFile } }
  | { do: "update"; side: Side & { file: FoundFile; local: LocalMemory } }
  | { do: "forget"; side: Side & { local: LocalMemory } }
  | { do: "write"; side: Side & { local: LocalMemory } }
  | { do: "remove"; side: Side & { file: FoundFile } }
  | { do: "propose"; side: Side & { file: FoundFile }; origin: Origin }
  | { do: "ask"; side: Side; problem: ShareProblem }
  | { do: "ask-missing"; side: Side };

/** What was said about cases in which somebody has to choose. */
export type Choice = Pick<ShareOptions, "prefer" | "missing">;

/**
 * Decides by what changed since both agreed: a file that changed is read, a memory that changed is written, and where
 * both did, somebody is asked, unless it was said which side to prefer. A file that is gone without a word from git is asked
 * about as well.
 */
export function planStep(side: Side, { prefer, missing }: Choice): Step {
  const { file, known, agreed, local } = side;
  if (side.isDamaged && local) return write({ ...side, local });
  if (side.isBlocked || side.isOutdated) return { do: "nothing", side };
  if (file && local?.isShared && local.hash === file.hash) return { do: "nothing", side };
  const fileChanged = file ? file.hash !== agreed?.fileHash : known !== undefined && !side.isElsewhere;
  const localChanged = local !== undefined && hasChanged(local, agreed);
  if (side.isVanished && local?.isShared && !localChanged) {
    if (missing === undefined) return { do: "ask-missing", side };
    return missing === "forget" ? takeFile(side) : write({ ...side, local });
  }
  if (!fileChanged || !localChanged) return fileChanged ? takeFile(side) : takeStore(side);

  // Gone from both.
  if (!file && !local.isShared) return { do: "nothing", side };
  // To forget what was changed since is another question than the one about the file.
  if (!file && missing === "restore") return takeStore(side);
  if (prefer === undefined) return { do: "ask", side, problem: bothChanged(side) };
  return prefer === "files" ? takeFile(side) : takeStore(side);
}

/**
 * What nobody vouches for is shown for review instead; a text that the store has itself needs nobody's word. An agent takes
 * no file away for which others get nothing.
 */
export function holdBack(
  step: Step,
  {
    origins,
    refused,
    isByUser,
  }: { origins: ReadonlyMap<string, Origin>; refused: ReadonlySet<string>; isByUser: boolean },
  isChosen: boolean,
): Step {
  if (step.do === "remove" && step.side.isReplacedHere && !isByUser) {
    return { do: "ask", side: step.side, problem: replacedHere(step.side) };
  }
  if (isChosen || (step.do !== "add" && step.do !== "update")) return step;
  const { file, local } = step.side;
  const origin = origins.get(file.path);
  if (origin?.isVouched || local?.hash === file.hash) return step;
  if (!origin || refused.has(file.hash)) return { do: "nothing", side: step.side };
  return { do: "propose", side: { ...step.side, file }, origin };
}

/**
 * A shared memory that somebody let go, and whose file went with it, has nothing more to say when the file comes back. A
 * personal one always has: no file may speak for it because it has its id.
 */
function hasChanged(local: LocalMemory, agreed: SharedState | undefined): boolean {
  const { visibility, forgottenReason } = local.record;
  if (visibility === "personal") return true;
  // What Tacit forgot by itself says nothing about its text.
  if (forgottenReason !== undefined) return false;
  return isGone(local) ? agreed !== undefined : local.hash !== agreed?.memoryHash;
}

function takeFile(side: Side): Step {
  const { file, local } = side;
  if (!file) return local?.isShared ? { do: "forget", side: { ...side, local } } : { do: "nothing", side };
  // It is as it was read last, and needs no reading.
  if (!file.says) return { do: "nothing", side };
  return local ? { do: "update", side: { ...side, file, local } } : { do: "add", side: { ...side, file } };
}

function takeStore(side: Side): Step {
  const { file, agreed, local } = side;
  if (local?.isShared) {
    // A file that somebody wrote by hand gains its id.
    if (file?.hasId && local.hash === agreed?.memoryHash) return { do: "nothing", side };
    // Not here, but in another work tree: another branch is checked out.
    if (!file && side.isElsewhere && local.hash === agreed?.memoryHash) return { do: "nothing", side };
    return write({ ...side, local });
  }
  if (file && local?.record.trustFlags.includes("secret-redacted")) {
    return { do: "ask", side, problem: holdsSecret(side) };
  }
  // Only a person takes a file away from everybody: what faded here, or was flagged, may be of use to others.
  return file && (!local || (isGone(local) && local.record.review.state !== "flagged"))
    ? { do: "remove", side: { ...side, file } }
    : { do: "nothing", side };
}

function write(side: Side & { local: LocalMemory }): Step {
  if (side.isTaken) return { do: "ask", side, problem: placeTaken(side) };
  if (Buffer.byteLength(side.local.text) > largestFileBytes) return { do: "ask", side, problem: tooLarge(side) };
  return { do: "write", side };
}

/** True for what somebody forgot, put another in the place of, or made personal. */
function isGone({ record }: LocalMemory): boolean {
  const { forgottenAt, forgottenReason, validUntil, visibility } = record;
  const isForgotten = forgottenAt !== undefined && forgottenReason === undefined;
  return isForgotten || validUntil !== undefined || visibility === "personal";
}

function bothChanged({ file, path, local }: Side): ShareProblem {
  const [theirs, ours] = [file?.says?.content, local?.record.content];
  const texts = theirs === undefined || theirs === ours ? "" : `: ${brief(theirs)} there, ${brief(ours)} here`;
  const what = file ? "the file and the memory were both changed" : "the file is gone, and the memory was changed";
  return {
    file: `${sharedPath}/${path}`,
    message: `${what}${texts}`,
    hint: "tacit share --prefer files takes the files' side, tacit share --prefer store the memories'.",
  };
}

/** One for all: a folder may have lost many. */
export function filesMissing(sides: readonly Side[]): ShareProblem {
  const removers = [...new Set(sides.flatMap(({ removedBy }) => removedBy ?? []))].join(", ");
  const why = removers === "" ? "" : `, or only one by ${removers}`;
  const [first, ...rest] = sides.map(({ path }) => path).toSorted();
  const some = rest.slice(0, maxNamed - 1).map((path) => `, ${path}`);
  const more = rest.length > some.length ? ` and ${rest.length - some.length} more` : "";
  const message =
    rest.length === 0
      ? `the file is missing, and no commit since its last change removes it${why}; its memory is still stored`
      : `${sides.length} files are missing, and no commit since their last change removes them${why} (${first}${some.join("")}${more}); their memories are still stored`;
  return {
    file: rest.length === 0 ? `${sharedPath}/${first}` : sharedPath,
    message,
    hint: "tacit share --missing restore writes what is missing again, tacit share --missing forget forgets it.",
  };
}

const maxNamed = 5;

function brief(text = ""): string {
  const line = text.replace(/\s+/g, " ").trim();
  return JSON.stringify(line.length > 60 ? `${line.slice(0, 59)}…` : line);
}

function replacedHere({ path, local }: Side): ShareProblem {
  return {
    file: `${sharedPath}/${path}`,
    message: `${local?.memory.supersededBy?.slice(-8)} took the place of its memory and is not shared`,
    hint: `A person can share that one (tacit share ${local?.memory.supersededBy?.slice(-8)}), or remove the file: tacit share`,
  };
}

function holdsSecret({ path }: Side): ShareProblem {
  return {
    file: `${sharedPath}/${path}`,
    message: "it holds what looks like a secret; the memory has it redacted",
    hint: "Take the secret out of the file, and make it worthless: what was in git stays in its history.",
  };
}

function placeTaken({ path, id }: Side): ShareProblem {
  return {
    file: `${sharedPath}/${path}`,
    message: `it is the file of another memory, and ${id.slice(-8)} belongs there`,
    hint: "Rename the file; Tacit knows it by the id inside.",
  };
}

function tooLarge({ path, id }: Side): ShareProblem {
  return {
    file: `${sharedPath}/${path}`,
    message: `the memory ${id.slice(-8)} would take more than 1 MiB`,
    hint: "Shorten its lists, or make it personal again: tacit edit REF --visibility personal",
  };
}
