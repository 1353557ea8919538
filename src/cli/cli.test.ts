import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runTacit, type TacitRun } from "../../test/support/run-tacit.js";

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "tacit-cli-"));
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

describe("help", () => {
  it.each([[[]], [["help"]], [["--help"]], [["-h"]], [["help", "help"]]])(
    "%j prints the commands to standard output",
    async (args) => {
      const run = await tacit(...args);

      expect(run).toMatchObject({ code: 0, stderr: "" });
      for (const command of ["remember", "recall", "rename", "alias", "unalias", "relate", "history", "undo", "prune"])
        expect(run.stdout).toContain(`\n  ${command} `);
      for (const command of ["purge", "config", "doctor", "embed", "stats", "tour"])
        expect(run.stdout).toContain(`\n  ${command} `);
    },
  );

  it("sorts the commands by what one wants to do", async () => {
    const headings = (await tacit("help")).stdout.match(/^[A-Z][a-z ]+:$/gm);

    expect(headings).toEqual([
      "Options:",
      "Keep and find:",
      "Know the code:",
      "Work with agents:",
      "Name and relate:",
      "Keep it true:",
      "Let go:",
      "Take along:",
      "Look after the store:",
      "Learn:",
      "Examples:",
    ]);
  });

  it.each([[["help", "recall"]], [["recall", "--help"]], [["--help", "recall"]]])(
    "%j tells about one command, with the global flags",
    async (args) => {
      const run = await tacit(...args);

      expect(run).toMatchObject({ code: 0, stderr: "", stdout: expect.stringContaining("Usage: tacit recall") });
      for (const flag of ["--min-score", "--db", "--project", "--json", "--quiet"]) expect(run.stdout).toContain(flag);
    },
  );

  it("is one document with --json", async () => {
    expect(JSON.parse((await tacit("help", "list", "--json")).stdout)).toEqual({
      help: expect.stringContaining("Usage: tacit list"),
    });
  });
});

describe("wrong usage", () => {
  it.each([
    [["rember"], "There is no command 'rember'.", "tacit remember"],
    [["rember", "--help"], "There is no command 'rember'.", "tacit remember"],
    [["help", "rember"], "There is no command 'rember'.", "tacit remember"],
    [["remember", "two", "words"], "Too many arguments", "quotes"],
    [
      ["remember", "-dash"],
      "Unknown option '-dash'.",
      'tacit remember -- "-text", or on standard input: tacit remember -',
    ],
    [["edit", "x", "-dash"], "Unknown option '-dash'.", 'tacit edit <ref> -- "-text"'],
    [["remember", "x", "--tga=y"], "Unknown option '--tga'.", "--help"],
    [["remember", "x", "--tga", "y"], "Unknown option '--tga'.", "Did you mean --tag?"],
    [["project", "jion"], "Too many arguments", "Usage: tacit project"],
    [["list", "--project"], "--project needs an id", "--project="],
    [["edit", "x"], "nothing to change", "tacit edit x"],
    [["flag", "x"], "needs one reason", "tacit flag x"],
    [["forget"], "Name the memories to forget", "tacit forget"],
    [["forget", "--type", "x", "--yes"], "Name the memories to forget", "--query"],
    [["forget", "x", "--query", "y"], "references, or --query", "tacit forget"],
    [["forget", "x", "--type", "y"], "belong to --query", "--query"],
    [["purge"], "a reference, --project, --all", "--yes"],
    [["--project", "p", "purge"], "not told what to erase", "tacit purge --project ID"],
    [["--project", "p", "purge", "--yes"], "not told what to erase", "tacit purge --project ID"],
    [["--project", "p", "project", "join", "q"], "about this folder", "tacit project join"],
    [["purge", "--all"], "every memory of every project", "--yes"],
    [["purge", "--project"], "all 0 memories", "--yes"],
    [["purge", "--all", "--project", "--yes"], "a reference, --project, --all", "--yes"],
    [["rename", "x"], "Missing required argument 'name'", "Usage: tacit rename"],
    [["rename", "x", "two", "words"], "Too many arguments", "Usage: tacit rename"],
    [["alias", "x"], "Missing required argument 'name'", "Usage: tacit alias"],
    [["unalias"], "Missing required argument 'alias'", "Usage: tacit unalias"],
    [["relate", "x", "validates"], "takes one target", "tacit relate x validates"],
    [["relate", "x", "validates", "y", "--file", "z"], "takes one target", "tacit relate x validates"],
    [["relate", "x", "likes", "y"], "kind cannot be 'likes'.", "It takes one of: required_with, "],
    [["relate", "x", "validates", "y", "--confidence", "2"], "--confidence cannot be '2'.", "0 to 1"],
    [["relate", "x", "validates", "y", "--remove", "--confidence", "1"], "cannot be used with", "Usage: tacit relate"],
    [["history"], "Missing required argument 'ref'", "Usage: tacit history"],
    [["undo", "x", "last"], "number cannot be 'last'.", "whole number"],
    [["prune", "x"], "Too many arguments", "Usage: tacit prune"],
    [["edit", "x", "--rebind", "--force"], "nothing to change", "tacit edit x"],
    [["recall", "--pack", "two words"], "--pack cannot be 'two words'.", 'tacit recall "…" --pack'],
    [["recall", "x", "--source", "me"], "--source cannot be 'me'.", "It takes one of: agent_explicit, "],
    [["recall", "x", "--words", "--mode", "hybrid"], "cannot be used with", "Usage: tacit recall"],
    [["embed", "x"], "Too many arguments", "Usage: tacit embed"],
    [["embed", "--limit", "0"], "--limit cannot be '0'.", "whole number"],
  ])("%j is told on standard error with what to type instead", async (args, message, hint) => {
    const text = await tacit(...args);
    const json = await tacit("--json", ...args);

    expect(text).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(/^tacit: .+\n {2}/) });
    expect(json).toMatchObject({ code: 2, stdout: "" });
    expect(JSON.parse(json.stderr)).toEqual({
      error: { code: "usage", message: expect.stringContaining(message), hint: expect.stringContaining(hint) },
    });
  });
});

