import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commitFiles, gitRepository, writeFiles } from "../../test/support/git-repository.js";
import { injectionPorts } from "../../test/support/injection-ports.js";
import { projectContext } from "../../test/support/keep-records.js";
import { temporaryFolder } from "../../test/support/temporary-folder.js";
import { identifyFolder } from "../project/folder/identify-folder.js";
import { remember } from "../memory/remember/remember-memories.js";
import { supersede } from "../memory/remember/supersede.js";
import type { InjectionPorts } from "./injection.js";
import { listPrefetch, type PrefetchLimits, type PrefetchMoment } from "./prefetch.js";

describe("the files that come along with a prompt", () => {
  it("[I10] are those that are always read in its module, then those that often are, without their secrets", async () => {
    const { ports } = await project({ always: ["src/auth/token.ts", "src/auth/session.ts"], often: ["docs/auth.md"] });
    const other = { ...pattern(["src/auth/other.ts"]), moduleTrigger: "src/api" };
    await remember(ports.context, [
      { type: "prefetch_pattern", content: "Of another module", data: other, relatedFiles: ["src/auth/other.ts"] },
    ]);

    const found = await prefetch(ports, { prompt: "Please fix src/auth/login.ts:12." });

    expect(found.map(({ path }) => path)).toEqual(["src/auth/token.ts", "src/auth/session.ts", "docs/auth.md"]);
    expect(found[0]?.text).toBe("export const token = 1;\n");
    expect(found[1]?.text).toContain("[redacted:");
    expect(found[1]?.text).not.toContain("hunter2");
  });

  it("are none where the prompt names nothing of it, or another module, or wants none", async () => {
    const { ports } = await project({ always: ["src/auth/token.ts"] });

    expect(await prefetch(ports, { prompt: "Please fix the login, the auth is broken." })).toEqual([]);
    expect(await prefetch(ports, { prompt: "Please fix src/billing/price.ts and src/authors/a.ts." })).toEqual([]);
    expect(await prefetch(ports, { prompt: "Please fix src/auth/login.ts", prefetch: "none" })).toEqual([]);
  });

  it("come where the module is called one, quoted, or has a file in play", async () => {
    const { ports, id } = await project({ always: ["src/auth/token.ts"] });
    const moments = [
      { prompt: "Clean up the Auth module." },
      { prompt: "Why is `auth` so slow?" },
      { prompt: "See @src/auth/" },
      { prompt: "Go on.", files: ["src/auth/login.ts"] },
    ];

    for (const moment of moments) {
      const found = await prefetch(ports, { ...moment, prefetch: "names" });

      expect(found, moment.prompt).toEqual([{ path: "src/auth/token.ts", memory: id }]);
    }
  });

  it("[I10] are never read through a link, from elsewhere, unknown to git, binary or made for secrets", async () => {
    const elsewhere = temporaryFolder();
    writeFiles(elsewhere, { "passwd.ts": "root\n" });
    const always = [
      "../passwd.ts",
      join(elsewhere, "passwd.ts"),
      "src/auth/../../../etc/passwd",
      "src/auth/link.ts",
      "src/linked/passwd.ts",
      "src/auth/untracked.ts",
      "src/auth/picture.bin",
      "src/auth/.env",
      "src/auth",
      "src/auth/gone.ts",
      "src/auth/token.ts",
    ];
    const { ports, root } = await project({ always }, { "src/auth/picture.bin": "\0\x01", "src/auth/.env": "A=b\n" });
    symlinkSync(join(elsewhere, "passwd.ts"), join(root, "src/auth/link.ts"));
    symlinkSync(elsewhere, join(root, "src/linked"));
    commitFiles(root, {});
    writeFiles(root, { "src/auth/untracked.ts": "outside\n" });

    const found = await prefetch(ports, { prompt: "src/auth/login.ts" });
    const named = await prefetch(ports, { prompt: "src/auth/login.ts", prefetch: "names" });

    expect(found.map(({ path }) => path)).toEqual(["src/auth/token.ts"]);
    expect(named.map(({ path }) => path)).toEqual([
      "src/auth/untracked.ts",
      "src/auth/picture.bin",
      "src/auth/token.ts",
    ]);
  });

  it("are named where their text is too large for what is left, and smaller ones still come", async () => {
    const large = { "src/auth/large.ts": "const a = 1;\n".repeat(300), "src/auth/huge.ts": "x".repeat(70_000) };
    const { ports } = await project({ always: ["src/auth/huge.ts", "src/auth/large.ts", "src/auth/token.ts"] }, large);

    const found = await prefetch(ports, { prompt: "src/auth/login.ts" }, { budgetTokens: 200 });

    expect(found).toMatchObject([
      { path: "src/auth/huge.ts", leftOut: "Only named: it has 70000 bytes." },
      { path: "src/auth/large.ts", leftOut: expect.stringContaining("200 are left") },
      { path: "src/auth/token.ts", text: "export const token = 1;\n" },
    ]);
    expect(found.map(({ text }) => text === undefined)).toEqual([true, true, false]);
  });

  it("are twelve at most, and none once the deadline is over", async () => {
    const always = Array.from({ length: 20 }, (_, index) => `src/auth/file${index}.ts`);
    const { ports } = await project({ always }, Object.fromEntries(always.map((file) => [file, "export {};\n"])));

    const found = await prefetch(ports, { prompt: "src/auth/login.ts" });
    const late = await prefetch(ports, { prompt: "src/auth/login.ts" }, { deadline: { left: () => 0 } });

    expect(found).toHaveLength(12);
    expect(late).toEqual([]);
  });

  it("do not come by a memory that is not sure enough, waits for a person, or was replaced", async () => {
    const { ports, id } = await project({ always: ["src/auth/token.ts"] });
    const other = { type: "prefetch_pattern", relatedModules: ["src/auth"], data: pattern(["src/auth/session.ts"]) };
    await remember(
      ports.context,
      [
        { ...other, content: "Unsure", confidence: 0.5 },
        { ...other, content: "From the web" },
      ],
      { doubts: [undefined, "It was read on the web."] },
    );
    const prompt = "src/auth/login.ts";

    const usually = await prefetch(ports, { prompt, prefetch: "names" });
    const unsure = await prefetch(ports, { prompt, prefetch: "names" }, { minConfidence: 0.4 });
    await supersede(ports.context, id, { content: "Another way now", type: "note" });
    const replaced = await prefetch(ports, { prompt, prefetch: "names" });

    expect(usually.map(({ path }) => path)).toEqual(["src/auth/token.ts"]);
    expect(unsure.map(({ path }) => path).toSorted()).toEqual(["src/auth/session.ts", "src/auth/token.ts"]);
    expect(replaced).toEqual([]);
  });
});

