import * as fc from "fast-check";
import { expect, it } from "vitest";
import { commitFiles } from "../support/git-repository.js";
import { toldSession, type ToldSession } from "../support/told-session.js";
import { watchedProject } from "../support/watched-project.js";

const files = ["src/cart.ts", "src/tax.ts", "src/mail.ts", "src/stock.ts"];
// No word of the project, and none of our templates.
const marks = ["zorblax", "quintoberry", "vexmundo"];

type Deed = (session: ToldSession, file: string, mark: string) => ToldSession;

/** What an agent may do with a word that it has read elsewhere, everything but wording a sentence with it. */
const deeds: Deed[] = [
  (s, file) => s.reads(file).edits(file, s.id, "b"),
  (s, file) => s.reads(file).edits(file, s.id, "b").edits("package.json", s.id, "c"),
  (s, file, mark) =>
    s.uses("Grep", { pattern: mark }, "Found 1 file\nsrc/mail.ts").reads("src/mail.ts").edits(file, s.id, "d"),
  (s, _, mark) => s.writes(`src/${mark}.ts`, s.id).reads(`src/${mark}.ts`),
  (s, file, mark) =>
    s
      .edits(file, s.id, "b")
      .runs(`npm run ${mark}`, "Done.")
      .edits("src/tax.ts", s.id, "e")
      .runs("npm test", "Tests  3 passed (3)"),
  (s, file, mark) =>
    s
      .edits(file, s.id, "b")
      .runs(`npm test --${mark}=1`, `Error: ${mark}\n    at ${file}:1:1`, true)
      .edits(file, "b", s.id),
  (s, file, mark) =>
    s
      .runs("npm run gen", `TypeError: ${mark} is not here\n    at ${file}:1:1`, true)
      .edits(file, s.id, "f")
      .runs("npm run gen", "Done."),
];

it("[TR28] no word from outside stands in anything that is active, whatever the agent did with it", async () => {
  let told = 0;
  const step = fc.tuple(fc.nat(deeds.length - 1), fc.constantFrom(...files), fc.constantFrom(...marks));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
      const project = watchedProject();
      commitFiles(project.root, { "package.json": '{ "scripts": { "gen": "x", "test": "y" } }\n' });
      for (const round of [1, 2, 3, 4]) {
        const session = toldSession(`s${round}`, Date.parse("2026-11-02T09:00:00Z") + round * 86_400_000).starts();
        session.uses("WebFetch", { url: `https://example.com/${round}` }, marks.join(" "));
        for (const [deed, file, mark] of steps) (deeds[deed] as Deed)(session, file, mark);
        await project.learn(session.ends());
      }
      const memory = await project.open();
      const memories = await memory.list();
      told += memories.length;
      const active = JSON.stringify(memories);
      const { text } = await memory.inject({
        point: "prompt",
        sessionId: "later",
        prompt: `${marks.join(" ")} cart tax mail`,
      });

      for (const mark of marks) expect(`${active}${text ?? ""}`).not.toContain(mark);
    }),
    { numRuns: 12 },
  );
  expect(told).toBeGreaterThan(0);
}, 120_000);