describe("a key pasted in the wrong place", () => {
  const pasted = "-----BEGIN PRIVATE KEY-----\nhush\nhush again\n-----END PRIVATE KEY-----";

  it.each([
    [[pasted]],
    [["remember", pasted]],
    [["list", pasted]],
    [["list", "--limit", pasted]],
    [["edit", ` ${pasted}`]],
    [["undo", "x", ` ${pasted}`]],
    [["relate", "x", ` ${pasted}`, "y"]],
  ])("is not echoed by an error: %j", async (args) => {
    for (const run of [await tacit(...args), await tacit("--json", ...args)]) {
      expect(run).toMatchObject({ code: 2, stdout: "" });
      expect(run.stderr).not.toContain("hush");
    }
  });

  it("is not echoed where it is taken for a reference or a command", async () => {
    expect((await tacit("show", ` ${pasted}`)).stderr).toMatch(/BEGIN(?!.*hush)/s);
    expect((await tacit(` ${pasted}`)).stderr).toMatch(/BEGIN(?!.*hush)/s);
  });
});

describe("purge", () => {
  it("erases a project only when --project follows it", async () => {
    await tacit("remember", "alpha", "--project", "one");

    expect((await tacit("--project", "one", "purge", "--yes")).code).toBe(2);
    expect((await document("list", "--project", "one")).memories).toHaveLength(1);
    expect(await document("purge", "--project", "one", "--yes")).toMatchObject({ purged: 1 });
  });

  it("erases the project of this folder, and looks for a reference in the one before the command", async () => {
    await tacit("remember", "here");
    await tacit("--project", "one", "remember", "there", "--name", "it");

    expect(await document("purge", "--project", "--yes")).toMatchObject({ purged: 1 });
    expect(await document("--project", "one", "purge", "it", "--yes")).toMatchObject({ purged: 1 });
  });

  it("erases what it described: a forgotten memory by the name it had", async () => {
    await tacit("remember", "gone", "--name", "old");
    await tacit("forget", "old");

    expect((await tacit("purge", "old")).stderr).toContain("gone");
    expect(await document("purge", "old", "--yes")).toMatchObject({ purged: 1 });
  });
});

