import { describe, expect, it } from "vitest";
import { git, writeFiles } from "../support/git-repository.js";
import { observedProject, type ObservedProject } from "../support/observed-project.js";

describe("a commit", () => {
  const file = "src/auth/session.ts";

  /** Changes a file and commits it for real; gives the command as an agent writes it, and what git says. */
  function commits(project: ObservedProject, message: string): { command: string; said: string; sha: string } {
    writeFiles(project.root, { [file]: `export const lifeMinutes = ${message.length};\n` });
    const said = git(project.root, "commit", "--all", "--message", message);
    const command = `git add -A && git commit -m "$(cat <<'EOF'\n${message}\nEOF\n)"`;
    return { command, said, sha: git(project.root, "rev-parse", "--short", "HEAD") };
  }

  it("[O1] that says why is a decision, also where every event comes from a process of its own", async () => {
    const project = observedProject();
    const { command, said, sha } = commits(
      project,
      "feat(auth): let sessions live for an hour\n\nThirty minutes are shorter than a checkout with an invoice, so " +
        "people lost their basket because the session ended first.\n\nCo-Authored-By: Somebody <a@example.com>",
    );
    const session = project.session("Sessions end too early.").reads(file).edits(file, "30", "60");
    session.runs("npm test", { text: "Tests  14 passed (14)" }).runs(command, { text: said });
    session.runs("git log --oneline -1", { text: git(project.root, "log", "--oneline", "-1") });
    // A session's own commits are those that were not there when it began.
    git(project.root, "checkout", "--quiet", "--detach", "HEAD~1");

    await project.learnByHooks(session);
    const [found, ...others] = await project.recallElsewhere("Why do sessions live for an hour?");

    expect(others).toEqual([]);
    expect(found).toMatchObject({
      type: "decision",
      status: "active",
      source: "commit_auto",
      content:
        "Let sessions live for an hour. Thirty minutes are shorter than a checkout with an invoice, so people lost their " +
        "basket because the session ended first.",
      relatedFiles: [file],
      commit: sha,
      data: { headline: "let sessions live for an hour", commit: sha },
    });
    expect(found?.evidence).toMatchObject([
      { signal: "commit", subject: sha, sessions: [{ sessionId: session.id, seen: [{}] }] },
    ]);
    expect(found?.evidence[0]?.sessions[0]?.seen[0]?.did).toBe(
      `committed ${sha}: feat(auth): let sessions live for an hour`,
    );
  });
});
