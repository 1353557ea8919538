import { describe, expect, it } from "vitest";
import type { Memory } from "../../src/index.js";
import { toldSession, type ToldSession } from "../support/told-session.js";
import { watchedProject, type WatchedProject } from "../support/watched-project.js";

const red = "TypeError: Cannot read properties of undefined (reading 'rate')\n    at tax (src/tax.ts:3:9)";
const green = "Tests  14 passed (14)";

describe("a session that works a browser", () => {
  const page = "mcp__shop__";

  it("[I16] leads to what makes its tools work, which waits for a person, and keeps nothing that was typed", async () => {
    const project = watchedProject();
    const session = toldSession("s1").starts({ type: "pr_review" });
    session.uses("mcp__playwright__browser_navigate", { url: "http://localhost:3000/login?token=abc" }, "Login");
    session.uses(`${page}click_by_text`, { text: "Sign in" }, "TimeoutError: element is not enabled");
    session.uses(`${page}fill_input`, { selector: "#name", value: "hunter2-of-mine" }, "filled");
    session.uses(`${page}click_by_text`, { text: "Sign in" }, "clicked");
    session.uses(`${page}take_screenshot`, {}, "Welcome").ends();

    const { waiting, learned } = await project.learn(session);

    expect(learned).toEqual([]);
    expect(waiting).toMatchObject([
      {
        type: "e2e_observation",
        source: "mcp_auto",
        status: "waiting",
        confidence: 0.75,
        trustFlags: ["tainted"],
        review: { state: "pending" },
        data: { observationType: "precondition", page: "localhost:3000/login" },
        content:
          "On `localhost:3000/login`, to click `Sign in`, first fill `#name`: before that, `click_by_text` failed with " +
          "`TimeoutError (text withheld)`.",
      },
    ]);
    expect(JSON.stringify(await (await project.open()).review.evidence(waiting[0]?.id ?? ""))).not.toMatch(
      /hunter2|abc/,
    );
  });

  it("leads to nothing where everything worked", async () => {
    const session = toldSession("s1").starts();
    session.uses(`${page}click_by_text`, { text: "Sign in" }, "clicked");
    session.uses(`${page}get_page_structure`, {}, "Error: the page speaks of an error");
    session.uses(`${page}fill_input`, { selector: "#name", value: "x" }, "filled").ends();

    const { waiting, learned } = await watchedProject().learn(session);

    expect([...learned, ...waiting]).toEqual([]);
  });
});