describe("project", () => {
  it("list shows every project, to find the memories of a folder that was moved", async () => {
    const empty = await document("project", "list");
    await tacit("remember", "alpha", "--project", "one");
    const [before, after] = [folder("before"), folder("after")];
    await tacitIn(before, "remember", "beta");
    renameSync(before, join(home, "moved"));

    const { projects } = await document("project", "list");
    const text = (await tacit("project", "list")).stdout;
    const moved = projects.find(({ name }: { name: string }) => name === "before");

    expect(empty).toEqual({ projects: [] });
    expect(projects).toMatchObject([
      { id: "one", name: "one", memories: 1, keys: [] },
      { id: expect.any(String), name: "before", memories: 1, keys: [expect.stringMatching(/^path:.*before$/)] },
    ]);
    expect(text).toMatch(/^project +before\nid +[0-9a-f-]{36}\nholds +1 memory\nknown by +path:.*before$/m);
    expect((await tacitIn(after, "list")).stdout).toContain("tacit project list");
    expect((await tacitIn(after, "project")).stdout).toContain("tacit project list");
    expect((await tacitIn(after, "project", "join", moved.id)).stdout).not.toContain("behind");
    expect((await tacitIn(after, "list")).stdout).toContain("beta");
    expect((await tacitIn(after, "project", "list")).stdout).toContain("before (this folder)");
  });

  it("join says what stays behind, and how to see it", async () => {
    await tacit("remember", "alpha", "--project", "one");
    await tacit("remember", "beta");
    await tacit("remember", "gamma");
    const { id } = await document("project");

    const text = (await tacit("project", "join", "one")).stdout;

    expect(text).toContain(`2 memories stay behind`);
    expect(text).toContain(`tacit --project ${id} list`);
    expect((await tacit("--project", id, "list")).stdout).toContain("beta");
    expect(await document("project", "join", id)).toMatchObject({
      id,
      leftBehind: { id: "one", name: "one", memories: 1 },
    });
    expect(await document("project", "join", id)).not.toHaveProperty("leftBehind");
  });

  it("join names the list when there is no such project", async () => {
    expect((await tacit("project", "join", "nobody")).stderr).toContain("tacit project list");
    expect((await tacit("project", "join", "--help")).stdout).toContain("tacit project list");
  });
});

describe("notices", () => {
  it("remember tells programs what it tells people, and nothing when there is nothing to say", async () => {
    expect(await document("remember", "plain")).not.toHaveProperty("notices");
    expect(
      (await document("remember", "<private>x</private>db postgres://bob:hunter2@db/app", "--type", "gotca")).notices,
    ).toEqual([
      expect.stringContaining("<private>"),
      expect.stringContaining("secret"),
      expect.stringMatching(/tacit edit [0-9a-f]{8} --type gotcha/),
    ]);
  });

  it("doubt about the project reaches every reader", async () => {
    git("init", "--quiet");
    git("remote", "add", "origin", "https://example.com/x/one.git");
    await tacit("remember", "alpha");
    const calm = [await document("list"), await document("recall", "alpha"), await document("remember", "beta")];
    git("remote", "set-url", "origin", "https://example.com/x/two.git");

    for (const answer of calm) {
      expect(Object.keys(answer).filter((key) => key.startsWith("notice"))).toEqual([]);
    }
    for (const command of [["list"], ["recall", "alpha"]]) {
      expect((await document(...command)).notice).toContain("tacit project join");
      expect((await tacit(...command)).stdout).toMatch(/\nThis folder was project .*tacit project join \S+\n$/);
      expect((await tacit(...command, "--quiet")).stdout).toBe("");
      expect(await document(...command, "--project", "p")).not.toHaveProperty("notice");
    }
    expect((await document("remember", "gamma")).notices).toEqual([expect.stringContaining("tacit project join")]);
  });

  it("edit and supersede say what was taken out of a new text", async () => {
    await tacit("remember", "plain", "--name", "db");

    expect((await tacit("edit", "db", "postgres://bob:hunter2@db/app")).stdout).toContain("A secret was taken out");
    expect((await tacit("edit", "db", "--tag", "x")).stdout).not.toContain("taken out");
    expect((await tacit("edit", "db", "plain again")).stdout).not.toContain("taken out");
    expect((await tacit("supersede", "db", "postgres://bob:hunter3@db/app")).stdout).toContain(
      "A secret was taken out",
    );
    expect((await tacit("supersede", "db", "plain for good")).stdout).not.toContain("taken out");
  });
});

