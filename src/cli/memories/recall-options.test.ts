import { Command, CommanderError } from "commander";
import { describe, expect, it } from "vitest";
import { addRecallOptions, type RecallFlags, readRecallOptions } from "./recall-options.js";

describe("the flags of recall", () => {
  it("become the library's options, with nothing in them that was not given", () => {
    expect(readRecallOptions(parse())).toEqual({ includeUser: true });
    const line =
      "--mode hybrid --phase implement --sort uses --explain --no-user --recent-file a.ts --recent-file b.ts " +
      "--min-confidence 0.5 --type gotcha --include-superseded --include-tainted --limit 3";
    expect(readRecallOptions(parse(...line.split(" ")))).toEqual({
      mode: "hybrid",
      phase: "implement",
      sort: "uses",
      explain: true,
      includeUser: false,
      recentFiles: ["a.ts", "b.ts"],
      minConfidence: 0.5,
      type: ["gotcha"],
      includeSuperseded: true,
      includeTainted: true,
      limit: 3,
    });
  });

  it("know --words and --history as short words, and --pack with and without a number", () => {
    expect(readRecallOptions(parse("--words")).mode).toBe("words");
    expect(readRecallOptions(parse("--history")).includeSuperseded).toBe(true);
    expect([parse("--pack").pack, parse("--pack", "0").pack, parse().pack]).toEqual([true, 0, undefined]);
  });

  it.each([
    [["--mode", "meaning"], "hybrid, words"],
    [["--phase", "plan"], "define, implement, validate, refine, explore, reflect"],
    [["--sort", "size"], "relevance, recent, confidence, uses"],
    [["--source", "me"], "agent_explicit, observer_inferred, qa_auto, mcp_auto, commit_auto, user_taught"],
    [["--min-confidence", "2"], "0 to 1"],
    [["--pack", "many"], "a number of tokens"],
    [["--words", "--mode", "hybrid"], "cannot be used with"],
    [["--pack", "--explain"], "cannot be used with"],
  ])("refuse %j and say what they take", (line, expected) => {
    expect(() => parse(...line)).toThrow(CommanderError);
    expect(() => parse(...line)).toThrow(expected);
  });
});

function parse(...line: string[]): RecallFlags {
  const command = addRecallOptions(new Command().exitOverride().configureOutput({ writeErr: () => {} }));
  return command.parse(line, { from: "user" }).opts();
}
