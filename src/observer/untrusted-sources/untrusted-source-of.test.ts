import { describe, expect, it } from "vitest";
import type { Call } from "../observer.js";
import { isForeignAnswer, untrustedSourceOf, untrustedSourceOfAnswer } from "./untrusted-source-of.js";

describe("untrustedSourceOf", () => {
  it("names the host of what is fetched, or the tool", () => {
    expect(untrustedSourceOf({ tool: "WebFetch", does: "fetch", url: "example.com/a" }, "/p")).toEqual({
      from: "web",
      what: "example.com",
    });
    expect(untrustedSourceOf({ tool: "WebSearch", does: "fetch" }, "/p")).toEqual({ from: "web", what: "WebSearch" });
    expect(untrustedSourceOf({ tool: "google_search", does: "search" }, "/p")).toEqual({
      from: "web",
      what: "google_search",
    });
    // What a server of one's own answers may come from a database or from anybody who has written to it.
    expect(untrustedSourceOf({ tool: "WebFetch", does: "fetch", url: "localhost:3000/a" }, "/p")?.what).toBe(
      "localhost",
    );
  });

  it("[TR41] takes every MCP server for outside, whatever it calls itself; ours is known by its adapter", () => {
    for (const server of ["github", "tacit", "tacit-memory", "plugin_tacit_tacit", "x_tacit", "my__odd"]) {
      expect(untrustedSourceOf({ tool: `mcp__${server}__search`, does: "other" }, "/p")?.from, server).toBe("mcp");
      // That of such a name is judged by its answer.
      expect(untrustedSourceOf({ tool: `mcp__${server}__recall`, does: "other" }, "/p"), server).toBeUndefined();
      expect(isForeignAnswer({ tool: `mcp__${server}__recall`, answer: "a" }, new Set(["b"])), server).toBe(true);
      expect(isForeignAnswer({ tool: `mcp__${server}__recall`, answer: "a" }, new Set(["a"])), server).toBe(false);
    }
    expect(untrustedSourceOf({ tool: "mcp__tacit__recall", does: "other", own: true }, "/p")).toBeUndefined();
    expect(untrustedSourceOf({ tool: "ReadMcpResourceTool", does: "fetch" }, "/p")?.from).toBe("mcp");
  });

  it("[TR40] takes a tool that it does not know for outside, whatever words its name is made of", () => {
    for (const tool of [
      ..."getWeather lookup_customer computer recall remember taskRunner ask_expert plan_trip".split(" "),
      ..."todo_import agentSearch wait_for_mail read_mail_file execute_code jupyter terminal".split(" "),
    ]) {
      expect(untrustedSourceOf({ tool, does: "other" }, "/p"), tool).toEqual({ from: "mcp", what: tool });
    }
    for (const tool of [
      "Task",
      "TodoWrite",
      "ExitPlanMode",
      "AskUserQuestion",
      "ToolSearch",
      "think",
      "update_plan",
      "BashOutput",
      "",
    ]) {
      expect(untrustedSourceOf({ tool, does: "other" }, "/p"), tool).toBeUndefined();
    }
  });

  it("[TR40] takes what reads without saying which file for outside", () => {
    expect(untrustedSourceOf({ tool: "open", does: "read" }, "/p")?.from).toBe("mcp");
    expect(
      untrustedSourceOf({ tool: "search", does: "search", search: { pattern: "x", by: "text" } }, "/p")?.from,
    ).toBe("mcp");
    expect(
      untrustedSourceOf({ tool: "Grep", does: "search", search: { pattern: "x", by: "text" } }, "/p"),
    ).toBeUndefined();
    expect(untrustedSourceOf({ tool: "open", does: "read", files: ["a.md"] }, "/p")).toBeUndefined();
  });

  it("takes files outside of the root for outside when their content is shown", () => {
    const read = (path: string) =>
      untrustedSourceOf({ tool: "Read", does: "read", files: ["src/a.ts", path] }, "/project");

    expect(read("/etc/hosts")).toEqual({ from: "file", what: "/etc/hosts" });
    expect(read("/project-two/a.ts")?.from).toBe("file");
    expect(read("../a.ts")?.from).toBe("file");
    expect(read("C:\\Users\\a.txt")?.from).toBe("file");
    expect(read("/project/src/b.ts")).toBeUndefined();
    expect(read("/dev/null")).toBeUndefined();
    const search = { pattern: "x", where: "/usr/include" };
    expect(
      untrustedSourceOf({ tool: "Grep", does: "search", search: { ...search, by: "text" } }, "/project")?.from,
    ).toBe("file");
    expect(
      untrustedSourceOf({ tool: "Glob", does: "search", search: { ...search, by: "name" } }, "/project"),
    ).toBeUndefined();
    expect(untrustedSourceOf({ tool: "Write", does: "edit", files: ["/tmp/a.js"] }, "/project")).toBeUndefined();
  });
});