describe("what is forgotten", () => {
  it("is shown by the name it had, with how long it can be restored", async () => {
    await tacit("remember", "gone for now", "--name", "old");
    await tacit("forget", "old");

    expect((await tacit("show", "old")).stdout).toMatch(
      /^gone for now\n[^]*^status +forgotten; tacit restore [0-9a-f]{8} brings it back until \d{4}-/m,
    );
    expect(await document("show", "old")).toMatchObject({ status: "forgotten", content: "gone for now" });
  });

  it("comes back once; a second restore says that nothing changed", async () => {
    await tacit("remember", "gone for now", "--name", "old");
    await tacit("forget", "old");

    expect(await tacit("restore", "old")).toMatchObject({ code: 0, stdout: expect.stringContaining("is back.") });
    expect(await tacit("restore", "old")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("was not forgotten; nothing changed."),
    });
    expect(await document("restore", "old")).toMatchObject({ name: "old", status: "active" });
    expect((await tacit("restore", "nobody")).code).toBe(1);
  });
});

describe("--file", () => {
  it("is taken from the project's root, or with ./ and ../ from the working directory", async () => {
    git("init", "--quiet");
    const below = folder("sub");
    writeFileSync(join(below, "there.ts"), "");
    const files = ["there.ts", "./new.ts", "../top.ts", "src/other.ts"].flatMap((file) => ["--file", file]);

    await tacitIn(below, "remember", "about files", ...files);

    expect((await document("show", (await document("list")).memories[0].id)).relatedFiles).toEqual([
      "sub/there.ts",
      "sub/new.ts",
      "top.ts",
      "src/other.ts",
    ]);
    expect(JSON.parse((await tacitIn(below, "list", "--file", "./new.ts", "--json")).stdout).memories).toHaveLength(1);
    expect((await tacit("remember", "--help")).stdout).toContain("./ from here");
  });
});

describe("fading", () => {
  it("is told where it is decided", async () => {
    for (const command of [["types"], ["pin", "--help"], ["remember", "--help"], ["edit", "--help"]]) {
      expect((await tacit(...command)).stdout).toMatch(/\bfad(e|es|ing)\b/);
    }
    expect((await tacit("types")).stdout).toMatch(/^gotcha .*\(half-life 60 days\)$/m);
    expect((await document("types")).types[0]).toMatchObject({ halfLifeDays: 60 });
  });

  it("ends with pin and begins again with --off", async () => {
    await tacit("remember", "trap", "--type", "gotcha", "--name", "trap");
    await tacit("remember", "fixed", "--type", "decision", "--name", "fixed");

    expect((await tacit("pin", "trap")).stdout).toMatch(/^Pinned [0-9a-f]{8}: it does not fade\.$/m);
    expect((await tacit("show", "trap")).stdout).toMatch(/^confidence +0\.8; pinned: does not fade$/m);
    expect((await tacit("pin", "trap", "--off")).stdout).toMatch(
      /is no longer pinned and fades, with a half-life of 60 days\.$/m,
    );
    expect((await tacit("show", "trap")).stdout).toMatch(/^confidence +0\.8: fades, half-life 60 days$/m);
    expect((await tacit("pin", "fixed", "--off")).stdout).toMatch(/is no longer pinned\.$/m);
  });
});

describe("the streams", () => {
  it("an escape sequence in a reference does not reach the terminal through an error", async () => {
    expect((await tacit("show", "\u001B[2J")).stderr).not.toContain("\u001B");
  });

  it("an unknown type is kept, and the nearest known one named", async () => {
    const run = await tacit("remember", "mind the gap", "--type", "gotca");

    expect(run.stdout).toContain("treated as a note");
    expect(run.stdout).toMatch(/tacit edit [0-9a-f]{8} --type gotcha/);
  });
});

async function tacit(...args: string[]): Promise<TacitRun> {
  return tacitIn(home, ...args);
}

function tacitIn(cwd: string, ...args: string[]): Promise<TacitRun> {
  return runTacit(args, { cwd, env: { TACIT_HOME: home } });
}

// oxlint-disable-next-line typescript/no-explicit-any -- documents of many shapes, each matched by its test
async function document(...args: string[]): Promise<any> {
  const run = await tacit(...args, "--json");
  expect(run).toMatchObject({ code: 0, stderr: "" });
  return JSON.parse(run.stdout);
}

function folder(name: string): string {
  mkdirSync(join(home, name));
  return join(home, name);
}

function git(...args: string[]): void {
  expect(spawnSync("git", args, { cwd: home, encoding: "utf8" }).status).toBe(0);
}
