import type { MemoryContext } from "../../memory/change/change.js";
import { describe, expect, it } from "vitest";
import { projectContext } from "../../../test/support/keep-records.js";
import { getMemory } from "../../memory/read/get-memory.js";
import type { WorkUnit } from "../../memory/memory.js";
import { readProject } from "../../project/project-context.js";
import { remember } from "../../memory/remember/remember-memories.js";
import { native } from "../../methodology/native.js";
import { closeWorkState, findWorkState, saveWorkState } from "./work-state.js";

const unit: WorkUnit = { methodology: "native", hierarchy: ["7", "2"], label: "Spec 7 / Subtask 2" };
const other: WorkUnit = { ...unit, hierarchy: ["7", "3"] };
const methodology = native;

describe("where unfinished work stands", () => {
  it("is kept by its unit, and the next state takes its place", async () => {
    const context = await projectContext();
    const first = await saveWorkState(context, { workUnit: unit, methodology, state: { left: ["write tests"] } });
    await saveWorkState(context, { workUnit: other, methodology, state: { left: ["something else"] } });
    const second = await saveWorkState(context, { workUnit: unit, methodology, state: { left: ["fix the tests"] } });

    const found = await findWorkState(context, { workUnit: { ...unit, label: "Worded anew" } }, { methodology });

    expect(found).toMatchObject({ memory: { id: second?.id, type: "work_state" }, state: { left: ["fix the tests"] } });
    expect(found?.text).toMatch(/^<tacit-memory point="session-start">\n(?:\|.*\n)+<\/tacit-memory>$/);
    expect(found?.text).toContain("fix the tests");
    expect(await statusOf(context, first?.id)).toBe("superseded");
  });

  it("is kept by its branch where there is no unit", async () => {
    const context = await projectContext();
    await saveWorkState(context, { branch: "feature", methodology, state: { left: ["one"] } });
    await saveWorkState(context, { branch: "feature", methodology, state: { left: ["two"] } });
    await saveWorkState(context, { branch: "main", methodology, state: { left: ["three"] } });

    expect(await findWorkState(context, { branch: "feature" }, { methodology })).toMatchObject({
      state: { left: ["two"] },
    });
    expect(await findWorkState(context, { branch: "elsewhere" }, { methodology })).toBeUndefined();
  });

  it("is gone when the unit is finished, and that of others stays", async () => {
    const context = await projectContext();
    const saved = await saveWorkState(context, { workUnit: unit, methodology, state: { left: ["write tests"] } });
    await saveWorkState(context, { workUnit: other, methodology, state: { left: ["something else"] } });

    const closed = await closeWorkState(context, { workUnit: unit });

    expect(closed).toMatchObject([{ id: saved?.id, status: "expired" }]);
    expect(await findWorkState(context, { workUnit: unit }, { methodology })).toBeUndefined();
    expect(await findWorkState(context, { workUnit: other }, { methodology })).toBeDefined();
  });

  it("is not kept where it says nothing, and not told when it waits or is a week old", async () => {
    const context = await projectContext();
    const later = { ...context, now: () => new Date(context.now().getTime() + 7 * 86_400_000) };
    const empty = await saveWorkState(context, { workUnit: unit, methodology, state: {} });
    await saveWorkState(context, { workUnit: unit, methodology, state: { left: ["trusted"] } });
    await saveWorkState(
      context,
      { workUnit: unit, methodology, state: { left: ["from the web"] } },
      { doubt: "Read there." },
    );

    expect(empty).toBeUndefined();
    expect(await findWorkState(context, { workUnit: unit }, { methodology })).toMatchObject({
      state: { left: ["trusted"] },
    });
    expect(await findWorkState(later, { workUnit: unit }, { methodology })).toBeUndefined();
  });

  it("is kept beside the older one where nobody can vouch for it, and takes the place of what is no better", async () => {
    const context = await projectContext();
    const unverified = { unverified: "No hooks run." };
    const own = await saveWorkState(context, { workUnit: unit, methodology, state: { left: ["trusted"] } });
    const first = await saveWorkState(context, { workUnit: unit, methodology, state: { left: ["a"] } }, unverified);
    const second = await saveWorkState(context, { workUnit: unit, methodology, state: { left: ["b"] } }, unverified);

    expect(second?.trustFlags).toEqual(["unverified"]);
    expect(await statusOf(context, first?.id)).toBe("superseded");
    expect((await findWorkState(context, { workUnit: unit }, { methodology }))?.memory.id).toBe(own?.id);
  });

  it("is what the session said before what was seen of it, and the next state takes the place of both", async () => {
    const context = await projectContext();
    const said = await saveWorkState(context, { workUnit: unit, methodology, state: { left: ["x"] }, sessionId: "a" });
    const seen = { type: "work_state", content: "Work was left unfinished.", source: "observer_inferred" } as const;
    const [left] = await remember({ ...context, now: () => new Date(context.now().getTime() + 1000) }, [
      { ...seen, workUnit: unit, sessionId: "a", data: { about: "unit" } },
    ]);
    const found = await findWorkState(context, { workUnit: unit }, { methodology });

    await saveWorkState(context, { workUnit: unit, methodology, state: { left: ["y"] }, sessionId: "b" });

    expect(found?.memory.id).toBe(said?.id);
    expect(await statusOf(context, said?.id)).not.toBe("active");
    expect(await statusOf(context, left?.id)).not.toBe("active");
  });

  it("is one alone, however many processes save it at the same time", async () => {
    const context = await projectContext();
    await saveWorkState(context, { workUnit: unit, methodology, state: { left: ["begin"] } });

    const saves = ["a", "b"].map((left) =>
      saveWorkState(context, { workUnit: unit, methodology, state: { left: [left] } }),
    );
    const saved = await Promise.all(saves);

    const statuses = await Promise.all(saved.map((memory) => statusOf(context, memory?.id)));
    expect(new Set(statuses)).toEqual(new Set(["active", "superseded"]));
  });
});

async function statusOf(context: MemoryContext, id = ""): Promise<string | undefined> {
  return readProject(context, undefined, async (reader, project) => {
    return (await getMemory(reader, project, id, context.now())).memory.status;
  });
}
