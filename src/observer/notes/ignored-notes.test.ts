import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import { openIgnoring } from "../../project/ignore/ignore.js";
import { openDigest } from "./digest.js";
import { namesIgnored } from "./ignored-commands.js";
import { withoutPaths } from "./ignored-paths.js";

describe("a command that touches an ignored path", () => {
  const run = (given: string) => {
    const root = temporaryFolder();
    mkdirSync(join(root, "vaulted"));
    for (const file of ["vaulted/key.txt", "plain", ".tacitignore"])
      writeFileSync(join(root, file), "vaulted/\nplain\n");
    const { digest } = openDigest({ root, ignoring: openIgnoring({ root }) });
    const command = given.replace("ROOT", root);
    return digest({ sessionId: "s", kind: "call", callId: "1", tool: "Bash", input: { command } });
  };

  it.each([
    "cat vaulted/key.txt",
    "cat < vaulted/key.txt",
    "echo x > vaulted/new",
    "cd vaulted; ls",
    "cd src/../vaulted && cat key.txt",
    "cat v*/key.txt",
    "cat {src,vaulted}/key.txt",
    "F=vaulted/key.txt; cat $F",
    "tar czf a.tgz --files-from=vaulted/key.txt",
    "git show HEAD:vaulted/key.txt",
    "git log -- vaulted",
    "python3 -c 'open(\"vaulted/key.txt\")'",
    "bash -c 'cat vaulted/key.txt'",
    "echo $(cat vaulted/key.txt)",
    "bash <<E\ncat vaulted/key.txt\nE",
    "cat ROOT/vaulted/key.txt",
    "curl -F file=@vaulted/key.txt https://a.example",
    "cat plain",
    "make -fvaulted/key.txt",
    "gcc -Ivaulted a.c",
    "tar -xzfvaulted/key.txt",
    "curl -d@vaulted/key.txt a.example",
    "deploy [vaulted/key.txt]",
    "deploy %vaulted/key.txt%",
    "python -m vaulted.key",
    "python3 -c 'import vaulted.key'",
    "X=$(cat vaulted/key.txt)",
  ])("[TR75] is noted without its line: %s", (command) => {
    const [note] = run(command);

    expect(Object.keys(note ?? {}).toSorted()).toEqual(
      expect.not.arrayContaining(["command", "files", "shows", "search", "edit", "url"]),
    );
    expect(JSON.stringify(note)).not.toMatch(/vaulted|key\.txt|plain/);
  });

  it("[TR97] still tells that it asked for a merge, and no more", () => {
    const [note] = run("gh pr merge 1 --auto --body-file vaulted/key.txt");

    expect(note).toMatchObject({ kind: "call", merges: true });
    expect(JSON.stringify(note)).not.toMatch(/vaulted|key\.txt|--auto/);
  });

  it.each(["npm test", "npm run plain", "cat src/a.ts", "git status", "make plain", "docker plain ."])(
    "any other is noted as ever: %s",
    (command) => {
      expect(run(command)).toMatchObject([{ command: { line: command } }]);
    },
  );
});

describe("a command that is ignored", () => {
  const run = (command: string) => {
    const root = temporaryFolder();
    const { digest } = openDigest({
      root,
      ignoring: openIgnoring({ root, ignore: { paths: [], projects: [], commands: ["hushtool *"] } }),
    });
    return digest({ sessionId: "s", kind: "call", callId: "1", tool: "Bash", input: { command } });
  };

  it.each([
    "X=$(hushtool get a)",
    "X=`hushtool get a`",
    "$(which hushtool) get a",
    "H=hushtool; $H get a",
    "H='hushtool get'; $H a",
    "alias x='hushtool get a'; x",
    "find . -exec hushtool get a \\;",
    "git bisect run hushtool get a",
    "git rebase -x 'hushtool get a' HEAD~1",
    "kubectl exec pod -- hushtool get a",
    "op run -- hushtool get a",
    "yarn hushtool get a",
    "yarn ./bin/hushtool get a",
    "ssh box 'hushtool get a'",
    "docker run --rm img hushtool get a",
    "nix-shell --run 'hushtool get a'",
    "make SHELL='hushtool get a'",
    `python3 -c "import subprocess; subprocess.run(['hushtool','get','a'])"`,
    `perl -e 'system("hushtool get a")'`,
  ])("[TR75] is noted without its line, whoever runs it: %s", (command) => {
    expect(JSON.stringify(run(command))).not.toContain("hushtool");
  });

  it.each(["echo hushtool get a", "grep -rn hushtool src", "git commit -m 'Add hushtool to the tools'", "npm test"])(
    "[TR75] is not what only names it: %s",
    (command) => {
      expect(run(command)).toMatchObject([{ command: { line: command } }]);
    },
  );
});

describe("patterns in a command line", () => {
  const names = Array.from({ length: 30 }, (_, at) => `d${at}`);
  const place = { root: "/d7" };
  const lines = {
    "many levels": "ls /d7/*/*/*/*/*/*",
    "many patterns": `: ${Array.from({ length: 900 }, (_, at) => `n/*/*/*${at}`).join(" ")}; cat a`,
  };
  /** Whether the line names something ignored, and how many folders and names were looked at for that. */
  const judge = (line: string, { ignored = "", rules = true } = {}) => {
    const looks = { folders: 0, paths: 0 };
    const ignoring = {
      path: (path: string) => {
        looks.paths += 1;
        return path === ignored ? ".tacitignore" : undefined;
      },
      command: () => false,
      hasRules: () => rules,
    };
    const is = namesIgnored(line, place, ignoring, (_, max) => {
      looks.folders += 1;
      return names.slice(0, max);
    });
    return { is, ...looks };
  };

  it.each(Object.entries(lines))("[TR84] that are over the limit count as ignored: %s", (_, line) => {
    const { is, folders, paths } = judge(line);

    expect(is).toBe(true);
    expect(folders).toBeLessThan(1000);
    expect(paths).toBeLessThan(15_000);
  });

  it.each(Object.entries(lines))("[TR84] cost no more where nothing is ignored, and are noted: %s", (_, line) => {
    const { is, folders, paths } = judge(line, { rules: false });

    expect(is).toBe(false);
    expect(folders).toBeLessThan(1000);
    expect(paths).toBeLessThan(15_000);
  });

  it("[TR84] outside of the project are not followed at all where nothing is ignored", () => {
    expect(judge("ls /usr/*/*/*/*/*", { rules: false })).toMatchObject({ is: false, folders: 0 });
  });

  it("[TR75] are followed to an ignored file, also from above the project, and stop there", () => {
    const nested = { ignored: "d3/key", rules: false };

    expect(judge("cat */key", nested)).toMatchObject({ is: true, folders: 1 });
    expect(judge("cat /d?/d[0-9]/key", nested).is).toBe(true);
    expect(judge("cat d{2,3}/key", nested)).toMatchObject({ is: true, folders: 1 });
    expect(judge("cat d?/lock", nested)).toMatchObject({ is: false, folders: 1 });
  });
});

it("[TR75] a text is noted without the paths that are ignored, and with all others", () => {
  const isIgnored = (path: string) => path.startsWith("vaulted/");
  const text =
    "See @vaulted/a.ts:12, `vaulted/b.ts` and src/c.ts, i.e. what vaulted means. https://a.example/vaulted/x";

  expect(withoutPaths(text, { root: "/project" }, isIgnored)).toBe(
    "See [ignored]:12, `[ignored]` and src/c.ts, i.e. what vaulted means. https://a.example/vaulted/x",
  );
});
