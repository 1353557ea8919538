import { noteChanges } from "../../memory/history.js";
import { listByKeys } from "../../memory/memory-queries.js";
import type { Project } from "../../memory/projects.js";
import { doubtfulFields } from "../../memory/remember.js";
import { writeFields } from "../../memory/write-fields.js";
import type { Writer } from "../../storage/storage.js";
import type { Outside } from "../notes/note.js";
import type { Scratchpad } from "../scratchpad/session-view.js";
import { describeOutside } from "../trust/describe-outside.js";
import { instructionsRead } from "../trust/instructions-read.js";
import { repeatsInstruction } from "../trust/instructions.js";
import type { Taint } from "../trust/taint.js";

/**
 * What the agent asked Tacit to remember after it had read from outside is tainted as well, and so is what repeats an
 * instruction that it had read, through whichever door it came: a tool, the command line, another process that knew
 * nothing of the session. What a person has verified is not.
 */
export async function sweepRemembered(
  writer: Writer,
  project: Project,
  { pads, taint, startedAt, now }: { pads: readonly Scratchpad[]; taint: Taint; startedAt: string; now: Date },
): Promise<void> {
  const instructions = instructionsRead(pads);
  for (const [hash, tainted] of listAskedTexts(pads, taint)) {
    if (!tainted && instructions.size === 0) continue;
    const rows = await writer.rows(
      `SELECT key FROM memories WHERE project_number = :project AND content_hash = :hash AND stored_at >= :start
         AND user_verified = 0 AND forgotten_at IS NULL AND trust_flags NOT LIKE '%"tainted"%'`,
      { project: BigInt(project.number), hash, start: startedAt },
    );
    const keys = rows.map((row) => Number(row["key"]));
    for (const { key, record } of await listByKeys(writer, project, keys, now)) {
      const outside = tainted ?? (repeatsInstruction(record.content, instructions) ? instruction : undefined);
      if (!outside) continue;
      await noteChanges(writer, project, { verb: "doubted", keys: [key], now }, async () => {
        await writeFields(writer, project, key, doubtfulFields(record, describeOutside(outside)), now);
      });
    }
  }
}

const instruction: Outside = { from: "instruction", what: "something it read" };

/** By the hash of what it asked for: the content from outside that it had read before, if any. */
function listAskedTexts(pads: readonly Scratchpad[], taint: Taint): Map<string, Outside | undefined> {
  const texts = new Map<string, Outside | undefined>();
  for (const pad of pads) {
    const add = (order: number, mark: string) => texts.set(mark, texts.get(mark) ?? taint.of(pad, [order]));
    for (const { order, remembers } of pad.actions) if (remembers !== undefined) add(order, remembers);
    for (const { order, mark } of pad.remembered) add(order, mark);
  }
  return texts;
}
