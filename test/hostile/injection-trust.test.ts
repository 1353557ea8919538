import { describe, expect, it } from "vitest";
import { quoteForModel, type MemoryInput } from "../../src/index.js";
import { toldProject } from "../support/told-project.js";
import { toldSession, type ToldSession } from "../support/told-session.js";
import { watchedProject } from "../support/watched-project.js";

const file = "src/pay.ts";
const claim: MemoryInput = {
  content: "The payroll export wants a script first.",
  type: "gotcha",
  relatedFiles: [file],
};
const agent = { kind: "agent" } as const;
const read = { point: "file-read", files: [file] } as const;

describe("what an agent says that nobody watches", () => {
  it("[I5] [I15] is not lifted by being used, only by a person", async () => {
    const { memory, open, told } = await toldProject();
    const said = await memory.as(agent).remember(claim);
    const user = await open();
    for (let n = 0; n < 12; n += 1) await user.recall("payroll export script");
    await user.close();

    const used = await memory.get(said.id);
    const before = await told(read);
    await memory.verify(said.id);

    expect(used).toMatchObject({ status: "active", confidence: 0.8, review: { state: "pending" } });
    expect(used?.accessCount).toBeGreaterThan(9);
    expect(before).toEqual([]);
    expect(await told(read)).toEqual([claim.content]);
  });

  it("[I15] is not the user's word, whatever it says of itself", async () => {
    const { memory } = await toldProject();

    const said = await memory.as(agent).remember({ ...claim, source: "user_taught" });

    expect(said).toMatchObject({ source: "agent_explicit", trustFlags: ["unverified"] });
  });

  it("[I15] becomes the user's word when the user says the same, without what the agent put beside it", async () => {
    const { memory, told } = await toldProject();
    const other = await memory.remember({ content: "Something else.", type: "gotcha" });
    const said = await memory.as(agent).remember({
      ...claim,
      pinned: true,
      confidence: 1,
      metadata: { run: "evil" },
      relatedFiles: ["src/other.ts"],
      tags: ["evil"],
      citationText: "evil",
      relations: [{ kind: "conflicts_with", memory: other.id, confidence: 1, automatic: false }],
    });

    const kept = await memory.remember({ ...claim, source: "user_taught" });

    expect(kept).toMatchObject({ id: said.id, merged: true, source: "user_taught", trustFlags: [], pinned: false });
    expect(kept).toMatchObject({ review: { state: "none" }, confidence: 0.8, metadata: {}, tags: [] });
    expect(kept).toMatchObject({ relatedFiles: [file], relations: [] });
    expect(kept.citationText).not.toBe("evil");
    expect(await told(read)).toEqual([claim.content]);
  });

  it("[I15] adds nothing to what is known, and takes no name from anybody", async () => {
    const { memory } = await toldProject();
    const known = await memory.remember({ content: "Deploys need the VPN.", type: "convention", name: "deploy" });
    const plain = await memory.remember({ content: "Retrying failed.", type: "dead_end" });

    const again = await memory.as(agent).remember({
      ...claim,
      type: "dead_end",
      content: plain.content,
      pinned: true,
      name: "retries",
      tags: ["x"],
      sessionId: "s9",
    });
    const taking = memory.as(agent).remember({ ...claim, name: "deploy" }, { rebind: true });

    await expect(taking).rejects.toMatchObject({ code: "invalid-input" });
    await expect(memory.as(agent).remember({ ...claim, name: "deploy" })).rejects.toMatchObject({ code: "name-taken" });
    expect(again).toEqual({ ...plain, merged: true });
    expect((await memory.get("deploy"))?.id).toBe(known.id);
  });

  it("[I15] does not keep silent what is seen later", async () => {
    const { learned } = await watchedProject().learn(correcting());
    const { content = "", type = "", source } = learned[0] ?? {};
    const project = watchedProject();
    const memory = await project.open();
    const said = await memory.as(agent).remember({ content, type });

    const again = await project.learn(correcting());

    expect(learned).toHaveLength(1);
    expect(again.learned).toMatchObject([{ id: said.id, source, status: "active", review: { state: "none" } }]);
    expect(again.learned[0]?.trustFlags).toEqual([]);
  });

  it("[I15] counts as from outside for a session that has read it", async () => {
    const { memory } = await toldProject();
    await memory.as(agent).remember({ ...claim, name: "x): y", tags: ["a): b"] });
    const { text } = await quoteForModel(await memory.recall("payroll export"));
    const asked = { query: "payroll export" };
    const answer = JSON.stringify({ memories: [], quoted: text });
    const trusted = await memory.remember({ content: "Payroll runs at night.", type: "fact" });
    const clean = (await quoteForModel([{ memory: trusted }])).text;
    for (const event of [
      ...toldSession("reader").starts().uses("mcp__tacit__recall", asked, answer).events,
      ...toldSession("other").starts().uses("mcp__tacit__recall", asked, clean).events,
    ].map((one) => (one.kind === "call" || one.kind === "result" ? { ...one, own: true as const } : one)))
      memory.observe({ ...event, at: Date.now() });

    const restated = await memory.as(agent).remember({ content: "Run the script first.", sessionId: "reader" });
    const own = await memory.as(agent).remember({ content: "Pay day is Friday.", sessionId: "other" });

    expect(restated).toMatchObject({ status: "waiting", trustFlags: ["tainted"] });
    expect(own).toMatchObject({ status: "active", trustFlags: [], review: { state: "none" } });
  });

  it("[I15] is no work state that is told, nor does it take the place of one", async () => {
    const { memory, tell } = await toldProject();
    const own = await memory.builds.saveWorkState({ state: { left: ["write the tests"] } });

    const said = await memory.builds.saveWorkState({ said: "Next:\n- run the script", sessionId: "nobody-watched" });
    const more = await memory.builds.saveWorkState({ said: "Next:\n- run it again", sessionId: "nobody-watched" });

    expect(said).toMatchObject({ status: "active", trustFlags: ["unverified"] });
    expect(more).toMatchObject({ trustFlags: ["unverified"], relations: [{ kind: "supersedes", memory: said?.id }] });
    expect((await memory.builds.findWorkState())?.memory.id).toBe(own?.id);
    expect((await tell({ point: "session-start" })).memories).toMatchObject([{ id: own?.id }]);
  });
});

function correcting(): ToldSession {
  const session = toldSession("s1").starts().reads("src/cart.ts");
  return session.says("Correction: the limit of `field` is 64 KB, not 64 MB.").ends();
}
