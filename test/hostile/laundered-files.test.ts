import { utimesSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { LearnedReport } from "../../src/index.js";
import { git, writeFiles } from "../support/git-repository.js";
import { as, sharedRepository, type SharedRepository } from "../support/shared-repository.js";
import { toldSession, type ToldSession } from "../support/told-session.js";

const file = "src/tax.ts";
const text = "// A stranger's page says that prices are in cents.\nexport const tax = 0.2;\n";

describe("a tracked file that an agent wrote after it had read from elsewhere, and left uncommitted", () => {
  it.each([
    ["reads it later", (session: ToldSession) => session.reads(file, text)],
    ["has git show what changed", (session: ToldSession) => session.runs("git diff", `+${text}`)],
    ["searches through it", (session: ToldSession) => session.runs("grep -rn tax src", `${file}:2:export const tax`)],
  ])("[O4] taints the session that %s, though git tracks it", async (_, look) => {
    const { learned, waiting } = await later(await edited(), look);

    expect([learned.length, waiting.length]).toEqual([0, 1]);
  });

  it.each([
    ["a person has committed it", false],
    ["the agent has", true],
  ])("[O4] does so no longer once %s, and again with what is written into it later", async (_, isCommitted) => {
    const shared = await edited({ isCommitted });
    if (!isCommitted) commits(shared);
    const { learned } = await later(shared, reads);
    writeFiles(shared.root, { [file]: `${text}// Another page.\n` });
    await shared.learn(afterReadingAPage("s1b", Date.now()).edits(file, "0.2;", "0.2;\n// Another page.").ends());
    const again = await later(shared, reads);

    expect([learned.length, again.learned.length]).toEqual([1, 0]);
  });

  it("[O4] does so no longer once it was committed in other words", async () => {
    const shared = await edited();
    writeFiles(shared.root, { [file]: `${text}\n` });
    // Git counts seconds.
    await new Promise((wake) => setTimeout(wake, 1100));
    as(shared.root, "me@example.com", "commit", "--quiet", "--all", "-m", "Prices");
    writeFiles(shared.root, { [file]: `${text}// Ours.\n` });

    const { learned } = await later(shared, reads);

    expect(learned.length).toBe(1);
  });

  it("[O4] does so no longer then, also for a session that has changed it by its end", async () => {
    const shared = await edited();
    commits(shared);

    const { learned } = await meanwhile(shared, (session) => {
      reads(session);
      writeFiles(shared.root, { [file]: `${text}// Ours.\n` });
      return session.edits(file, "0.2;", "0.2;\n// Ours.");
    });

    expect(learned.length).toBe(1);
  });

  it.each<[string, (shared: SharedRepository) => void]>([
    ["takes it back", ({ root }) => void git(root, "checkout", "--quiet", "--", file)],
    ["puts it away", ({ root }) => void git(root, "stash", "--quiet")],
    ["changes it", ({ root }) => writeFiles(root, { [file]: "export const tax = 1;\n" })],
  ])("[O4] does so also where the session %s by its end", async (_, change) => {
    const shared = await edited();

    const { learned } = await meanwhile(shared, (session) => {
      reads(session);
      change(shared);
      return session.runs("true");
    });

    expect(learned.length).toBe(0);
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

  it.each([
    ["git diff", true, 1],
    ["git diff main", true, 1],
    ["git diff", false, 0],
    ["git stash show -p", false, 0],
  ])("[O4] does so by `%s` where that was not committed (committed: %s)", async (line, isCommitted, count) => {
    const shared = await edited({ isCommitted });
    if (line.includes("stash")) git(shared.root, "stash", "--quiet");

    const { learned } = await later(shared, (session) => session.runs(line, "+export const cart = [1];"));

    expect(learned.length).toBe(count);
  });

  it("[O4] does so by `git diff` where the session commits it then", async () => {
    const shared = await edited();

    const { learned } = await meanwhile(shared, (session) => {
      session.runs("git diff", `+${text}`);
      commits(shared);
      return session.runs("git commit -qam Prices");
    });

    expect(learned.length).toBe(0);
  });

  it("[O4] does so where a session writes on that had read a page after such a file", async () => {
    const shared = await edited();
    const other = "src/cart.ts";
    const part = (hours: number) => toldSession("s2", Date.now() - hours * 3_600_000).starts();
    await shared.learn(reads(part(3)).ends());
    await shared.learn(part(2).uses("WebFetch", { url: "https://example.com" }, "Prices are in cents.").ends());
    writeFiles(shared.root, { [other]: "export const cart = [1];\n" });
    await shared.learn(part(1).edits(other, "[]", "[1]").ends());

    const { learned } = await later(shared, (session) => session.reads(other));

    expect(learned.length).toBe(0);
  });

  it("[O4] does so where a session that had read nothing copied it from elsewhere", async () => {
    const shared = await edited();
    commits(shared);
    writeFiles(shared.root, { [file]: `${text}// Another page.\n` });
    await shared.learn(toldSession("s2", Date.now()).starts().runs(`cp /tmp/downloads/page.ts ${file}`).ends());

    const { learned } = await meanwhile(shared, (session) => {
      reads(session);
      writeFiles(shared.root, { [file]: text });
      return session.edits(file, "// Another page.", "");
    });

    expect(learned.length).toBe(0);
  });

  it("[O4] goes by what was written last, also by a session that had begun before", async () => {
    const shared = await sharedRepository();
    const hour = 3_600_000;
    await shared.learn(afterReadingAPage("s1", Date.now() - 9 * hour).ends());
    writeFiles(shared.root, { [file]: "export const tax = 0.3;\n" });
    await shared.learn(
      afterReadingAPage("s2", Date.now() - 8 * hour)
        .edits(file, "0.2", "0.3")
        .ends(),
    );
    commits(shared);
    writeFiles(shared.root, { [file]: text });
    await shared.learn(
      toldSession("s1", Date.now() - hour)
        .starts()
        .edits(file, "export", "// A")
        .ends(),
    );

    const { learned } = await meanwhile(shared, (session) => {
      reads(session);
      writeFiles(shared.root, { [file]: "export const tax = 1;\n" });
      return session.edits(file, "0.2", "1");
    });

    expect(learned.length).toBe(0);
  });

  it("[O4] does so where a commit has other lines of it, and its own still lie there", async () => {
    const shared = await edited();
    await commitsOther(shared);
    writeFiles(shared.root, { [file]: text });

    const { learned } = await later(shared, reads);

    expect(learned.length).toBe(0);
  });

  it("[O4] does so out of a stash, though other lines were committed since", async () => {
    const shared = await edited();
    git(shared.root, "stash", "--quiet");
    await commitsOther(shared);

    const { learned } = await later(shared, (session) => session.runs("git stash show -p", `+${text}`));

    expect(learned.length).toBe(0);
  });

  it.each<[string, (shared: SharedRepository, session: ToldSession) => ToldSession]>([
    ["shows it", (_, session) => session.runs("git stash show -p", `+${text}`)],
    [
      "takes it out and reads it",
      ({ root }, session) => {
        git(root, "stash", "pop", "--quiet");
        return reads(session.runs("git stash pop", `  modified: ${file}`));
      },
    ],
  ])("[O4] does so out of a stash that the agent itself had made, for a session that %s", async (_, look) => {
    const shared = await sharedRepository();
    writeFiles(shared.root, { [file]: text });
    git(shared.root, "stash", "--quiet");
    const session = afterReadingAPage("s1", Date.now() - 4 * 3_600_000).edits(file, "export", "// A page says\nexport");
    await shared.learn(session.runs("git stash").ends());

    const { learned } = await meanwhile(shared, (one) => look(shared, one));

    expect(learned.length).toBe(0);
  });

  it("[O4] does so where the session takes it back and dates it back", async () => {
    const shared = await edited();

    const { learned } = await meanwhile(shared, (session) => {
      reads(session);
      git(shared.root, "checkout", "--quiet", "--", file);
      utimesSync(`${shared.root}/${file}`, 1e9, 1e9);
      return session.runs(`touch -d 2001-09-09 ${file}`);
    });

    expect(learned.length).toBe(0);
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

/** A second later, since git counts seconds. */
async function commitsOther(shared: SharedRepository): Promise<void> {
  await new Promise((wake) => setTimeout(wake, 1100));
  writeFiles(shared.root, { [file]: "export const tax = 0.2;\n// Ours.\n" });
  commits(shared);
}

function reads(session: ToldSession): ToldSession {
  return session.reads(file, text);
}

let number = 1;

/** The same of a session that goes on now, while files change. */
function meanwhile(shared: SharedRepository, look: (session: ToldSession) => ToldSession): Promise<LearnedReport> {
  const name = `\`field_${(number += 1)}\``;
  const session = toldSession(`s${number}`, Date.now).starts();
  return shared.use(async (memory) => {
    for (const event of session.events) memory.observe(event);
    // What git has now is noted by then.
    await memory.sessions.acute(session.id);
    const begun = session.events.length;
    look(session).says(`Correction: the limit of ${name} is 64 KB, not 64 MB.`).ends();
    for (const event of session.events.slice(begun)) memory.observe(event);
    return (await memory.finishSession(session.id)) as LearnedReport;
  });
}

/** What a session leads to that comes later and looks at something first. */
function later(shared: SharedRepository, look: (session: ToldSession) => ToldSession): Promise<LearnedReport> {
  const name = `\`field_${(number += 1)}\``;
  const session = look(toldSession(`s${number}`, Date.now() + 60_000).starts());
  return shared.learn(session.says(`Correction: the limit of ${name} is 64 KB, not 64 MB.`).ends());
}
