import { accessSync, constants, existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  comparePlan,
  findMemoryFolder,
  listReferencedBy,
  memoryFileName,
  readMemoryFile,
  renderMemory,
} from "../conversation/memory-file/memory-file.js";
import {
  type ConversationHealth,
  isOver,
  readConversationHealth,
} from "../conversation/consolidation/consolidation.js";
import type { Check } from "./check.js";
import { readProject, type ProjectContext } from "../project/project.js";

// By itself a conversation is consolidated as soon as there are more than memoryWindow; twice as many means that it is not.
const farBeyond = 2;

interface Finding {
  message: string;
  /** Absent where nothing is to be done. */
  hint?: string;
}

/**
 * How conversations stand, and where MEMORY.md and HISTORY.md lie: whether they can be written, and whether they say what
 * the store says. Looks only: what a person changed in them is not taken in by this.
 */
export async function checkConversations(context: ProjectContext, home: string): Promise<Check> {
  const name = "conversations";
  const { enabled, memoryWindow } = await context.settings();
  if (!enabled) return { name, status: "ok", message: "Tacit is switched off here, so nothing of them is kept" };
  const standing = await readProject(context, undefined, (reader, project) =>
    readConversationHealth(reader, project, { longerThan: farBeyond * memoryWindow, now: context.now() }),
  );
  const folder = await findFolder(context, home);
  if (!standing || folder === undefined) {
    return { name, status: "ok", message: standing ? describe(standing) : "none was kept yet" };
  }
  const findings = [
    ...checkFolder(folder),
    ...checkNoted(standing),
    ...checkLength(standing, memoryWindow),
    ...checkLease(standing),
    ...(await checkMemoryFile(context, folder)),
  ];
  const hint = findings.find((finding) => finding.hint !== undefined)?.hint;
  return {
    name,
    status: hint === undefined ? "ok" : "warning",
    message: [describe(standing), `files in ${folder}`, ...findings.map(({ message }) => message)].join("; "),
    ...(hint !== undefined && { hint }),
  };
}

async function findFolder(context: ProjectContext, home: string): Promise<string | undefined> {
  if (context.store.location.kind === "memory") return undefined;
  const { memoryFolder } = await context.settings("user");
  return findMemoryFolder(context, { home, root: (await context.folder()).root }, memoryFolder);
}

function describe({ conversations, archives }: ConversationHealth): string {
  if (conversations === 0) return "none was kept yet";
  return `${conversations} ${conversations === 1 ? "conversation" : "conversations"}, ${archives} ${archives === 1 ? "archive" : "archives"}`;
}

/** Whether MEMORY.md could be written there, or the folder be made. */
function checkFolder(folder: string): Finding[] {
  let place = folder;
  while (!existsSync(place) && dirname(place) !== place) place = dirname(place);
  try {
    accessSync(place, constants.W_OK);
    if (statSync(place).isDirectory()) return [];
  } catch {
    // told below, together with what is no folder
  }
  return [
    {
      message: `${place} cannot be written`,
      hint: "Check who owns it; `tacit config get memoryFolder` tells where the folder is set. No memory is lost meanwhile.",
    },
  ];
}

function checkNoted({ unnoted }: ConversationHealth): Finding[] {
  if (unnoted === 0) return [];
  const are = unnoted === 1 ? "1 archive is" : `${unnoted} archives are`;
  return [{ message: `${are} not in HISTORY.md yet`, hint: "`tacit chat memory` writes what is missing." }];
}

function checkLength({ long }: ConversationHealth, memoryWindow: number): Finding[] {
  return long.slice(0, 1).map(({ sessionId, unarchived }) => ({
    message: `${sessionId} has ${unarchived.toLocaleString("en")} messages that no archive sums up (memoryWindow is ${memoryWindow})`,
    hint: `\`tacit chat consolidate ${sessionId}\` sums them up; every turn stays.`,
  }));
}

/** The next one takes it over, so there is nothing to be done. */
function checkLease({ lease }: ConversationHealth): Finding[] {
  if (!lease || Date.parse(lease.until) <= Date.now() || !isOver(lease.holder, lease.until)) return [];
  return [{ message: "a process was ended while it consolidated; nothing is lost, and it keeps nobody waiting" }];
}

async function checkMemoryFile(context: ProjectContext, folder: string): Promise<Finding[]> {
  const text = readText(join(folder, memoryFileName));
  if (text === undefined) return [{ message: `no ${memoryFileName} yet` }];
  const read = readMemoryFile(text);
  if (read.isConflicted) {
    const hint = `Finish the merge in ${join(folder, memoryFileName)}; nothing of it is taken in before.`;
    return [{ message: `${memoryFileName} holds the marks of a merge`, hint }];
  }
  const { revise, forget, remember } = comparePlan(read, await listReferencedBy(context, read));
  const changes = revise.length + forget.length + remember.length;
  if (changes > 0) {
    const are = changes === 1 ? "1 change" : `${changes} changes`;
    return [{ message: `${are} of yours in ${memoryFileName} to be taken in (tacit chat memory)` }];
  }
  const isInStep = text === (await renderMemory(context));
  return [
    {
      message: isInStep
        ? `${memoryFileName} is in step`
        : `${memoryFileName} is behind, and the next command writes it anew`,
    },
  ];
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
