import { describe, expect, it } from "vitest";
import { asksForMerge, isMergingTool } from "./asks-for-merge.js";

describe("a call that may be why a forge merges", () => {
  it.each([
    "gh pr merge 12 --squash --auto",
    "GH_TOKEN=x gh -R me/shop pr merge",
    "sleep 600; gh pr merge 12",
    "curl -X PUT https://api.github.com/repos/me/shop/pulls/12/merge",
    "gh api graphql -f query='mutation { mergePullRequest(input: {}) { clientMutationId } }'",
    "git -C app push origin main",
    "git push --push-option=merge_request.merge_when_pipeline_succeeds",
    "echo $(gh pr merge 12)",
    "T=gh; $T pr merge 12",
    "bash -c 'gh pr merge 12'",
    "glab mr create --fill && glab mr merge --yes",
  ])("is seen: %s", (line) => {
    expect(asksForMerge(line)).toBe(true);
  });

  it.each([
    "gh pr view 12 --comments",
    "gh pr create --title 'Cart' --body 'Keeps three things'",
    "git merge origin/topic",
    "git push -u origin feature/cart",
    "git push origin HEAD",
    "gh pr checks; npm run merge-reports",
    "git log --merges",
    "gh pr create --title 'Handle merge commits' --body 'See src/merge/carts.ts'",
    "git commit -m 'push to main'",
  ])("is not: %s", (line) => {
    expect(asksForMerge(line)).toBe(false);
  });

  it("is seen by the name of a tool", () => {
    expect(isMergingTool("mcp__github__merge_pull_request", {})).toBe(true);
    expect(isMergingTool("mcp__github__get_pull_request", { title: "Merge the carts" })).toBe(false);
  });
});
