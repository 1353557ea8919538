// `tacit init` as a stranger has it: from the packed tarball, in a home where nothing is.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, it } from "vitest";
import { agentSession } from "../../bench/agent-session.mjs";
import { commitFiles, git, gitRepository, writeFiles } from "../support/git-repository.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const main = join(inject("installedIn"), "node_modules", "tacit-memory", "dist", "cli", "main.js");

const shop = {
  "package.json": JSON.stringify({ name: "shop", scripts: { test: "vitest run", build: "tsc" } }),
  "README.md": "# Shop\n\nSells carts by the dozen.\n",
  "AGENTS.md": "# Conventions\n\n- Prices are whole cents.\n",
  "src/prices.ts": "export const cents = (euros: number): number => euros * 100;\n",
  "src/cart.ts": 'import { cents } from "./prices.js";\nexport const total = (): number => cents(1);\n',
  "src/order.ts": 'import { cents } from "./prices.js";\nexport const order = (): number => cents(2);\n',
};

it("[C9] learns a project with --yes from a packed tarball in a fresh home, tells what it learned, and answers then", () => {
  const root = gitRepository();
  const home = realpathSync(temporaryFolder());
  commitFiles(root, shop);
  for (let n = 0; n < 3; n += 1) {
    const files = ["src/cart.ts", "src/order.ts"] as const;
    commitFiles(root, Object.fromEntries(files.map((file) => [file, `${shop[file]}// ${n}\n`])));
  }
  const sessions = join(home, ".claude", "projects", root.replaceAll(/[^a-zA-Z0-9]/g, "-"));
  mkdirSync(sessions, { recursive: true });
  mkdirSync(join(home, ".cursor"));
  const session = agentSession({ id: "s1", root, at: Date.now() - 86_400_000 }).reads("src/cart.ts");
  writeFileSync(join(sessions, "s1.jsonl"), `${session.lines().join("\n")}\n`);

  const first = tacit(root, home, "init", "--yes");
  const asked = tacit(root, home, "recall", "how do I run the tests", "--limit", "1");
  const connected = readFileSync(join(home, ".cursor", "mcp.json"), "utf8");
  writeFileSync(join(home, ".cursor", "mcp.json"), "{");
  const again = tacit(root, home, "init", "--yes", "--json");

  expect(first).toMatchObject({ code: 0, stderr: "" });
  expect(first.stdout.split("\n").length).toBeLessThan(24);
  for (const line of [
    /^code +6 files \(3 TypeScript, .*3 functions/m,
    /most imported: src\/prices\.ts \(by 2 files\)/,
    /often changed together: src\/cart\.ts with src\/order\.ts/,
    /The tests run with `npm test` \(vitest run\)\./,
    /^rules +1 rule of AGENTS\.md, 1 new; 1 is told to agents after: tacit project accept$/m,
    /^sessions +1 session of Claude Code learned from/m,
    /^agents +Claude Code \(.*\) and Cursor \(~.\.cursor.mcp\.json\) connected/m,
    /^ {2}work on with Claude Code: it is told/m,
    /^ {2}tacit recall "how do I run the tests"$/m,
  ]) {
    expect(first.stdout).toMatch(line);
  }
  expect(connected).toContain("tacit");
  expect(asked.stdout).toContain("The tests run with `npm test` (vitest run).");
  expect(git(root, "status", "--porcelain")).toBe("");
  // As `tacit install` does where a file is in the way.
  expect(again.code).toBe(1);
  expect(JSON.parse(again.stdout)).toMatchObject({
    changed: 0,
    project: { facts: { added: 0, updated: 0, forgotten: 0 }, rules: [{ file: "AGENTS.md", added: 0, known: 1 }] },
    transcripts: { found: 0 },
    agents: {
      found: [
        { isConnected: true },
        { id: "cursor", problem: expect.stringContaining("mcp.json"), hint: expect.any(String) },
      ],
      connected: [],
    },
    question: "how do I run the tests",
  });
});

it("[C8] reads the code and the files of a folder outside git without asking, connects nothing, and says what it left out", () => {
  const root = realpathSync(temporaryFolder());
  const home = realpathSync(temporaryFolder());
  mkdirSync(join(home, ".cursor"));
  writeFiles(root, shop);

  const { code, stdout } = tacit(root, home, "init");

  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^left out +the rules in AGENTS\.md and connecting .*Cursor.*\. tacit init --yes takes all of it$/m,
  );
  expect(stdout).toContain("The tests run with `npm test` (vitest run).");
  expect(stdout).not.toMatch(/^rules|connected/m);
});

function tacit(cwd: string, home: string, ...args: string[]): { code: number | null; stdout: string; stderr: string } {
  // Nothing of this machine but what it takes to run: an agent's own variable may lead out of this home.
  const { PATH, Path, SystemRoot, TMPDIR, TEMP, TACIT_EMBEDDING } = process.env;
  const inherited = { PATH, Path, SystemRoot, TMPDIR, TEMP, TACIT_EMBEDDING };
  const env = { ...inherited, HOME: home, USERPROFILE: home, APPDATA: home, TACIT_HOME: join(home, ".tacit") };
  const run = spawnSync(process.execPath, [main, ...args], { cwd, encoding: "utf8", env });
  return { code: run.status, stdout: run.stdout, stderr: run.stderr };
}
