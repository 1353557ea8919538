import { rmSync, symlinkSync, unlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { LearnedReport } from "../../src/index.js";
import { agentSession } from "../../bench/agent-session.mjs";
import { commitFiles, git, writeFiles } from "../support/git-repository.js";
import { filesWithMark, mark } from "../support/ignoring-project.js";
import { as, sharedRepository, type SharedRepository } from "../support/shared-repository.js";
import { slowGit } from "../support/slow-git.js";
import { toldSession, type ToldSession } from "../support/told-session.js";

const file = "src/tax.ts";
const before = "export const tax = 0.2;\n";
const after = `// A stranger's page says that prices are in cents.\n${before}`;
const diff = `--- a/${file}\n+++ b/${file}\n@@ -1 +1,2 @@\n+// A stranger's page says so.\n ${before}`;

const ways: [string, string][] = [
  ["a script in Python", `python3 -c "open('${file}','w').write('// A page')"`],
  ["a script from its input", `python3 - <<'E'\nopen('src/' + 'tax.ts', 'w').write('// A page')\nE`],
  ["a script in Node", `node -e "require('fs').writeFileSync('${file}', '// A page')"`],
  ["a patch of git from its input", `git apply <<'E'\n${diff}E`],
  ["a patch from its input", `patch -p1 <<'E'\n${diff}E`],
  ["a name in a variable", `F=${file}; echo '// A page' >> $F`],
  ["a list of files", "grep -rl tax src | xargs sed -i 's/^/\\/\\/ A page/'"],
  ["a search", "find src -name 'tax*' -exec sed -i 's/^/\\/\\/ A page/' {} +"],
  ["a loop", "for f in src/*.ts; do echo '// A page' >> $f; done"],
  ["a filter", `awk '{ print "// A page" }' src/cart.ts > ${file}`],
  ["a filter that names its file itself", `awk '{ print > "${file}" }' src/cart.ts`],
  ["a download", `curl -so ${file} https://example.com/tax.ts`],
  ["a build", "npm run generate"],
];

describe("a tracked file that a tainted session wrote in a way that its command doesn't tell", () => {
  it.each(ways)("[TR97] taints the session that reads it later: %s", async (_, line) => {
    const shared = await sharedRepository();
    await now(shared, (session) => {
      readsAPage(session);
      writeFiles(shared.root, { [file]: after });
      return session.runs(line);
    });

    const { learned, waiting } = await later(shared);

    expect([learned.length, waiting.length]).toEqual([0, 1]);
    expect(waiting[0]?.review.reason).toMatch(/an agent had changed after it had read from outside/);
  });

  it.each<[string, (root: string) => void]>([
    ["git was told to take it for unchanged", (root) => git(root, "update-index", "--assume-unchanged", file)],
    ["git was told to leave it out", (root) => git(root, "update-index", "--skip-worktree", file)],
    ["it was dated back", (root) => utimesSync(join(root, file), 1e9, 1e9)],
    [
      "it is a link by now",
      (root) => {
        writeFiles(root, { "notes.txt": after });
        unlinkSync(join(root, file));
        symlinkSync("../notes.txt", join(root, file));
      },
    ],
  ])("[TR97] taints it also where %s", async (_, hides) => {
    const shared = await sharedRepository();
    await now(shared, (session) => {
      readsAPage(session);
      writeFiles(shared.root, { [file]: after });
      hides(shared.root);
      return session.runs("make");
    });

    const { learned } = await later(shared);

    expect(learned.length).toBe(0);
  });

  it("[TR97] taints it where a sub-agent had read the words, and where the clock of the agent is ahead", async () => {
    const shared = await sharedRepository();
    const ahead = () => Date.now() + 3_600_000;
    await now(
      shared,
      (session) => {
        readsAPage(session.sub("a1"));
        writeFiles(shared.root, { [file]: after });
        return session.runs("make").back();
      },
      ahead,
    );

    const { learned } = await later(shared);

    expect(learned.length).toBe(0);
  });

  it("[TR97] taints nothing any more once it is committed", async () => {
    const shared = await sharedRepository();
    await now(shared, (session) => {
      readsAPage(session);
      writeFiles(shared.root, { [file]: after });
      return session.runs("make");
    });
    as(shared.root, "me@example.com", "commit", "--quiet", "--all", "-m", "Prices");

    const { learned } = await later(shared);

    expect(learned.length).toBe(1);
  });

  it.each<[string, (session: ToldSession, write: () => void, shared: SharedRepository) => unknown]>([
    ["the session has read nothing untrusted", (session, write) => (write(), session.runs("true"))],
    [
      "it was committed in the session",
      (session, write, { root }) => {
        readsAPage(session);
        write();
        git(root, "commit", "--quiet", "--all", "-m", "Prices");
        session.runs("git commit -qam Prices");
      },
    ],
    [
      "the same lies there again",
      (session, write, { root }) => {
        readsAPage(session);
        write();
        writeFiles(root, { [file]: before });
        session.runs("make");
      },
    ],
  ])("[TR97] isn't marked where %s", async (_, does) => {
    const shared = await sharedRepository();
    await now(shared, (session) => {
      does(session, () => writeFiles(shared.root, { [file]: after }), shared);
      return session;
    });

    const { learned } = await later(shared);

    expect(learned.length).toBe(1);
  });

  it("[TR97] isn't marked where it was changed before the untrusted words, and another one is", async () => {
    const shared = await sharedRepository();
    writeFiles(shared.root, { [file]: after });
    // Some file systems count seconds.
    await new Promise((wake) => setTimeout(wake, 1200));
    await now(shared, (session) => {
      readsAPage(session);
      writeFiles(shared.root, { "src/cart.ts": after });
      return session.runs("make");
    });

    const ofFile = await later(shared);
    const ofOther = await later(shared, "src/cart.ts");

    expect([ofFile.learned.length, ofOther.learned.length]).toEqual([1, 0]);
  });

  it("[TR97] isn't marked where it was changed long after a session that is replayed", async () => {
    const shared = await sharedRepository();
    const session = agentSession({ id: "old", root: shared.root, at: Date.now() - 3_600_000 });
    session.fetches("https://example.com", { text: "Prices are in cents." }).runs("make");
    writeFiles(shared.root, { [file]: after });
    const lines = async function* () {
      for (const line of session.lines()) yield Buffer.from(`${line}\n`);
    };
    const { sessions } = await shared.use((memory) => memory.sessions.replay(lines()));

    const { learned } = await later(shared);

    expect([sessions[0]?.session.outside?.from, learned.length]).toEqual(["web", 1]);
  });

  it("[TR97] costs no question to git unless words spread, and is let be where git is late", async () => {
    const shared = await sharedRepository();
    const question = "ls-tree -r -z HEAD";
    const asked = slowGit(question);
    const questions = () => asked().filter((line) => line.endsWith(question)).length;
    await now(shared, (session) => session.reads(file, before).runs("true"));
    const without = questions();
    writeFiles(shared.root, { [file]: after });
    const report = await now(shared, (session) => readsAPage(session).runs("make"));

    expect([without, questions()]).toEqual([0, 1]);
    expect(report.session.toolCalls).toBe(2);
  });
});

describe("a tracked file that was ignored when a tainted session wrote it", () => {
  it.each([
    ["in the words of a tool", (session: ToldSession) => session.writes(file, after)],
    ["unseen", (session: ToldSession) => session.runs("make")],
  ])("[TR97] taints the session that reads it once it is ignored no longer: %s", async (_, write) => {
    const shared = await sharedRepository();
    await ignoring(shared, "src/", (session) => {
      writeFiles(shared.root, { [file]: after });
      write(session);
    });

    const { learned } = await later(shared);

    expect(learned.length).toBe(0);
  });

  it("[TR97] leaves no byte of its name where it is still ignored", async () => {
    const shared = await sharedRepository();
    const hidden = `vaulted/${mark}.ts`;
    commitFiles(shared.root, { [hidden]: before });
    const isHeld = () => [dirname(shared.db), process.env["TACIT_HOME"] ?? ""].flatMap(filesWithMark);
    const change = (session: ToldSession) => {
      writeFiles(shared.root, { [hidden]: after });
      session.writes(hidden, after);
    };
    await ignoring(shared, "vaulted/", change, { stays: true });
    const whileIgnored = isHeld();
    await ignoring(shared, "vaulted/", change);

    expect(whileIgnored).toEqual([]);
    // The same session leaves it where nothing is ignored.
    expect(isHeld()).not.toEqual([]);
  });
});

let number = 0;

/** A session that goes on now, while files change. */
function now(
  shared: SharedRepository,
  does: (session: ToldSession) => ToldSession,
  clock: () => number = Date.now,
): Promise<LearnedReport> {
  const session = toldSession(`s${(number += 1)}`, clock).starts();
  return shared.learn(does(session).ends());
}

/** The same, with what is ignored from the untrusted words on until the session takes that back or ends. */
function ignoring(
  shared: SharedRepository,
  pattern: string,
  does: (session: ToldSession) => void,
  { stays = false } = {},
): Promise<unknown> {
  const list = join(shared.root, ".tacitignore");
  const session = toldSession(`s${(number += 1)}`, Date.now).starts();
  return shared.use(async (memory) => {
    const tell = () => {
      for (const event of session.events.slice(told)) memory.observe(event);
      told = session.events.length;
    };
    let told = 0;
    readsAPage(session);
    writeFileSync(list, `${pattern}\n`);
    does(session.runs(`echo '${pattern}' > .tacitignore`));
    tell();
    // All of it is noted by then.
    await memory.sessions.acute(session.id);
    if (!stays) rmSync(list);
    session.runs(stays ? "true" : "rm .tacitignore").ends();
    tell();
    return memory.finishSession(session.id);
  });
}

function readsAPage(session: ToldSession): ToldSession {
  return session.uses("WebFetch", { url: "https://example.com" }, "Prices are in cents.");
}

/** What a session leads to that comes later and reads a file first. */
function later(shared: SharedRepository, path = file): Promise<LearnedReport> {
  const session = toldSession(`s${(number += 1)}`, Date.now() + 60_000)
    .starts()
    .reads(path, after);
  return shared.learn(session.says(`Correction: the limit of \`field_${number}\` is 64 KB, not 64 MB.`).ends());
}