describe("a session that ends unfinished", () => {
  it("[I13] leaves where its work stands; the next one replaces it, one that finishes it closes it, until it stands so again", async () => {
    const project = watchedProject();

    await project.learn(leaves(toldSession("s1", day(1)), "src/tax.ts"));
    const [first] = await statesOf(project);
    await project.learn(leaves(toldSession("s2", day(2)), "src/cart.ts"));
    const second = await statesOf(project);
    // Whoever asks a question in between has finished nothing.
    await project.learn(toldSession("s3", day(3)).starts().reads("src/cart.ts").runs("git status").ends());
    const third = await statesOf(project);
    await project.learn(finishes(toldSession("s4", day(4)), "src/cart.ts"));
    const fourth = await statesOf(project);
    await project.learn(leaves(toldSession("s5", day(5)), "src/cart.ts"));
    await project.learn(leaves(toldSession("s6", day(6)), "src/cart.ts"));
    const last = await statesOf(project);

    expect(first).toMatchObject({
      status: "active",
      sessionId: "s1",
      branch: "main",
      halfLifeDays: 7,
      content:
        'The work on "Add the tax to the cart" was left unfinished on branch `main`. `npm test` still failed with ' +
        "`TypeError: Cannot read properties of undefined (reading 'rate')`. Edited last: `src/tax.ts`.",
    });
    expect(standing(second)).toEqual(["s1 superseded", "s2 active"]);
    expect(second.find(({ sessionId }) => sessionId === "s1")?.supersededBy).toBe(
      second.find(({ sessionId }) => sessionId === "s2")?.id,
    );
    expect(standing(third)).toEqual(standing(second));
    expect(standing(fourth)).toEqual(["s1 superseded", "s2 expired"]);
    expect(standing(last)).toEqual(["s1 superseded", "s2 expired", "s5 active"]);
    expect(last.find(({ status }) => status === "active")).toMatchObject({
      provenanceSessionIds: ["s5", "s6"],
      lastAccessedAt: expect.any(String) as string,
    });
  });

  it("is known by its piece of work, which another branch of the build does not close", async () => {
    const project = watchedProject();
    const begins = (id: string, unit: string, state: "succeeded" | "failed" | undefined, at: number) => {
      const session = toldSession(id, at).starts().unit(unit, "started").edits("src/cart.ts", "[]", `[${at}]`);
      return (state ? session.unit(unit, state, "It is done.") : session).ends("success");
    };

    await project.learn(begins("s1", "cart", undefined, day(1)));
    await project.learn(begins("s2", "mail", "succeeded", day(2)));
    const before = await statesOf(project);
    await project.learn(begins("s3", "cart", "succeeded", day(3)));

    expect(before).toMatchObject([{ status: "active", scope: "work_unit", workUnit: { label: "cart" } }]);
    expect(standing(await statesOf(project))).toEqual(["s1 expired"]);
  });

  it("and had read from outside leaves it waiting, and what was known before stays until somebody accepts it", async () => {
    const project = watchedProject();
    await project.learn(leaves(toldSession("s1", day(1)), "src/tax.ts"));
    const session = toldSession("s2", day(2)).starts().uses("WebFetch", { url: "https://example.com/a" }, "A page.");

    await project.learn(leaves(session, "src/cart.ts"));
    const before = await statesOf(project);
    const memory = await project.open();
    await memory.review.accept(before.find(({ status }) => status === "waiting")?.id ?? "");

    expect(standing(before)).toEqual(["s1 active", "s2 waiting"]);
    expect(standing(await statesOf(project))).toEqual(["s1 superseded", "s2 active"]);
  });

  it("leaves nothing where it ended well, or did nothing", async () => {
    const project = watchedProject();

    await project.learn(finishes(toldSession("s1", day(1)), "src/tax.ts"));
    await project.learn(toldSession("s2", day(2)).starts().reads("src/tax.ts").ends("abandoned"));

    expect(await statesOf(project)).toEqual([]);
  });
});

function day(number: number): number {
  return Date.parse(`2026-11-0${number}T09:00:00Z`);
}

function leaves(session: ToldSession, file: string): ToldSession {
  return session
    .starts()
    .prompts("Add the tax to the cart. Thank you!")
    .edits(file, "a", "b")
    .runs("npm test", red, true)
    .ends("abandoned");
}

function finishes(session: ToldSession, file: string): ToldSession {
  return session.starts().prompts("Go on with the tax.").edits(file, "b", "c").runs("npm test", green).ends();
}

async function statesOf(project: WatchedProject): Promise<Memory[]> {
  return (await project.open()).list({ status: "any", includeSuperseded: true, types: ["work_state"] });
}

function standing(states: readonly Memory[]): string[] {
  return states.map(({ sessionId, status }) => `${sessionId} ${status}`).toSorted();
}

describe("a session that was told memories", () => {
  it("is summed up with those that it named, though it did nothing else", async () => {
    const project = watchedProject();
    const memory = await project.open();
    const [named, unused] = await Promise.all(
      ["Round down.", "Ship on Mondays."].map(async (content) => memory.remember({ content, type: "decision" })),
    );
    const session = toldSession("s1").starts().prompts("How do we round?");
    session.isTold([named?.id ?? "", unused?.id ?? ""], { point: "prompt" });
    session.says(`Down, as [Memory #${named?.id.slice(-8)}: Round down.] says.`).ends();

    await project.learn(session);

    expect(await memory.sessions.summary("s1")).toMatchObject({
      told: 2,
      tokens: 100,
      used: 1,
      cited: 1,
      followed: 0,
      savedTokens: 0,
      memories: expect.arrayContaining([
        expect.objectContaining({ id: named?.id, used: "cited", point: "prompt" }),
        expect.not.objectContaining({ used: expect.anything() as unknown }),
      ]) as unknown,
    });
    expect(await memory.sessions.summary("s2")).toBeUndefined();
  });
});
