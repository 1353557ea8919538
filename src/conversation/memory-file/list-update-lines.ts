import { MemoryError } from "../../base/memory-error.js";
import type { Memory, MemoryInput } from "../../memory/memory.js";
import { prepareMemories, type PreparedMemory } from "../../memory/prepare/prepare.js";
import { readProject, type ProjectContext } from "../../project/project.js";
import type { Plan } from "./compare-plan.js";
import type { Line } from "./line.js";

/** What a model's new text of MEMORY.md says that no memory did. */
export interface UpdateLine {
  input: MemoryInput;
  /** The memory whose line it was. */
  old?: Memory;
  /** It says otherwise than a person did. */
  isAgainst: boolean;
}

/** The bullets that say something new. One that cannot be kept does not keep the others out. */
export async function listUpdateLines(context: ProjectContext, { revise, remember }: Plan): Promise<UpdateLine[]> {
  const lines: Omit<UpdateLine, "isAgainst">[] = revise
    .filter(({ statement, memory }) => statement.isBullet && !memory.pinned && !memory.userVerified)
    .map(({ statement, memory }) => {
      const supersedes = { kind: "supersedes", memory: memory.id, confidence: 1, automatic: false } as const;
      const type = statement.type ?? memory.type;
      return { input: { ...inputOf(statement), type, relations: [supersedes] }, old: memory };
    });
  lines.push(...remember.filter(({ isBullet }) => isBullet).map((statement) => ({ input: inputOf(statement) })));
  const fit: UpdateLine[] = [];
  for (const line of lines) {
    const prepared = await prepareQuietly(context, line.input);
    if (!prepared) continue;
    const isAgainst = line.old?.source === "user_taught" || (await contradictsTaught(context, prepared));
    fit.push({ ...line, isAgainst });
  }
  return fit;
}

function inputOf({ text, type = "note", tags }: Line): MemoryInput {
  return { content: text, type, tags, source: "observer_inferred" };
}

async function prepareQuietly(context: ProjectContext, input: MemoryInput): Promise<PreparedMemory | undefined> {
  try {
    return (await prepareMemories(context, [input]))[0];
  } catch (error) {
    if (error instanceof MemoryError) return undefined;
    throw error;
  }
}

/** Whether it would end the validity of what a person taught. */
async function contradictsTaught(context: ProjectContext, prepared: PreparedMemory): Promise<boolean> {
  const { listContradicted } = await import("../../memory/contradictions/contradictions.js");
  return readProject(context, false, async (reader, project) => {
    const contradicted = await listContradicted(reader, project, prepared, context.now());
    return contradicted.some(({ keyed }) => keyed.record.source === "user_taught");
  });
}
