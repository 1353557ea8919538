import { Command, CommanderError } from "commander";
import { describe, expect, it } from "vitest";
import { addFilterOptions, addMinScoreOption, type FilterFlags, readFilter } from "./filter-options.js";
import { explainUsage } from "../terminal/usage-error.js";

describe("the filter flags", () => {
  it("become the library's filter, with nothing in it that was not given", () => {
    expect(readFilter(parse())).toEqual({});
    expect(
      readFilter(
        parse(
          "--type",
          "gotcha",
          "--type",
          "fact",
          "--file",
          "no/such.ts",
          "--module",
          "api",
          "--tag",
          "x",
          "--tag",
          "y",
          "--scope",
          "module",
          "--source",
          "user_taught",
          "--source",
          "commit_auto",
          "--session",
          "s1",
          "--metadata",
          "k=v",
          "--since",
          "2020-01-01",
          "--until",
          "2021-01-01",
          "--status",
          "any",
          "--limit",
          "3",
          "--min-score",
          "0",
        ),
      ),
    ).toEqual({
      type: ["gotcha", "fact"],
      files: ["no/such.ts"],
      modules: ["api"],
      tags: ["x", "y"],
      scope: "module",
      sources: ["user_taught", "commit_auto"],
      sessionId: "s1",
      metadata: { k: "v" },
      since: "2020-01-01T00:00:00.000Z",
      until: "2021-01-01T00:00:00.000Z",
      status: "any",
      limit: 3,
      minScore: 0,
    });
  });

  it.each([
    [["--limit", "many"], "--limit cannot be 'many'.", "whole number"],
    [["--scope", "planet"], "--scope cannot be 'planet'.", "global, module, work_unit, session"],
    [["--status", "gone"], "--status cannot be 'gone'.", "flagged"],
    [["--since", "it's"], "--since cannot be 'it's'.", "2026-01-31"],
    [["--metadata", "k"], "--metadata cannot be 'k'.", "key=value"],
    [["--min-score", "2"], "--min-score cannot be '2'.", "0 to 1"],
    [["--tag"], "--tag needs a value.", "--help"],
    [["--tags", "x"], "Unknown option '--tags'.", "Did you mean --tag?"],
  ])("%j is wrong usage that names the flag, the value and what is expected", async (args, message, hint) => {
    const error = await explainedError(args);

    expect(error).toMatchObject({ code: "usage", message, hint: expect.stringContaining(hint) });
  });
});

function parse(...args: string[]): FilterFlags {
  return filterCommand().parse(args, { from: "user" }).opts<FilterFlags>();
}

async function explainedError(args: string[]): Promise<unknown> {
  const command = filterCommand();
  try {
    command.parse(args, { from: "user" });
    return undefined;
  } catch (error) {
    return error instanceof CommanderError ? explainUsage(error, command, []) : error;
  }
}

function filterCommand(): Command {
  const command = new Command("tacit").exitOverride().configureOutput({ writeErr: () => {} });
  return addMinScoreOption(addFilterOptions(command));
}
