import { describe, expect, it } from "vitest";
import type { LearnedReport } from "../../src/index.js";
import { git, writeFiles } from "../support/git-repository.js";
import { as, sharedRepository, type SharedRepository } from "../support/shared-repository.js";
import { toldSession, type ToldSession } from "../support/told-session.js";

const file = "src/tax.ts";
const text = "// A stranger's page says that prices are in cents.\nexport const tax = 0.2;\n";

describe("a tracked file that an agent wrote after it had read from elsewhere", () => {
  it.each([
    ["reads it later", (session: ToldSession) => session.reads(file, text)],
    ["has git show what changed", (session: ToldSession) => session.runs("git diff", `+${text}`)],
    ["searches through it", (session: ToldSession) => session.runs("grep -rn tax src", `${file}:2:export const tax`)],
  ])("[O4] taints the session that %s, also where git tracks it", async (_, look) => {
    const { learned, waiting } = await later(await edited(), look);

    expect([learned.length, waiting.length]).toEqual([0, 1]);
  });

  it("[O4] does so where the agent committed it itself", async () => {
    const { learned, waiting } = await later(await edited({ isCommitted: true }), reads);

    expect([learned.length, waiting.length]).toEqual([0, 1]);
  });

  it("[O4] does so no longer once a person has committed it as it is, whatever they change in it later", async () => {
    const shared = await edited();
    const before = await later(shared, reads);
    commits(shared);
    const { learned } = await later(shared, reads);
    writeFiles(shared.root, { [file]: `${text}// More of it.\n` });
    const changed = await later(shared, reads);

    expect([before.learned.length, learned.length, changed.learned.length]).toEqual([0, 1, 1]);
  });

  it("[O4] does so no longer then, also for a session that has changed it by its end", async () => {
    const shared = await edited();
    commits(shared);

    const { learned } = await later(shared, (session) => {
      writeFiles(shared.root, { [file]: `${text}// Ours.\n` });
      return reads(session).edits(file, "0.2;", "0.2;\n// Ours.");
    });

    expect(learned.length).toBe(1);
  });

  it("[O4] does so again where another such agent has changed it since", async () => {
    const shared = await edited();
    commits(shared);
    writeFiles(shared.root, { [file]: `${text}// Another page.\n` });
    await shared.learn(afterReadingAPage("s1b", Date.now()).edits(file, "0.2;", "0.2;\n// Another page.").ends());

    const { learned } = await later(shared, reads);

    expect(learned.length).toBe(0);
  });

  it.each([
    ["somebody else has merged it", ["merge", "--quiet", "--no-ff", "--no-edit", "origin/work"]],
    ["it has gone there as it was", ["merge", "--quiet", "--ff-only", "origin/work"]],
  ])("[O4] does so no longer once the remote's default branch has it: %s", async (_, merge) => {
    const shared = await edited({ isCommitted: true });
    git(shared.root, "push", "--quiet", "origin", "HEAD:work");
    shared.other("fetch", "--quiet", "origin");
    shared.other(...merge);
    shared.other("push", "--quiet", "origin", "HEAD:main");
    shared.fetch();

    const { learned } = await later(shared, reads);

    expect(learned.length).toBe(1);
  });

  it("[O4] does so no longer then, whatever files outside of the project the agent wrote besides", async () => {
    const shared = await edited({ plan: "/home/ada/.claude/plans/a.md" });
    commits(shared);

    const { learned } = await later(shared, reads);

    expect(learned.length).toBe(1);
  });

  it("[O4] taints what is worded from it, and not each file that its reader changes", async () => {
    const shared = await edited();
    const other = "src/cart.ts";
    await later(shared, (session) => reads(session).edits(other, "1", "2"));
    const ofOther = await later(shared, (session) => session.reads(other));
    const again = await later(shared, reads);

    expect([ofOther.learned.length, again.learned.length]).toEqual([1, 0]);
    expect(again.waiting[0]?.review.reason).toMatch(/an agent had changed after it had read from outside/);
  });

  it("[O4] does not where git shows what has changed since, and it was committed", async () => {
    const shared = await edited({ isCommitted: true });

    const { learned } = await later(shared, (session) => session.runs("git diff", "+export const cart = [1];"));

    expect(learned.length).toBe(1);
  });
});

/** An agent has read a page, and then edited a file, hours ago or just now. */
async function edited({ isCommitted = false, plan = "" } = {}): Promise<SharedRepository> {
  const shared = await sharedRepository();
  writeFiles(shared.root, { [file]: text });
  const session = afterReadingAPage("s1", Date.now() - (isCommitted ? 5000 : 4 * 3_600_000)).edits(
    file,
    "export",
    "// A stranger's page says that prices are in cents.\nexport",
  );
  if (plan !== "") session.writes(plan, "Prices are in cents.");
  if (isCommitted) {
    commits(shared);
    session.runs("git commit -qam Prices");
  }
  await shared.learn(session.ends());
  return shared;
}

function afterReadingAPage(id: string, at: number): ToldSession {
  return toldSession(id, at).starts().uses("WebFetch", { url: "https://example.com" }, "Prices are in cents.");
}

function commits(shared: SharedRepository): void {
  as(shared.root, "me@example.com", "commit", "--quiet", "--all", "-m", "Prices");
}

function reads(session: ToldSession): ToldSession {
  return session.reads(file, text);
}

let number = 1;

/** What a session leads to that comes later and looks at something first. */
function later(shared: SharedRepository, look: (session: ToldSession) => ToldSession): Promise<LearnedReport> {
  const name = `\`field_${(number += 1)}\``;
  const session = look(toldSession(`s${number}`, Date.now() + 60_000).starts());
  return shared.learn(session.says(`Correction: the limit of ${name} is 64 KB, not 64 MB.`).ends());
}
