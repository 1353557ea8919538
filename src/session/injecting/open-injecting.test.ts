import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { commitFiles } from "../../../test/support/git-repository.js";
import { toldProject, type SomeMoment, type ToldProject } from "../../../test/support/told-project.js";
import type { AgentEvent, MemoryInput, Moment } from "../../index.js";
import { injectOnce } from "../../hook/inject-once.js";
import { observeOnce } from "../../hook/observe-once.js";

const file = "src/pdf/render.ts";
const trap: MemoryInput = { content: "The renderer leaks a process.", type: "gotcha", relatedFiles: [file] };
const reading: SomeMoment = { point: "file-read", files: [file] };
const calm = { deadlineMs: 30_000 };

describe("what was told is not told again", () => {
  it("[I4] while somebody takes in the session", async () => {
    const project = await toldProject(trap);
    expect(await hook(project, reading)).toBe(1);

    claimAll();

    expect(await hook(project, reading)).toBe(0);
    expect(await project.told(reading)).toEqual([]);
  });

  it("[I4] by two processes that stay open, or by one that is asked for a context three times at once", async () => {
    const project = await toldProject(trap, { ...trap, type: "error_pattern", content: "The fonts are missing." });
    const other = await project.open();
    const moment = { sessionId: "s1", ...reading } as Moment;

    for (let round = 1; round <= 5; round++) {
      const sessionId = `round ${round}`;
      const memories = [project.memory, other];
      const told = await Promise.all(memories.map((memory) => memory.inject({ ...moment, sessionId }, calm)));
      expect(told.flatMap((one) => one.memories)).toHaveLength(2);
    }
    const asked = [1, 2, 3].map(() => project.memory.builds.qaContext({ sessionId: "qa", files: [file] }, calm));
    expect((await Promise.all(asked)).flatMap((one) => one.memories)).toHaveLength(1);
  });

  it("[I4] to an agent that came when there were too many for a file each", async () => {
    const project = await toldProject(trap);
    const calls = Array.from({ length: 260 }, (_, n): AgentEvent => {
      return { sessionId: "s1", agentId: `a${n}`, kind: "call", callId: "1", tool: "Read", input: {} };
    });
    await observeOnce(calls, place(project));

    const late = { ...reading, agentId: "late" };

    expect([await hook(project, late), await hook(project, late)]).toEqual([1, 0]);
    expect(await project.told(late)).toEqual([]);
  });

  it("[I4] in a session that was taken in: neither files that came along, nor what the same agent was told", async () => {
    const project = await toldProject(trap);
    const { memory, root, told, tell } = project;
    const shown = "src/auth/a.ts";
    mkdirSync(join(root, dirname(shown)), { recursive: true });
    writeFileSync(join(root, shown), "export const a = 1;\n");
    commitFiles(root, {});
    await memory.remember({
      content: "Sessions on src/auth always read a.ts.",
      type: "prefetch_pattern",
      relatedModules: ["src/auth"],
      relatedFiles: [shown],
      confidence: 0.9,
      data: { moduleTrigger: "src/auth", alwaysReadFiles: [shown], frequentlyReadFiles: [], sessionCount: 5 },
    });
    const asking: SomeMoment = { point: "prompt", prompt: `Mend ${shown}.` };
    expect((await tell(asking)).files).toEqual([shown]);
    expect(await told({ ...reading, agentId: "sub" })).toEqual([trap.content]);
    memory.observe({ sessionId: "s1", kind: "prompt", text: "Mend it." });

    await memory.finishSession("s1");

    expect((await tell(asking)).files).toEqual([]);
    expect(await told({ ...reading, agentId: "sub" })).toEqual([]);
    expect(await told(reading)).toEqual([trap.content]);
  });

  it("[I4] unless what the agent had in mind was summed up since, be that in a part that was taken in", async () => {
    const { memory, told } = await toldProject(trap);
    expect(await told(reading)).toEqual([trap.content]);
    memory.observe({ sessionId: "s1", kind: "prompt", text: "Mend it." });
    await memory.finishSession("s1");
    memory.observe({ sessionId: "s1", kind: "compacted" });
    memory.observe({ sessionId: "s1", kind: "remember", content: "It was a long day." });
    await memory.finishSession("s1");

    expect(await told(reading)).toEqual([trap.content]);
    expect(await told(reading)).toEqual([]);
  });
});

describe("what was asked for", () => {
  it("[I7] takes nothing away from what a session may be told unasked", async () => {
    const { memory, told } = await toldProject(trap);
    const rule = "holds under load and is tested with care ".repeat(8);
    const rules = Array.from({ length: 30 }, (_, n) => ({ content: `Widget ${n} ${rule}`, type: "convention" }));
    await memory.rememberMany(rules);

    let tokens = 0;
    for (let times = 1; times <= 10; times++) tokens += (await memory.sessions.context({ sessionId: "s1" })).tokens;

    expect(tokens).toBeGreaterThan(10_000);
    expect(await told(reading)).toEqual([trap.content]);
  });
});

describe("a memory that is purged", () => {
  it("[I9] leaves nothing of its words in the notes of the sessions that were told it", async () => {
    const project = await toldProject();
    const { memory } = project;
    const { id } = await memory.remember({
      content: "The Xylophonium gateway wants Qwertzuiop first.",
      name: "Brontosaur",
      type: "gotcha",
      relatedFiles: ["src/Megalodon.ts"],
    });
    const asking: SomeMoment = { point: "prompt", prompt: "Brontosaur, xylophonium gateway, qwertzuiop" };
    expect(await hook(project, asking)).toBe(1);
    expect(await hook(project, { point: "file-read", files: ["src/Megalodon.ts"], sessionId: "s2" })).toBe(1);
    await memory.sessions.context({ sessionId: "s3", task: "Brontosaur Xylophonium gateway Qwertzuiop" });
    await memory.finishSession("s2");

    await memory.purge(id);
    await memory.close();

    for (const folder of [home(), dirname(project.db)]) {
      for (const word of ["rontosaur", "ylophonium", "wertzuiop", "egalodon"]) {
        expect(filesWith(folder, word), word).toEqual([]);
      }
    }
  });
});

function place({ db, root }: ToldProject) {
  return { ...calm, db, directory: root };
}

/** How many memories a process is told that lives for one moment. */
async function hook(project: ToldProject, moment: SomeMoment): Promise<number> {
  return (await injectOnce({ sessionId: "s1", ...moment }, place(project))).memories.length;
}

function home(): string {
  return process.env["TACIT_HOME"] as string;
}

/** As somebody would do who finishes the sessions, and does not come to an end. */
function claimAll(): void {
  const spools = join(home(), "sessions");
  const claim = `finishing-${process.pid}-0-${Date.now()}-${crypto.randomUUID()}`;
  for (const name of readdirSync(spools)) renameSync(join(spools, name), join(spools, `${name}.${claim}`));
}

function filesWith(folder: string, word: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map((entry) => join(entry.parentPath, entry.name)).filter((path) => readFileSync(path).includes(word));
}
