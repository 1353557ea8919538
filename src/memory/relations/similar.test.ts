import { describe, expect, it } from "vitest";
import { openTestMemory } from "../../../test/support/open-memories.js";
import { projectContext } from "../../../test/support/keep-records.js";
import { readProject } from "../../project/project-context.js";
import { remember } from "../remember/remember-memories.js";
import { differInSubstance, listSimilar } from "./similar.js";

const long = "the nightly import job must finish before the billing export starts or invoices are wrong";

describe("similar memories", () => {
  it("[M4] are linked, both kept", async () => {
    const memory = await openTestMemory();
    const first = await memory.remember({ content: `Remember: ${long}` });

    const second = await memory.remember({ content: `${long}, remember` });

    expect(second.merged).toBe(false);
    expect(second.relations).toMatchObject([{ kind: "similar", memory: first.id, automatic: true }]);
    expect(await memory.list()).toHaveLength(2);
  });

  it.each([
    ["numbers", `${long} on port 8080`, `${long} on port 8081`],
    ["negation", "do run the migrations before the tests start", "do not run the migrations before the tests start"],
    ["a contraction", "you can run the migrations twice in a row", "you can't run the migrations twice in a row"],
    ["an identifier", `${long}: see startExport`, `${long}: see startexport`],
    ["a flag", `${long} with --force`, `${long} with --no-force`],
    ["a path", `${long} in src/a.ts`, `${long} in src/b.ts`],
  ])("[M4] are never those that differ in %s", async (_what, a, b) => {
    const memory = await openTestMemory();
    await memory.remember({ content: a });

    const second = await memory.remember({ content: b });

    // One that says otherwise takes the place of the other; they are not linked as similar.
    expect(second.merged).toBe(false);
    expect(second.relations.filter(({ kind }) => kind === "similar")).toEqual([]);
    expect(differInSubstance(a, b)).toBe(true);
  });

  it("[M4] are not linked where they wait for a person", async () => {
    const context = await projectContext();
    await remember(context, [{ content: `Remember: ${long}` }], { doubts: ["It was read on a page."] });

    const [second] = await remember(context, [{ content: `${long}, remember` }]);

    expect(second).toMatchObject({ status: "active", relations: [] });
    expect(
      await readProject(context, [], (reader, project) =>
        listSimilar(reader, project, { content: long, type: "note" }),
      ),
    ).toMatchObject([{ isWaiting: true }, { isWaiting: false, id: second?.id }]);
  });

  it("[M4] are so no longer when one of them is revised to say something else", async () => {
    const memory = await openTestMemory();
    const first = await memory.remember({ content: `Remember: ${long}` });
    const second = await memory.remember({ content: `${long}, remember` });

    const revised = await memory.revise(first.id, { content: "invoices go out on the first of the month" });

    expect(revised.relations).toEqual([]);
    expect((await memory.get(second.id))?.relations).toEqual([]);
    expect((await memory.revise(first.id, { content: `Remember: ${long}` })).relations).toMatchObject([
      { memory: second.id },
    ]);
  });

  it("[M4] are found among many that share their longest word", async () => {
    const memory = await openTestMemory();
    await memory.rememberMany(
      Array.from({ length: 80 }, (_, n) => ({ content: `authentication of kind k${n} is slow` })),
    );
    const first = await memory.remember({ content: "authentication expires at noon" });

    const second = await memory.remember({ content: "at noon the authentication expires" });

    expect(second.relations).toMatchObject([{ kind: "similar", memory: first.id }]);
  });

  it("[M4] are never turns of a conversation", async () => {
    const memory = await openTestMemory();
    await memory.remember({ type: "conversation", content: `So: ${long}` });

    const second = await memory.remember({ type: "conversation", content: `${long}, so` });

    expect(second.relations).toEqual([]);
  });
});
