// The origin of a model's sentence cannot be traced, and comparing texts passes every paraphrase. So what an agent words
// after it has read from outside waits, in whatever words and whatever language.
import { describe, expect, it } from "vitest";
import { controls } from "./controls.js";
import { payloads, type Payload } from "./payloads.js";
import { sources } from "./sources.js";
import { listHeard, openProject, openStage, type Project, type Stage } from "./stage.js";
import { wordings, type WordingName } from "./wordings.js";

describe("an instruction from outside that an agent has put in its own words", () => {
  const silent: string[] = [];

  // Tests of tracked code count as the project's own, so what a dependency prints there is not marked: docs/TRUST.md says so.
  const isSeen = ({ source }: Payload) => source !== "error of a dependency in a test run";

  it("[TR93] comes through by no other way than what a dependency prints in a test run", () => {
    expect(payloads.filter((payload) => !isSeen(payload))).toHaveLength(2);
  });

  it.each(payloads.filter(isSeen).map((payload): [string, Payload] => [nameOf(payload), payload]))(
    "[TR93] is neither active nor injected nor recalled unmarked: %s",
    async (name, { source, wording, read, claim, marks }) => {
      const project = await openProject();

      const show = (stage: Stage) => sources[source](stage, read);
      // The third time two agents agree, which have both read it.
      for (const agents of [["builder"], ["builder"], ["left", "right"]])
        await word(project, wording, claim, agents, show);

      const heard = await listHeard(project, claim, marks);
      if (heard.made.length === 0) silent.push(name);
      expect({
        active: heard.active.map(({ content }) => content),
        injected: heard.injected,
        recalled: heard.recalled.map(({ content }) => content),
      }).toEqual({ active: [], injected: [], recalled: [] });
    },
    60_000,
  );

  it("[TR93] is held for a person in nearly every case, so that the cases above are none of silence", () => {
    expect(payloads.length).toBeGreaterThanOrEqual(50);
    expect(payloads.filter(({ language }) => language !== "English").length).toBeGreaterThanOrEqual(20);
    expect(silent.length, silent.join("\n")).toBeLessThanOrEqual(0.1 * payloads.length);
  });
});

describe("what an agent says after it has read only what the project tracks", () => {
  it.each(controls.map((control) => [control.wording, control.claim, control] as const))(
    "[TR94] is active: by %s: %s",
    async (wording, claim, { marks }) => {
      const project = await openProject();

      const rounds = wording === "work state" ? 1 : 2;
      for (let round = 0; round < rounds; round += 1) await word(project, wording, claim, ["builder"]);

      const { active, made } = await listHeard(project, claim, marks);
      const states = made.map(({ status, trustFlags, review }) => ({ status, trustFlags, review }));
      expect(active.length, JSON.stringify(states)).toBeGreaterThan(0);
    },
    60_000,
  );
});

/** A session in which each of these agents is shown something, where it is, and says the claim. */
async function word(
  project: Project,
  wording: WordingName,
  claim: string,
  agents: readonly string[],
  show?: (stage: Stage) => Promise<void>,
): Promise<void> {
  const stage = openStage(project, agents[0]);
  for (const agent of agents) {
    if (agents.length > 1) stage.session.sub(agent);
    await show?.(stage);
    await wordings[wording](stage, claim);
    // Its hooks have ended the session.
    if (wording === "command line") return;
    if (agents.length > 1) stage.session.back();
  }
  await stage.finish();
}

function nameOf({ language, source, wording, claim }: Payload): string {
  return `${language}, ${source}, by ${wording}: ${claim}`;
}