async function prefetch(ports: InjectionPorts, moment: PrefetchMoment, limits: Partial<PrefetchLimits> = {}) {
  return listPrefetch(ports, moment, { deadline: { left: () => 10_000 }, ...limits });
}

/** A repository whose module `src/auth` has a pattern of what is read there. */
async function project(
  { always, often = [] }: { always: string[]; often?: string[] },
  files: Record<string, string> = {},
): Promise<{ ports: ReturnType<typeof injectionPorts>; root: string; id: string }> {
  const root = gitRepository();
  commitFiles(root, {
    "src/auth/login.ts": "export {};\n",
    "src/auth/token.ts": "export const token = 1;\n",
    "src/auth/session.ts": 'const password = "hunter2-correct-horse";\n',
    "src/auth/other.ts": "export {};\n",
    "docs/auth.md": "# Auth\n",
    ...files,
  });
  const context = { ...(await projectContext()), folder: () => identifyFolder(root) };
  const input = { type: "prefetch_pattern", content: "Work on src/auth needs these files.", confidence: 0.9 };
  const [memory] = await remember(context, [{ ...input, data: pattern(always, often), relatedModules: ["src/auth"] }]);
  return { ports: injectionPorts(context), root, id: memory?.id ?? "" };
}

function pattern(always: string[], often: string[] = []) {
  return { alwaysReadFiles: always, frequentlyReadFiles: often, moduleTrigger: "src/auth", sessionCount: 5 };
}
