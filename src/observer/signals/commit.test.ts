import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aroundOf, padOf } from "../../../test/support/pad-of.js";
import { commit } from "./commit.js";

const sha = "4F2a9c1d0e8b7a6f5c4d3e2f1a0b9c8d7e6f5a4b";

describe("what a session shows", () => {
  it("is a decision where a commit says why", () => {
    const { sighting, draft } = learn(
      "refactor(store)!: keep sessions in SQLite instead of Redis\n\n" +
        "The server runs on one machine, so that a second service is only one more thing to fail.\n" +
        "The tests were moved as well.\n\nBREAKING CHANGE: `REDIS_URL` is not read any more.\n\nSigned-off-by: Somebody",
      ["src/store/sessions.ts", "src/store/redis.ts", "package-lock.json"],
    );

    expect(sighting).toMatchObject({ subject: sha.toLowerCase(), orders: [7] });
    expect(draft).toEqual({
      type: "decision",
      content:
        "Keep sessions in SQLite instead of Redis. " +
        "The server runs on one machine, so that a second service is only one more thing to fail. " +
        "`REDIS_URL` is not read any more. This breaks what was before.",
      data: { headline: "keep sessions in SQLite instead of Redis", commit: sha.toLowerCase(), breaking: true },
      relatedFiles: ["src/store/sessions.ts", "src/store/redis.ts"],
      relatedModules: ["src/store"],
      commit: sha.toLowerCase(),
      source: "commit_auto",
    });
    expect(sighting?.evidence[0]?.did).toMatch(/^committed 4F2a9c1d0e: refactor/);
  });

  it.each([
    "Retry three times because the gateway drops the first request",
    "feat: show prices in cents\n\nRounding differed between the invoice and the page by up to one cent.",
    "Move the lock\n\n- renamed files\n- take the lock before reading, because two processes read the same row",
    "feat!: new names\n\nBREAKING CHANGE: `open` is called `openStore`.",
    "Keep sessions in SQLite rather than in Redis",
    "Close the pool first to avoid a hang of `vitest`",
    "fix: use $HOME instead of ~ because sh does not expand it",
  ])("is a decision: %s", (message) => {
    expect(learn(message).draft?.type).toBe("decision");
  });

  it.each([
    "fix typo",
    "fix: typo in README",
    "feat: add login form\n\n- add form\n- add tests for the form and the page that it is on",
    "Update dependencies\n\nSigned-off-by: Somebody <a@example.org>",
    "Merge branch 'main' into feature because of conflicts in it",
    'Revert "Retry three times because the gateway drops requests"',
    "chore(deps): bump vite from 5.0.0 to 5.0.1\n\nBumps vite because of a release that has many fixes in it.",
    "fixup! keep sessions in SQLite instead of Redis for now",
    "WIP",
    "because",
    "docs: describe how to install it\n\nThe page now has a section for every system that we know of.",
    "Add login form\n\nAdds the form, the page around it and a test for both of them.",
    "Update snapshots so that tests pass.",
    "Update the fixtures\n\nNew dates, so that all the tests pass again.",
    "Address review comments instead of leaving them open.",
    "Change the linter's rules because the CI is red",
    "Move things around because it is better that way",
    // Too few words to explain anything.
    "feat: show prices in cents\n\nAs asked by the shop.",
    "",
  ])("is nothing: %s", (message) => {
    expect(learn(message).sighting).toBeUndefined();
  });

  it("is the last one where a commit was amended", () => {
    const message = "Retry three times because the gateway drops the first request";
    const notes = ["aaaaaaa", "bbbbbbb"].map((one, order) => ({
      kind: "commit" as const,
      at: 0,
      sha: one,
      message,
      files: [],
      order,
    }));
    const pad = padOf({ notes });

    expect(commit.detect(pad, aroundOf(pad)).map(({ subject }) => subject)).toEqual(["bbbbbbb"]);
  });

  it("is about what was edited since the commit before it, where nobody says what it holds", () => {
    const message = "Retry three times because the gateway drops the first request";
    const notes = ["aaaaaaa", "bbbbbbb", "ccccccc"].map((one, index) => ({
      kind: "commit" as const,
      at: 0,
      sha: one,
      message: index === 0 ? "fix typo" : message,
      files: [],
      order: 2 * index + 1,
    }));
    const edits = ["src/first.ts", "src/retry.ts", "src/amended.ts", "src/later.ts"];
    const actions = edits.map((file, index) => ({ does: "edit" as const, files: [file], order: 2 * index }));
    const pad = padOf({ notes, actions });

    expect(commit.detect(pad, aroundOf(pad))).toMatchObject([{ data: { files: ["src/retry.ts", "src/amended.ts"] } }]);
  });

  it("is nothing where there is no SHA to point to", () => {
    expect(learn("Retry because the gateway drops the first one", [], "HEAD").sighting).toBeUndefined();
  });

  it("stays short whatever a message holds", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), fc.nat(50), (piece, times) => {
        const text = piece.repeat(times);
        const { draft } = learn(`feat: ${text} because of that thing\n\n${text} so that it is known why`);

        expect(draft?.content.length ?? 0).toBeLessThan(700);
      }),
    );
  });
});

function learn(message: string, files: string[] = [], id = sha) {
  const pad = padOf({ notes: [{ kind: "commit", at: 0, sha: id, message, files, order: 7 }] });
  const [sighting] = commit.detect(pad, aroundOf(pad));
  const past = sighting && { sessionId: "s", at: "2026-11-02T09:00:00.000Z", data: sighting.data, evidence: [] };
  const history = { sessions: 1, sessionsOfFile: () => 1, sessionsOfModule: () => 1 };
  return { sighting, draft: past && commit.compose(sighting.subject, [past], history) };
}
