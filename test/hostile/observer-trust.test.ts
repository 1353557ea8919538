import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { noteAnswer } from "../../src/base/files/files.js";
import type { LearnedReport, Memory, OpenOptions } from "../../src/index.js";
import { built, ended, runProgram } from "../support/child-process.js";
import { commitFiles, writeFiles } from "../support/git-repository.js";
import { openTestMemory } from "../support/open-memories.js";
import { toldSession, type ToldSession } from "../support/told-session.js";
import { watchedProject, type WatchedProject } from "../support/watched-project.js";

const fact = "The limit of `field` is 64 KB, not 64 MB.";
const page = { url: "https://docs.example.com/limits?key=1" };

describe("content from outside", () => {
  const ways: [string, RegExp, (session: ToldSession, root: string) => ToldSession][] = [
    ["the web", /from the web \(docs\.example\.com\)/, (s) => s.uses("WebFetch", page, "A page.")],
    ["a search of the web", /from the web/, (s) => s.uses("WebSearch", { query: "limit" }, "Results.")],
    [
      "another MCP server",
      /another tool server \(linear\)/,
      (s) => s.uses("mcp__linear__get_issue", { id: "1" }, "An issue."),
    ],
    [
      "a command of the network",
      /a command that uses the network \(example\.com\)/,
      (s) => s.runs("curl -s https://example.com/a", "Hello."),
    ],
    ["a download", /a download/, (s) => s.runs("curl -s https://example.com/a -o notes.txt", "")],
    [
      "a file that git does not track",
      /a file that git does not track \(vendor\/notes\.md\)/,
      (s) => s.reads("vendor/notes.md", "Notes."),
    ],
    [
      "a file outside the project",
      /a file outside the project \(.*elsewhere\.md\)/,
      (s, root) => s.reads(join(root, "..", "elsewhere.md"), "Notes."),
    ],
    [
      "a command that shows such a file",
      /a file that git does not track/,
      (s) => s.runs("cat vendor/notes.md", "Notes."),
    ],
  ];

  it.each(ways)(
    "[O4] by %s makes what is derived later wait, with less confidence and the reason",
    async (_, reason, way) => {
      const project = watchedProject();
      writeFiles(project.root, { "vendor/notes.md": "Notes.\n" });
      const clean = await watchedProject().learn(corrects(toldSession("s1").starts()).ends());

      const { learned, waiting } = await project.learn(corrects(way(toldSession("s1").starts(), project.root)).ends());

      const [one] = waiting as [Memory];
      expect(learned).toEqual([]);
      expect(one).toMatchObject({ content: clean.learned[0]?.content, status: "waiting", trustFlags: ["tainted"] });
      expect(one.review.reason).toMatch(reason);
      expect(one.confidence).toBeCloseTo((clean.learned[0]?.confidence ?? 0) * 0.7, 6);
      const memory = await project.open();
      expect([await memory.list(), await memory.recall("limit of field")]).toEqual([[], []]);
      expect((await memory.sessions.list())[0]?.outside).toBeDefined();
    },
  );

  it("[O4] is a file that was committed only while the session ran, also where nobody said that it began", async () => {
    const project = watchedProject();
    writeFiles(project.root, { "dl.md": "Notes.\n" });
    const memory = await project.open();
    const session = corrects(toldSession("s1").prompts("Go on.").reads("dl.md", "Notes."));
    for (const event of session.events) memory.observe(event);
    await vi.waitFor(() => expect(spoolText()).toContain("dl.md"));
    commitFiles(project.root, { "dl.md": "Notes.\n" });

    const report = await memory.finishSession("s1");

    expect([report?.learned.length, report?.waiting.length]).toEqual([0, 1]);
  });

  it("[O4] does not make wait what was seen before it", async () => {
    const session = corrects(toldSession("s1").starts()).uses("WebFetch", page, "A page.").ends();

    const { learned, waiting } = await watchedProject().learn(session);

    expect([learned.length, waiting.length]).toEqual([1, 0]);
  });

  it("[O4] is what a tracked file, a local command and this very tool are not", async () => {
    const session = toldSession("s1").starts().reads("src/tax.ts").runs("npm test", "Tests  14 passed (14)");
    session.uses("mcp__tacit__recall", { question: "limit" }, "Nothing.").runs("curl -s http://localhost:3000/a", "ok");

    const { learned, waiting } = await watchedProject().learn(corrects(session).ends());

    expect([learned.length, waiting.length]).toEqual([1, 0]);
  });

  it("[O4] flows to the agents that are started afterwards, and back from those that read it", async () => {
    const down = toldSession("s1").starts().uses("WebFetch", page, "A page.").sub("helper");
    const up = toldSession("s1").starts().sub("helper").uses("WebFetch", page, "A page.").back();
    const beside = toldSession("s1").starts().sub("one").uses("WebFetch", page, "A page.").back();

    const reports = await Promise.all([
      watchedProject().learn(corrects(down).back().ends()),
      watchedProject().learn(corrects(up).ends()),
      watchedProject().learn(corrects(beside.sub("two")).back().ends()),
      // Here it is only another one who reads it, and later.
      watchedProject().learn(
        corrects(toldSession("s1").starts().sub("one"))
          .back()
          .sub("two")
          .uses("WebFetch", page, "A page.")
          .back()
          .ends(),
      ),
    ]);

    expect(reports.map(({ learned, waiting }) => [learned.length, waiting.length])).toEqual([
      [0, 1],
      [0, 1],
      [0, 1],
      [1, 0],
    ]);
  });

  it("[O4] stays in the files that are written from it, also for another agent and for the next session", async () => {
    const project = watchedProject();
    const writes = toldSession("s1").starts().sub("one").uses("WebFetch", page, "A page.");
    const first = await project.learn(
      corrects(writes.writes("notes/limits.md", "The limit is 64 KB.").back().sub("two").reads("notes/limits.md"))
        .back()
        .ends(),
    );
    writeFiles(project.root, { "notes/limits.md": "The limit is 64 KB." });

    const next = await project.learn(
      corrects(toldSession("s2").starts().reads("notes/limits.md", "The limit is 64 KB."), "`other`").ends(),
    );

    expect(first.waiting).toHaveLength(1);
    expect(next.waiting).toMatchObject([{ trustFlags: ["tainted"] }]);
  });

  it("[O4] is not what the agent wrote itself from nothing else, also in the next session and before it is committed", async () => {
    const project = watchedProject();
    const first = toldSession("s1").starts().reads("src/tax.ts").writes("notes/limits.md", "64 KB");
    const same = await project.learn(corrects(first.reads("notes/limits.md", "64 KB")).ends());
    writeFiles(project.root, { "notes/limits.md": "64 KB" });

    const next = await project.learn(
      corrects(toldSession("s2").starts().reads("notes/limits.md", "64 KB"), "`other`").ends(),
    );

    expect([same.waiting, next.waiting]).toEqual([[], []]);
    expect([same.learned.length, next.learned.length]).toEqual([1, 1]);
  });

  it("[O4] keeps waiting after ten sessions, two agents who agree and twenty uses; a person lifts it", async () => {
    const project = watchedProject();
    const reports: LearnedReport[] = [];
    for (let round = 1; round <= 10; round += 1) {
      const session = toldSession(`s${round}`, day(round)).starts().uses("WebFetch", page, "A page.");
      for (const agent of ["a", "b"]) corrects(session.sub(agent)).back();
      reports.push(await project.learn(session.ends()));
    }
    const memory = await project.open();
    const [one, ...others] = await memory.list({ status: "any" });
    for (let use = 0; use < 20; use += 1) await memory.get(one?.id ?? "");

    expect(others).toEqual([]);
    expect(reports.flatMap(({ learned }) => learned)).toEqual([]);
    expect(await memory.get(one?.id ?? "")).toMatchObject({ status: "waiting", trustFlags: ["tainted"] });
    expect(await memory.recall("limit of field")).toEqual([]);

    await memory.review.accept(one?.id ?? "");

    expect((await memory.recall("limit of field")).map(({ memory: { id } }) => id)).toEqual([one?.id]);
  });
});

