import { afterEach, expect, it, vi } from "vitest";
import { commitFiles, gitRepository } from "../../../test/support/git-repository.js";
import { padOf } from "../../../test/support/pad-of.js";
import { slowGit } from "../../../test/support/slow-git.js";
import { settleErrors } from "./settle-errors.js";

afterEach(() => vi.unstubAllEnvs());

it("shares its time among all searches, also among those of one error", async ({ skip }) => {
  skip(process.platform === "win32", "no script can stand in for git there");
  const root = gitRepository();
  const commit = commitFiles(root, {
    "src/cart.ts": "`basket of ${name} weighs ${size} over its cap`;\n",
  });
  const message = "basket of 'a' weighs 12 over its cap";
  const error = { fingerprint: "f", kind: "Error", message, frame: "src/cart.ts" };
  const asked = slowGit("grep", 0.4);

  await settleErrors(
    [padOf({ actions: [{ does: "run", error }] })],
    { root, isOwn: () => true, commit, findNames: async () => new Set() },
    { timeoutMs: 600 },
  );

  const searches = asked().filter((line) => line.includes(" grep "));
  expect(searches.length).toBeGreaterThan(0);
  expect(searches.length).toBeLessThanOrEqual(2);
});
