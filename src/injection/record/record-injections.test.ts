import type { MemoryContext } from "../../memory/change/change.js";
import { injectedIn } from "../../observer/spool/read-injected.js";
import { describe, expect, it } from "vitest";
import { commitFiles, gitRepository } from "../../../test/support/git-repository.js";
import { projectContext } from "../../../test/support/keep-records.js";
import { toldSession, type ToldSession } from "../../../test/support/told-session.js";
import { readProject, writeProject } from "../../project/project-context.js";
import { purge } from "../../memory/retention/purge.js";
import { remember } from "../../memory/remember/remember-memories.js";
import { openDigest } from "../../observer/notes/digest.js";
import { finishSession } from "../../observer/promotion/finish-session.js";
import type { LearnedReport } from "../../observer/promotion/promotion-ports.js";
import { openScratchpad, type GrowingScratchpad } from "../../observer/scratchpad/open-scratchpad.js";
import { injectedBefore } from "./injection-queries.js";
import { listInjections } from "../report/injection-history-queries.js";
import { recordInjections } from "./record-injections.js";
import { sessionSummary } from "../report/session-summary.js";

const failure = `TypeError: Cannot read properties of undefined (reading 'rate')\n    at tax (src/tax.ts:3:9)\n${"x".repeat(4000)}`;

describe("what an agent was told", () => {
  it("[I9] is kept with whether it was used and what finding it out had cost, once a session", async () => {
    const shop = await openShop();
    const { context } = shop;
    const id = await learnError(shop);

    const session = toldSession("s3").starts().reads("src/tax.ts").isTold([id, "gone"]).isTold([id], { point: "step" });
    await finish(shop, session.edits("src/rates.ts", "{}", "{ a: 1 }").runs("npm test", "Tests  4 passed (4)").ends());

    const summary = await readProject(context, undefined, (reader, project) =>
      sessionSummary(reader, project, "s3", injectedIn([])),
    );
    expect(summary).toMatchObject({ told: 1, tokens: 160, used: 1, cited: 0, followed: 1, learned: 0, remembered: 0 });
    expect(summary?.memories).toMatchObject([
      { id, used: "followed", point: "file-read", why: "is about a file that was read" },
    ]);
    // The failing run and a read of the file it pointed to, in both sessions.
    expect(summary?.savedTokens).toBeGreaterThan(1000);
    expect(summary?.savedTokens).toBeLessThan(1100);
    const { days, sessions } = await readProject(context, { days: [], sessions: [] }, listInjections);
    expect(days).toMatchObject([
      { point: "file-read", injections: 1, memories: 1, used: 1, savedTokens: summary?.savedTokens },
      { point: "step", injections: 1, memories: 1, used: 0, savedTokens: 0 },
    ]);
    expect(sessions).toMatchObject([{ sessionId: "s3", injections: 2, tokens: 160, used: 1 }]);
  });

  it("is not used where nothing of it is done, and counts as told also to a session that is resumed", async () => {
    const shop = await openShop();
    const { context } = shop;
    const id = await learnError(shop);

    await finish(
      shop,
      toldSession("s3")
        .starts()
        .isTold([id], { files: ["src/tax.ts"] })
        .reads("src/tax.ts")
        .ends(),
    );

    const told = await readProject(context, undefined, (reader, project) =>
      injectedBefore(reader, project, { sessionId: "s3" }),
    );
    expect(told).toEqual({ ids: new Set([id]), took: new Map([[id, 40]]), hasPrefetched: true });
    const summary = await readProject(context, undefined, (reader, project) =>
      sessionSummary(reader, project, "s3", injectedIn([])),
    );
    expect(summary).toMatchObject({ told: 1, used: 0, savedTokens: 0 });
    expect(
      await readProject(context, undefined, (reader, project) => sessionSummary(reader, project, "s9", injectedIn([]))),
    ).toBeUndefined();
  });

  it("is used by the agent that was told, and by no other", async () => {
    const shop = await openShop();
    const { context } = shop;
    const [{ id } = { id: "" }] = await remember(context, [{ content: "Round down.", type: "decision" }]);
    const cite = `I round down, as [Memory #${id.slice(-8)}: Round down.] says.`;

    await finish(shop, toldSession("s1").starts().reads("src/tax.ts").isTold([id]).sub("a").says(cite).back().ends());
    await finish(shop, toldSession("s2").starts().reads("src/tax.ts").isTold([id]).says(cite).ends());

    const { sessions } = await readProject(context, { days: [], sessions: [] }, listInjections);
    expect(sessions.map(({ sessionId, used, savedTokens }) => [sessionId, used, savedTokens])).toEqual([
      ["s2", 1, 0],
      ["s1", 0, 0],
    ]);
  });

  it("[I9] is kept once, though it is written twice, and goes with its memory", async () => {
    const shop = await openShop();
    const { context } = shop;
    const [{ id } = { id: "" }] = await remember(context, [{ content: "Round down.", type: "decision" }]);
    const pads = padsOf(shop, toldSession("s1").starts().isTold([id]));
    const write = () =>
      writeProject(context, (writer, project) =>
        recordInjections(writer, project, { spoolId: "p", sessionId: "s1", pads }),
      );

    await write();
    await write();
    const before = await readProject(context, { days: [], sessions: [] }, listInjections);
    await purge(context, id);
    const after = await readProject(context, { days: [], sessions: [] }, listInjections);

    expect(before.sessions).toMatchObject([{ injections: 1, memories: 1, tokens: 60 }]);
    expect(after.sessions).toMatchObject([{ injections: 1, memories: 0, tokens: 60 }]);
  });
});

interface Shop {
  context: MemoryContext;
  root: string;
  commit: string;
}

async function openShop(): Promise<Shop> {
  const root = gitRepository();
  const files = { "src/tax.ts": "export const tax = 1;\n", "src/rates.ts": "export const rates = {};\n" };
  return { context: await projectContext(), root, commit: commitFiles(root, files) };
}

/** What two sessions that hit an error and recover lead to. */
async function learnError(shop: Shop): Promise<string> {
  const hits = (id: string, day: string) =>
    toldSession(id, Date.parse(`2026-11-0${day}T09:00:00Z`))
      .starts()
      .runs("npm test", failure, true)
      .reads("src/tax.ts")
      .edits("src/rates.ts", "{}", `{ a: ${day} }`)
      .runs("npm test", "Tests  4 passed (4)")
      .ends();
  await finish(shop, hits("s1", "1"));
  const { learned } = await finish(shop, hits("s2", "2"));
  return learned.find(({ type }) => type === "error_pattern")?.id ?? "";
}

async function finish(shop: Shop, session: ToldSession): Promise<LearnedReport> {
  const { context, root } = shop;
  const read = { spoolId: `spool-${session.id}`, sessionId: session.id, root, pads: padsOf(shop, session) };
  return finishSession({ context, alsoWrite: recordInjections }, read);
}

function padsOf({ root, commit }: Shop, { events }: ToldSession): GrowingScratchpad[] {
  const { digest } = openDigest({ root, commit });
  const pads = new Map<string | undefined, GrowingScratchpad>([[undefined, openScratchpad(undefined)]]);
  for (const event of events) {
    const pad = pads.get(event.agentId) ?? openScratchpad(event.agentId);
    pads.set(event.agentId, pad);
    for (const note of digest(event)) pad.add(note);
  }
  return [...pads.values()];
}