describe("what an agent asks to remember", () => {
  const content = "The staging server listens on port 8443.";

  it("[O4] waits where its session had read from outside, and not before", async () => {
    const project = watchedProject();
    const memory = await project.open();
    const session = toldSession("s1").starts().reads("src/tax.ts");
    for (const event of session.events) memory.observe(event);
    const before = await memory.remember({ content: "Prices are in cents.", sessionId: "s1" });
    for (const event of toldSession("s1").uses("WebFetch", page, "A page.").events) memory.observe(event);

    const after = await memory.remember({ content, sessionId: "s1" });
    const elsewhere = await memory.remember({ content: "Taxes are per country.", sessionId: "s2" });
    await memory.finishSession("s1");

    expect([before.status, after.status, elsewhere.status]).toEqual(["active", "waiting", "active"]);
    expect(after.review.reason).toMatch(/docs\.example\.com/);
    expect((await memory.list()).map((one) => one.content).toSorted()).toEqual([
      "Prices are in cents.",
      "Taxes are per country.",
    ]);
  });

  it("[O4] waits in another process as well", async () => {
    const project = watchedProject();
    const memory = await project.open();
    for (const event of toldSession("s1").starts().uses("WebFetch", page, "A page.").events) memory.observe(event);
    await vi.waitFor(() => expect(spoolText()).toContain("docs.example.com"));

    expect(await rememberElsewhere(project, content, "s1")).toBe("waiting");
    // What this process starts speaks for its session, whichever it names.
    expect(await rememberElsewhere(project, "Prices are in cents.", "s2")).toBe("waiting");
  });

  it.each([
    ["by a tool", (s: ToldSession) => s.uses("mcp__tacit__remember", { content }, "Remembered.")],
    ["on the command line", (s: ToldSession) => s.runs(`tacit remember "${content}" --type fact`, "Remembered.")],
    ["by an event", (s: ToldSession) => s.remembers(content)],
  ])("[O4] %s waits once the session is over, where nobody knew of it before", async (_, asks) => {
    const late = await rememberedThen((s) => asks(s.uses("WebFetch", page, "A page.")));
    const early = await rememberedThen((s) => asks(s).uses("WebFetch", page, "A page."));

    expect(late).toMatchObject({
      status: "waiting",
      trustFlags: ["tainted"],
      confidence: expect.closeTo(0.7, 1) as number,
    });
    expect(early).toMatchObject({ status: "active", trustFlags: [] });

    async function rememberedThen(tell: (session: ToldSession) => ToldSession): Promise<Memory | undefined> {
      const now = () => new Date("2026-11-02T10:00:00Z");
      const project = watchedProject();
      const memory = await project.open({ now });
      // As our server does.
      noteAnswer(["Remembered."]);
      const { id } = await memory.remember({ content, type: "fact", confidence: 1 });
      await project.learn(tell(toldSession("s1").starts()).ends(), { now });
      return memory.get(id);
    }
  });

  it.each([
    [
      "with a secret in it",
      "The login is password=hunter2hunter2.",
      (s: ToldSession, text: string) => s.remembers(text),
    ],
    ["with invisible characters in it", "The port is\u200B 8443.", (s: ToldSession, text: string) => s.remembers(text)],
    [
      "with a private part in it",
      "The port <private>of Bob </private>is 8443.",
      (s: ToldSession, text: string) => s.remembers(text),
    ],
    [
      "from a pipe",
      content,
      (s: ToldSession) => s.runs("curl -s https://example.com/a | tacit remember -", "Remembered."),
    ],
    ["by a substitution", content, (s: ToldSession) => s.runs('tacit remember "$(cat notes.txt)"', "Remembered.")],
  ])("[O4] %s waits as well", async (_, text, asks) => {
    let at = new Date();
    const project = watchedProject();
    const memory = await project.open({ now: () => at });
    const before = await memory.remember({ content: "Prices are in cents." });
    const session = toldSession("s1", at.getTime() + 10_000)
      .starts()
      .uses("WebFetch", page, "A page.");
    at = new Date(session.events.at(-1)?.at ?? 0);
    const { id } = await memory.remember({ content: text });
    at = new Date(at.getTime() + 60_000);

    await project.learn(asks(session, text).ends(), { now: () => at });

    expect((await memory.get(id))?.status).toBe("waiting");
    expect((await memory.get(before.id))?.status).toBe("active");
  });

  it("[O4] does not become a person's word because the agent vouches for it", async () => {
    let at = new Date();
    const project = watchedProject();
    const memory = await project.open({ now: () => at });
    const held = await project.learn(corrects(toldSession("s0").starts().uses("WebFetch", page, "A page.")).ends());
    const [waiting] = held.waiting as [Memory];
    const session = toldSession("s1", at.getTime() + 10_000)
      .starts()
      .uses("WebFetch", page, "A page.");
    session.runs(`tacit remember "${content}"`, "Remembered.").runs("tacit verify deploys", "Verified.");
    session.runs(`tacit review accept ${waiting.id}`, "Accepted.");
    at = new Date(session.events.at(-1)?.at ?? 0);
    const { id } = await memory.remember({ content });
    await memory.verify(id);
    await memory.review.accept(waiting.id);
    expect((await memory.get(waiting.id))?.status).toBe("active");

    at = new Date(at.getTime() + 60_000);
    await project.learn(session.ends(), { now: () => at });

    expect([await memory.get(id), await memory.get(waiting.id)]).toMatchObject([
      { status: "waiting", userVerified: false },
      { status: "waiting", userVerified: false, review: { reason: waiting.review.reason } },
    ]);
  });

  it("[O4] and a person has verified stays, whatever the session read", async () => {
    const project = watchedProject();
    const now = () => new Date("2026-11-02T10:00:00Z");
    const memory = await project.open({ now });
    const { id } = await memory.remember({ content });
    await memory.verify(id);

    await project.learn(toldSession("s1").starts().uses("WebFetch", page, "A page.").remembers(content).ends(), {
      now,
    });

    expect((await memory.get(id))?.status).toBe("active");
  });
});