describe("untrustedSourceOfAnswer", () => {
  const block = '<tacit-memory point="recall">\n| - Gotcha (0.62, called a): b, #c): d, unverified): Run it. (…)\n';
  const tainted = "<tacit-memory>\n| - Fact (tainted: comes from outside, nobody checked it): Run it.\n";
  const recall: Call = { tool: "mcp__tacit__recall", does: "other" };

  it.each<[string, Call | undefined, string]>([
    ["a block", recall, block],
    ["a block in JSON", recall, JSON.stringify({ memories: [], quoted: block })],
    ["what came from outside", recall, tainted],
    ["a block that a tool of another name gives", { tool: "lookup", does: "other" }, block],
    ["a block of an unknown call", undefined, block],
    ["a list of the command line", ran("tacit recall deploy | head -2"), "0.62  1a2b  gotcha  (unverified) Run it."],
    ["what a command packs", ran("npx tacit recall x --pack"), "- Gotcha (unverified): Run it."],
    ["a list of a substitution", ran('echo "$(tacit recall deploy)"'), "0.62  1a2b  gotcha  (unverified) Run it."],
    ["a list by another path", ran('"$HOME/bin/tacit" recall deploy'), "0.62  1a2b  gotcha  (unverified) Run it."],
    ["a list by a shell", ran("sh bin/tacit recall deploy"), "0.62  1a2b  gotcha  (unverified) Run it."],
    ["a list beside what is kept", ran("tacit remember x; tacit recall y"), "0.62  1a2b  gotcha  (unverified) Run it."],
    ["what was known already", ran("tacit remember x --json"), '{ "merged": true, "trustFlags": ["tainted"] }'],
    ["what gave way", ran("tacit remember x --json"), '{ "contradicted": [{ "trustFlags": ["tainted"] }] }'],
    ["a record beside it", ran("cat a.json; tacit remember x --json"), '{ "trustFlags": ["tainted"] }'],
    ["a record", ran("sh ask.sh"), '{ "trustFlags": [\n  "unverified"\n] }'],
  ])("finds what nobody vouches for in %s", (_, call, text) => {
    expect(untrustedSourceOfAnswer(text, call)).toMatchObject({ from: "waiting" });
  });

  it.each<[string, Call | undefined, string]>([
    ["what is trusted", recall, "<tacit-memory>\n| - Gotcha (0.62): An unverified login is refused. (…)\n"],
    [
      "what was just kept",
      recall,
      "Kept as 1a2b3c4d, unverified: no hooks watch this session, so it is told only when",
    ],
    [
      "what a command just kept",
      ran("cd a && npx tacit remember x"),
      "1a2b3c4d  note  x\nwaiting · tainted · just now",
    ],
    ["the record of it", ran("tacit --db a.db remember x --json"), '{ "merged": false, "trustFlags": ["tainted"] }'],
    ["the answer of another command", ran("npm test"), "login (unverified): ok"],
    ["a path in which our name stands", ran("grep -rn unverified ../tacit/src"), "src/a.ts: unverified or tainted"],
    ["a file", { tool: "Read", does: "read", files: ["a.md"] }, block],
    ["an edit", { tool: "Edit", does: "edit", files: ["a.md"] }, block],
  ])("[TR32] is silent about %s", (_, call, text) => {
    expect(untrustedSourceOfAnswer(text, call)).toBeUndefined();
  });

  it("looks through a long answer quickly, whatever stands in it", () => {
    for (const part of ["unverified ", 'trustFlags": [', "tacit-memory waiting ", '"trustFlags":']) {
      const start = performance.now();
      untrustedSourceOfAnswer(part.repeat(50_000), recall);
      expect(performance.now() - start, part).toBeLessThan(500);
    }
  });
});

function ran(line: string): Call {
  return { tool: "Bash", does: "run", command: { line, name: "", purpose: "other" } };
}
