import { describe, expect, it } from "vitest";
import { takeGlobalFlags } from "./global-flags.js";

describe("takeGlobalFlags", () => {
  it("takes the flags from anywhere on the line and leaves the rest in its order", () => {
    const { flags, rest } = takeGlobalFlags([
      "--db",
      "m.db",
      "recall",
      "--json",
      "ports",
      "--project",
      "p",
      "--limit",
      "5",
      "--quiet",
    ]);

    expect(flags).toEqual({ db: "m.db", project: "p", projectGiven: "after", json: true, quiet: true });
    expect(rest).toEqual(["recall", "ports", "--limit", "5"]);
  });

  it("takes a value attached with an equals sign, one that begins with a dash too", () => {
    const { flags, problem } = takeGlobalFlags(["list", "--db=a=b.db", "--project=-odd"]);

    expect(flags).toMatchObject({ db: "a=b.db", project: "-odd" });
    expect(problem).toBeUndefined();
  });

  it("touches nothing after two dashes", () => {
    const { flags, rest } = takeGlobalFlags(["remember", "--", "--json", "--db"]);

    expect(flags).toMatchObject({ json: false });
    expect(rest).toEqual(["remember", "--", "--json", "--db"]);
  });

  it.each([
    ["nothing", ["list", "--json", "--project"]],
    ["another flag", ["list", "--project", "--json"]],
    ["an empty value", ["list", "--project=", "--json"]],
  ])("a project followed by %s is a problem, told in the form that was asked for", (_what, args) => {
    const { flags, problem } = takeGlobalFlags(args);

    expect(flags.json).toBe(true);
    expect(problem?.message).toContain("--project");
  });

  it.each([[["purge", "--project", "--yes"]], [["purge", "--yes", "--project"]]])(
    "purge takes --project alone for the project of this folder: %j",
    (args) => {
      const { flags, problem } = takeGlobalFlags(args);

      expect(flags).toEqual({ projectGiven: "after", json: false, quiet: false });
      expect(problem).toBeUndefined();
    },
  );

  it.each([[["--project", "--yes", "purge"]], [["--project", "p", "purge", "--project", "--yes"]]])(
    "purge takes --project alone only after it, and with no id elsewhere: %j",
    (args) => {
      expect(takeGlobalFlags(args).problem?.message).toContain("--project needs an id");
    },
  );

  it.each([
    [["list"], undefined],
    [["--project", "p", "list"], "before"],
    [["--json", "--project=p", "--db", "m.db", "list"], "before"],
    [["list", "--project", "p"], "after"],
    [["--project", "p", "list", "--project", "q"], "after"],
  ])("tells on which side of the command --project stood: %j", (args, side) => {
    expect(takeGlobalFlags(args).flags.projectGiven).toBe(side);
  });

  it("a store without a file is a problem, also for purge", () => {
    expect(takeGlobalFlags(["purge", "--db"]).problem?.message).toContain("--db");
  });

  it("a switch with a value is a problem", () => {
    expect(takeGlobalFlags(["list", "--json=yes"])).toMatchObject({
      flags: { json: true },
      problem: { message: "--json takes no value." },
    });
  });
});