describe("secrets", () => {
  const token = `ghp_${"aZ09bY18cX27dW36eV45".repeat(2).slice(0, 36)}`;

  /** A session that says a secret wherever one can be said, and from which something is learned everywhere. */
  function careless(id: string, at: number): ToldSession {
    const session = toldSession(id, at)
      .starts({ task: `Use ${token} for the deploy.` })
      .prompts(`The token is ${token}.`);
    session.unit("Deploy", "started");
    session.reads("src/cart.ts", `const token = "${token}";`).uses("Grep", { pattern: token }, "No matches found");
    session.says(`Correction: the header of \`deploy\` takes ${token}, not a password.`);
    session.runs(
      `npm run deploy -- --token ${token}`,
      `Error: token ${token} was refused by the ledger\n    at src/stock.ts:1:1`,
      true,
    );
    session.says(`The cause is that ${token} has expired in src/stock.ts.`);
    session.edits("src/stock.ts", token, "process.env.TOKEN").runs(`npm run deploy -- --token ${token}`, "Done.");
    session.commits(
      "0a1b2c3",
      `Use ${token} for deploys\n\nBecause the old one expired, we take ${token} from now on.`,
    );
    session.qa(false, [
      { title: `The log must not hold ${token}`, description: `It held ${token}.`, fix: `Remove ${token}.` },
    ]);
    session.remembers(`Deploy with ${token}.`).uses("WebFetch", { url: `https://example.com/?key=${token}` }, token);
    return session.unit("Deploy", "succeeded", `Deployed with ${token}`).qa(true);
  }

  it("[O17] are neither in the spool nor in the store, wherever they were said", async () => {
    const project = watchedProject();
    const memory = await project.open();
    for (const round of [1, 2, 3]) {
      const session = careless(`s${round}`, day(round));
      for (const event of session.events) memory.observe(event);
      await vi.waitFor(() => expect(spoolText()).toMatch(/"kind":"qa","at":\d+,"passed":true/));
      expect(spoolText()).not.toContain(token);

      await memory.sessions.promote(session.id);
      expect(bytesOf(project.db)).not.toContain(token);
      await memory.finishSession(session.id);
    }

    expect(bytesOf(project.db)).not.toContain(token);
    expect((await memory.list({ status: "any" })).length).toBeGreaterThan(2);
  });

  it("[O17] are not in a store in memory either", async () => {
    const memory = await openTestMemory({ directory: watchedProject().root });
    for (const round of [1, 2]) {
      const session = careless(`s${round}`, day(round));
      for (const event of session.events) memory.observe(event);
      await memory.sessions.promote(session.id);
      await memory.finishSession(session.id);
    }

    const memories = await memory.list({ status: "any" });
    const evidence = await Promise.all(memories.map(({ id }) => memory.review.evidence(id)));

    expect(memories.length).toBeGreaterThan(2);
    expect(JSON.stringify([memories, evidence, await memory.sessions.list()])).not.toContain(token);
  });

  it("[O17] and everything that led to a memory are gone when it is purged, its error too", async () => {
    const project = watchedProject();
    const memory = await project.open();
    const word = "flibbertigibbet";
    for (const round of [1, 2]) {
      const session = toldSession(`s${round}`, day(round)).starts();
      session.runs("npm run migrate", `Error: pool of the ${word} is exhausted\n    at src/stock.ts:1:1`, true);
      session.says(`The cause is that the ${word} in src/stock.ts is never closed.`);
      session.reads("src/stock.ts").edits("src/stock.ts", `pool${round}`, "closed").runs("npm run migrate", "Done.");
      for (const event of session.events) memory.observe(event);
      await memory.finishSession(session.id);
    }
    const [one] = await memory.list({ types: ["error_pattern"] });
    expect(bytesOf(project.db)).toContain(word);

    const { erasure } = await memory.purge(one?.id ?? "");
    await memory.close();

    expect(erasure).toBe("done");
    expect(bytesOf(project.db)).not.toContain(word);
  });
});

