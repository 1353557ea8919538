import { describe, expect, it } from "vitest";
import { edited, failed, ran, read } from "../../../test/support/acts.js";
import { aroundOf, padOf, type Told } from "../../../test/support/pad-of.js";
import type { SignalContext, Draft } from "./signal.js";
import { workState } from "./work-state.js";

const unit = { methodology: "native", hierarchy: ["shop", "cart"], label: "Cart" };

describe("a session that ends unfinished", () => {
  it("leaves where it stands: the check that fails, the files, the plan, of the branch", () => {
    const left = leftBy(
      {
        actions: [edited("src/tax.ts"), edited("src/cart.ts"), failed("npm test", "TypeError: no rate")],
        sayings: [{ is: "plan", text: "Next I'll pass the rate to the cart.", order: 9 }],
        notes: [{ kind: "prompt", at: 0, text: "Add the tax to the cart. Thank you.", order: 0 }],
      },
      { outcome: "failure", branch: "tax" },
    );

    expect(left).toMatchObject({
      type: "work_state",
      content:
        'The work on "Add the tax to the cart" was left unfinished on branch `tax`. `npm test` still failed with ' +
        "`TypeError: no rate`. Edited last: `src/cart.ts` and `src/tax.ts`. " +
        'The last plan was: "Next I\'ll pass the rate to the cart."',
      data: { about: "branch tax", check: "npm test" },
      relatedFiles: ["src/cart.ts", "src/tax.ts"],
    });
  });

  it("leaves it of the piece of work that was begun and not ended, though nothing failed", () => {
    const notes = [{ kind: "unit" as const, at: 0, unit, state: "started" as const }];

    expect(leftBy({ notes, actions: [edited("src/cart.ts")] }, { outcome: "success" })).toMatchObject({
      content: "Work on “Cart” was left unfinished. Edited last: `src/cart.ts`.",
      scope: "work_unit",
      workUnit: unit,
    });
  });

  it("takes at most 600 characters, however long the paths are", () => {
    const actions = ["a", "b", "c", "d"].map((name) => edited(`src/${name.repeat(190)}/x.ts`));

    expect(leftBy({ actions }, { outcome: "abandoned" })?.content.length).toBeLessThanOrEqual(600);
  });

  it.each([
    ["nothing was edited", [read("src/a.ts"), failed("npm test", "TypeError: x")], "failure"],
    ["all was well in the end", [edited("src/a.ts"), failed("npm test", "TypeError: x"), ran("npm test")], "success"],
    ["it goes on", [edited("src/a.ts"), failed("npm test", "TypeError: x")], "running"],
  ] as const)("leaves nothing where %s", (_, actions, outcome) => {
    expect(leftBy({ actions: [...actions] }, { outcome })).toBeUndefined();
  });
});

function leftBy(told: Told, more: Pick<SignalContext, "outcome" | "branch">): Draft | undefined {
  const pad = padOf(told);
  const [sighting] = workState.detect(pad, { ...aroundOf(pad), ...more });
  const history = { sessions: 1, sessionsOfFile: () => 1, sessionsOfModule: () => 1 };
  return sighting && workState.compose(sighting.subject, [{ sessionId: "s", at: "", data: sighting.data }], history);
}
