import { describe, expect, it } from "vitest";
import { projectStore } from "../../../test/support/keep-records.js";
import { getMemory } from "../../memory/get-memory.js";
import type { WorkUnit } from "../../memory/memory.js";
import { readProject, type ProjectStore } from "../../project/project-context.js";
import { remember } from "../../memory/remember.js";
import { native } from "../../methodology/native.js";
import { closeWorkState, findWorkState, saveWorkState } from "./work-state.js";

const unit: WorkUnit = { methodology: "native", hierarchy: ["7", "2"], label: "Spec 7 / Subtask 2" };
const other: WorkUnit = { ...unit, hierarchy: ["7", "3"] };
const methodology = native;

describe("where unfinished work stands", () => {
  it("is kept by its unit, and the next state takes its place", async () => {
    const from = await projectStore();
    const first = await saveWorkState(from, { workUnit: unit, methodology, state: { left: ["write tests"] } });
    await saveWorkState(from, { workUnit: other, methodology, state: { left: ["something else"] } });
    const second = await saveWorkState(from, { workUnit: unit, methodology, state: { left: ["fix the tests"] } });

    const found = await findWorkState(from, { workUnit: { ...unit, label: "Worded anew" } }, { methodology });

    expect(found).toMatchObject({ memory: { id: second?.id, type: "work_state" }, state: { left: ["fix the tests"] } });
    expect(found?.text).toMatch(/^<tacit-memory point="session-start">\n(?:\|.*\n)+<\/tacit-memory>$/);
    expect(found?.text).toContain("fix the tests");
    expect(await statusOf(from, first?.id)).toBe("superseded");
  });

  it("is kept by its branch where there is no unit", async () => {
    const from = await projectStore();
    await saveWorkState(from, { branch: "feature", methodology, state: { left: ["one"] } });
    await saveWorkState(from, { branch: "feature", methodology, state: { left: ["two"] } });
    await saveWorkState(from, { branch: "main", methodology, state: { left: ["three"] } });

    expect(await findWorkState(from, { branch: "feature" }, { methodology })).toMatchObject({
      state: { left: ["two"] },
    });
    expect(await findWorkState(from, { branch: "elsewhere" }, { methodology })).toBeUndefined();
  });

  it("is gone when the unit is finished, and that of others stays", async () => {
    const from = await projectStore();
    const saved = await saveWorkState(from, { workUnit: unit, methodology, state: { left: ["write tests"] } });
    await saveWorkState(from, { workUnit: other, methodology, state: { left: ["something else"] } });

    const closed = await closeWorkState(from, { workUnit: unit });

    expect(closed).toMatchObject([{ id: saved?.id, status: "expired" }]);
    expect(await findWorkState(from, { workUnit: unit }, { methodology })).toBeUndefined();
    expect(await findWorkState(from, { workUnit: other }, { methodology })).toBeDefined();
  });

  it("is not kept where it says nothing, and not told when it waits or is a week old", async () => {
    const from = await projectStore();
    const later = { ...from, now: () => new Date(from.now().getTime() + 7 * 86_400_000) };
    const empty = await saveWorkState(from, { workUnit: unit, methodology, state: {} });
    await saveWorkState(from, { workUnit: unit, methodology, state: { left: ["trusted"] } });
    await saveWorkState(
      from,
      { workUnit: unit, methodology, state: { left: ["from the web"] } },
      { doubt: "Read there." },
    );

    expect(empty).toBeUndefined();
    expect(await findWorkState(from, { workUnit: unit }, { methodology })).toMatchObject({
      state: { left: ["trusted"] },
    });
    expect(await findWorkState(later, { workUnit: unit }, { methodology })).toBeUndefined();
  });

  it("is kept beside the older one where nobody can vouch for it, and takes the place of what is no better", async () => {
    const from = await projectStore();
    const unverified = { unverified: "No hooks run." };
    const own = await saveWorkState(from, { workUnit: unit, methodology, state: { left: ["trusted"] } });
    const first = await saveWorkState(from, { workUnit: unit, methodology, state: { left: ["a"] } }, unverified);
    const second = await saveWorkState(from, { workUnit: unit, methodology, state: { left: ["b"] } }, unverified);

    expect(second?.trustFlags).toEqual(["unverified"]);
    expect(await statusOf(from, first?.id)).toBe("superseded");
    expect((await findWorkState(from, { workUnit: unit }, { methodology }))?.memory.id).toBe(own?.id);
  });

  it("is what the session said before what was seen of it, and the next state takes the place of both", async () => {
    const from = await projectStore();
    const said = await saveWorkState(from, { workUnit: unit, methodology, state: { left: ["x"] }, sessionId: "a" });
    const seen = { type: "work_state", content: "Work was left unfinished.", source: "observer_inferred" } as const;
    const [left] = await remember({ ...from, now: () => new Date(from.now().getTime() + 1000) }, [
      { ...seen, workUnit: unit, sessionId: "a", data: { about: "unit" } },
    ]);
    const found = await findWorkState(from, { workUnit: unit }, { methodology });

    await saveWorkState(from, { workUnit: unit, methodology, state: { left: ["y"] }, sessionId: "b" });

    expect(found?.memory.id).toBe(said?.id);
    expect(await statusOf(from, said?.id)).not.toBe("active");
    expect(await statusOf(from, left?.id)).not.toBe("active");
  });

  it("is one alone, however many processes save it at the same time", async () => {
    const from = await projectStore();
    await saveWorkState(from, { workUnit: unit, methodology, state: { left: ["begin"] } });

    const saves = ["a", "b"].map((left) =>
      saveWorkState(from, { workUnit: unit, methodology, state: { left: [left] } }),
    );
    const saved = await Promise.all(saves);

    const statuses = await Promise.all(saved.map((memory) => statusOf(from, memory?.id)));
    expect(new Set(statuses)).toEqual(new Set(["active", "superseded"]));
  });
});

async function statusOf(from: ProjectStore, id = ""): Promise<string | undefined> {
  return readProject(from, undefined, async (reader, project) => {
    return (await getMemory(reader, project, id, from.now())).memory.status;
  });
}