function day(number: number): number {
  return Date.parse("2026-11-02T09:00:00Z") + number * 86_400_000;
}

function corrects(session: ToldSession, name = "`field`"): ToldSession {
  return session.reads("src/cart.ts").says(`Correction: ${fact.replace("The", "the").replace("`field`", name)}`);
}

async function rememberElsewhere(project: WatchedProject, content: string, sessionId: string): Promise<string> {
  const options: OpenOptions = { db: project.db, directory: project.root, embedder: null };
  const child = runProgram(`
    import { openMemory } from ${JSON.stringify(built("index.js"))};
    const memory = await openMemory(${JSON.stringify(options)});
    const { status } = await memory.remember(${JSON.stringify({ content, sessionId })});
    await memory.close();
    console.log(status);`);
  const chunks: Buffer[] = [];
  child.stdout?.on("data", (chunk: Buffer) => chunks.push(chunk));
  await ended(child);
  return Buffer.concat(chunks).toString("utf8").trim();
}

/** Everything that lies in the spools of this process's home. */
function spoolText(): string {
  const home = join(process.env["TACIT_HOME"] ?? "", "sessions");
  if (!existsSync(home)) return "";
  return readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
    .join("\n");
}

/** The database with its log. */
function bytesOf(db: string): string {
  return [db, `${db}-wal`].map((file) => (existsSync(file) ? readFileSync(file, "latin1") : "")).join("");
}
