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
    "glab mr accept 12 --when-pipeline-succeeds",
    "gh pr edit 12 --add-label auto-merge",
    "gh pr mer''ge 12",
    "M=merge; gh pr $M 12",
    "gh land 12",
    "ssh build 'gh pr merge 12'",
    'powershell -Command "gh pr merge 12"',
    "git push origin +HEAD:refs/heads/master",
    `${"true; ".repeat(200)}gh pr merge 12`,
    "gh pr comment 12 --body 'bors r+'",
    "./bin/gh pr merge 12",
    "flock lock gh pr merge 12",
    "find . -name x -exec gh pr merge 12 ;",
    "gh api -X POST repos/me/shop/merges -f base=main -f head=feature",
    "gh api graphql -F query=@merge.graphql",
    "gh api -X PUT repos/me/shop/contents/README.md -f branch=main",
    "echo $(gh pr merge 12)",
    "T=gh; $T pr merge 12",
    "bash -c 'gh pr merge 12'",
    "glab mr create --fill && glab mr merge --yes",
  ])("is seen: %s", (line) => {
    expect(asksForMerge(line)).toBe(true);
  });

  it.each([2_000, 200_000])("is seen behind a body of %i words", (words) => {
    expect(asksForMerge(`gh pr create --body "${"long ".repeat(words)}" && gh pr merge 12`)).toBe(true);
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
    "git push -o ci.skip origin feature/main",
    "gh api repos/$OWNER/shop/pulls/12/comments",
    "gh api graphql -f query='query { viewer { login } }'",
    "gh -R me/shop pr view 12",
    "gh api repos/me/shop/pulls/12/comments/7/replies -f body='Done'",
    "gh api repos/me/shop/pulls/12/comments --jq '.[].body'",
    "gh pr list --search 'merge carts'",
    'git commit -m "$(cat notes.txt)"',
  ])("is not: %s", (line) => {
    expect(asksForMerge(line)).toBe(false);
  });

  it.each<[string, Record<string, unknown>]>([
    ["mcp__github__merge_pull_request", {}],
    ["mcp__gitlab__accept_merge_request", {}],
    ["mcp__gitlab__merge_merge_request", {}],
    ["mcp__http__request", { method: "PUT", url: "https://api.github.com/repos/me/shop/pulls/1/merge" }],
    ["mcp__forge__graphql", { query: "mutation { enablePullRequestAutoMerge(input: {}) { id } }" }],
    ["mcp__playwright__browser_click", { element: "Confirm merge" }],
    ["execute", { code: "requests.put('https://api.github.com/repos/me/shop/pulls/1/merge')" }],
  ])("is seen of another tool: %s %j", (tool, input) => {
    expect(isMergingTool(tool, input)).toBe(true);
  });

  it.each<[string, Record<string, unknown>]>([
    ["mcp__gitlab__get_merge_request", { id: 1 }],
    ["mcp__gitlab__list_merge_requests", { state: "merged" }],
    ["mcp__github__get_pull_request", { title: "Merge the carts" }],
    ["Task", { prompt: "Look at src/shared/merge-prompt.ts and how carts merge." }],
  ])("is not: %s %j", (tool, input) => {
    expect(isMergingTool(tool, input)).toBe(false);
  });

  it("is looked for in whatever a tool is given, also where that is no JSON", () => {
    const loop: Record<string, unknown> = { n: 1n };
    loop["self"] = loop;

    expect(isMergingTool("mcp__count", loop)).toBe(false);
  });
});
