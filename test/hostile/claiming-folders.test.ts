import { cpSync, mkdirSync, realpathSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type AgentEvent, observeOnce } from "../../src/hook/observe-once.js";
import { injectOnce } from "../../src/hook/inject-once.js";
import { openMemory, type Moment, type TacitMemory } from "../../src/index.js";
import { connect } from "../../src/storage/connect.js";
import { migrate } from "../../src/storage/migrate.js";
import { migrations } from "../../src/storage/migrations.js";
import { commitFiles, git, gitRepository, writeFiles } from "../support/git-repository.js";
import { connectTo } from "../support/mcp-client.js";
import { openTestMemory } from "../support/open-memories.js";
import { runTacit } from "../support/run-tacit.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const secret = "The release key lies in the vault of the shop.";
const everywhere = "I want short answers.";
const remote = "git@github.com:acme/shop.git";

/** Ways in which a folder that nobody has used says that it is the shop. */
const claims: Record<string, (place: Place) => string | Promise<string>> = {
  "an archive with a .git/config that names the remote": ({ home }) => {
    const folder = join(home, "archive");
    writeFiles(folder, { ".git/HEAD": "ref: refs/heads/main\n", ".git/config": config });
    return folder;
  },
  "a .git file that points at the repository": ({ home, shop }) => {
    const folder = join(home, "pointer");
    writeFiles(folder, { ".git": `gitdir: ${join(shop, ".git")}\n` });
    return folder;
  },
  "a .git file that points at a worktree of the repository": ({ home, shop }) => {
    git(shop, "worktree", "add", "-q", join(home, "tree"));
    const folder = join(home, "borrower");
    writeFiles(folder, { ".git": `gitdir: ${join(shop, ".git", "worktrees", "tree")}\n` });
    return folder;
  },
  "a .git folder that calls itself a worktree of the repository": ({ home, shop }) => {
    const folder = join(home, "pretender");
    const files = { HEAD: "ref: refs/heads/main\n", commondir: `${join(shop, ".git")}\n` };
    writeFiles(folder, Object.fromEntries(Object.entries(files).map(([name, text]) => [`.git/${name}`, text])));
    writeFileSync(join(folder, ".git", "gitdir"), `${join(folder, ".git")}\n`);
    return folder;
  },
  "a clone of the remote in another place": (place) => cloneOf(place),
  "the project's folder after it was moved": ({ home, shop }) => {
    const folder = join(home, "moved");
    renameSync(shop, folder);
    return folder;
  },
  "a copy of the project's folder": ({ home, shop }) => {
    const folder = join(home, "copy");
    cpSync(shop, folder, { recursive: true });
    return folder;
  },
  "another project's folder whose remote was changed": async (place) => {
    const folder = gitRepository(made(place.home, "turned"));
    git(folder, "remote", "add", "origin", "git@github.com:acme/turned.git");
    await (await openAt(place, folder)).remember({ content: "Founded by itself." });
    git(folder, "remote", "set-url", "origin", remote);
    return folder;
  },
};

describe("a folder that says it belongs to a known project", () => {
  it.each(Object.entries(claims))("[TR60] is told nothing before a person says yes: %s", async (_, claim) => {
    const place = await shopWith();
    const folder = await claim(place);
    const memory = await openAt(place, folder);

    expect(await memory.recall("release key")).toEqual([]);
    expect(await memory.recall("answers")).toEqual([]);
    expect(await memory.list()).toEqual([]);
    for (const moment of moments) {
      expect((await memory.inject(moment, calm)).text).toBe("");
      expect((await injectOnce(moment, { ...calm, ...where(place, folder) })).text).toBe("");
    }
    expect((await memory.conversations.memoryFile()).text).not.toContain(everywhere);
    expect((await memory.projects.current()).notice).toContain("tacit project accept");

    await memory.projects.accept();

    expect((await memory.list()).map(({ content }) => content)).toEqual([secret]);
    expect((await injectOnce(moments[2] as Moment, { ...calm, ...where(place, folder) })).text).toContain(secret);
  });

  it.each(Object.entries(claims))(
    "[TR61] teaches nothing before a person says yes, and loses nothing: %s",
    async (_, claim) => {
      const place = await shopWith();
      const folder = await claim(place);
      await observeOnce(session("s1"), where(place, folder));
      const memory = await openAt(place, folder);
      await memory.finishSessions();

      await expect(memory.remember({ content: "The vault is open." })).rejects.toMatchObject({
        code: "folder-pending",
        hint: expect.stringContaining("tacit project accept"),
      });
      await expect(memory.finishSession("s1")).resolves.toBeUndefined();
      expect(await memory.sessions.list()).toEqual([]);
      const shop = await openMemory({ db: place.db, project: place.id, embedder: null });
      expect(await shop.sessions.list()).toEqual([]);
      await shop.close();

      await memory.projects.accept();
      await memory.recall("anything");

      expect((await memory.sessions.list()).map(({ sessionId }) => sessionId)).toEqual(["s1"]);
    },
  );

  it("[TR62] is not asked for where git keeps it as a worktree, nor in the first folder of a project", async () => {
    const place = await shopWith();
    git(place.shop, "worktree", "add", "-q", join(place.home, "tree"));
    const tree = await openAt(place, join(place.home, "tree"));
    await tree.remember({ content: "Learned in the worktree." });
    const other = gitRepository(made(place.home, "other"));
    git(other, "remote", "add", "origin", "git@github.com:acme/other.git");
    const founder = await openAt(place, other);
    await founder.remember({ content: "The first of its project." });

    expect((await tree.list()).map(({ content }) => content)).toContain(secret);
    expect(await tree.store.notices()).toEqual([]);
    expect(await founder.store.notices()).toEqual([]);
    expect(await founder.list()).toHaveLength(1);
  });

  it("[TR62] stays the same folder when a remote is added to it, or its project is named", async () => {
    const home = realpathSync(temporaryFolder());
    const place = { home, db: join(home, "memory.db") };
    const folder = gitRepository(made(home, "app"));
    const first = await openAt(place, folder);
    const { project } = await first.remember({ content: "From the start." });
    git(folder, "remote", "add", "origin", "git@github.com:acme/app.git");
    const named = await openTestMemory({ db: place.db, project, directory: made(home, "elsewhere"), embedder: null });

    expect(await (await openAt(place, folder)).list()).toHaveLength(1);
    expect(await named.list()).toHaveLength(1);
  });

  it("[TR73] goes on unasked where a store from before knows it by its path or has accepted it", async () => {
    const home = realpathSync(temporaryFolder());
    const place = { home, db: join(home, "memory.db") };
    const clone = gitRepository(made(home, "clone"));
    git(clone, "remote", "add", "origin", remote);
    const accepted = gitRepository(made(home, "accepted"));
    git(accepted, "remote", "add", "origin", remote);
    const keys = ["remote:github.com/acme/shop", "path:/old/shop", `path:${clone}`];
    await beforeFolders(place.db, [{ id: "p", keys, accepted: [accepted] }]);

    for (const folder of [clone, accepted]) {
      expect(await (await openAt(place, folder)).projects.current()).toMatchObject({ id: "p" });
    }
    const stranger = gitRepository(made(home, "stranger"));
    git(stranger, "remote", "add", "origin", remote);
    expect((await (await openAt(place, stranger)).projects.current()).notice).toContain("and 2 more");
  });

  describe.each([{ indexed: true }, { indexed: false }])("in a store from before, indexed: $indexed", ({ indexed }) => {
    it("[TR73] goes on unasked where its path held another repository earlier, and no other folder does", async () => {
      const home = realpathSync(temporaryFolder());
      const place = { home, db: join(home, "memory.db") };
      const app = gitRepository(made(home, "app"));
      git(app, "remote", "add", "origin", "git@github.com:acme/second.git");
      const other = gitRepository(made(home, "other"));
      git(other, "remote", "add", "origin", "git@github.com:acme/other.git");
      await beforeFolders(place.db, [
        { id: "first", keys: ["remote:github.com/acme/first", `git:${app}/.git`, `path:${app}`] },
        { id: "second", keys: ["remote:github.com/acme/second"], ...(indexed && { trees: [app] }) },
        { id: "other", keys: ["remote:github.com/acme/other", `git:${other}/.git`, `path:${other}`] },
      ]);
      const stranger = gitRepository(made(home, "stranger"));
      git(stranger, "remote", "add", "origin", "git@github.com:acme/second.git");
      const waits = async (folder: string) => (await (await openAt(place, folder)).projects.current()).notice ?? "";

      expect(await waits(stranger)).toContain("tacit project accept");
      const memory = await openAt(place, app);
      await memory.remember({ content: secret });

      expect(await memory.projects.current()).toMatchObject({ id: "second" });
      expect((await memory.list()).map(({ content }) => content)).toEqual([secret]);
      expect(await waits(stranger)).toContain("tacit project accept");
      git(other, "remote", "set-url", "origin", "git@github.com:acme/second.git");
      expect(await waits(other)).toContain("tacit project accept");
    });
  });

  it("[TR63] is confirmed by a person and by no agent, and says on the command line how", async () => {
    const place = await shopWith();
    const folder = cloneOf(place);
    const memory = await openAt(place, folder);
    const tacit = (...args: string[]) => runTacit(["--db", place.db, ...args], { cwd: folder, env: {} });

    await expect(memory.as({ kind: "agent" }).projects.accept()).rejects.toMatchObject({ code: "agent-refused" });
    await expect(memory.as({ kind: "agent" }).projects.join(place.id)).rejects.toMatchObject({ code: "agent-refused" });
    const recalled = await tacit("recall", "release key");
    const told = await tacit("remember", "The vault is open.");
    const doctor = await tacit("doctor");
    await tacit("project", "accept");
    const after = await tacit("recall", "release key");

    expect(`${recalled.stdout}${recalled.stderr}`).toContain("tacit project accept");
    expect(recalled.stdout).not.toContain("vault");
    expect(told).toMatchObject({ code: 1, stderr: expect.stringContaining("tacit project accept") });
    expect(doctor.stdout).toContain("tacit project accept");
    expect(after.stdout).toContain("vault");
  });

  it("[TR63] answers no agent that asks over MCP", async () => {
    const place = await shopWith();
    const { call } = await connectTo({ args: ["--db", place.db], cwd: cloneOf(place) });

    const recalled = await call("recall", { query: "Where does the release key lie?" });
    const told = await call("remember", { content: "The vault is open.", type: "fact" });

    expect(JSON.stringify(recalled)).not.toContain("vault of");
    expect(JSON.stringify(told)).toContain("tacit project accept");
  });

  it("[TR63] shows the person one note when a session begins there, which the agent does not get", async () => {
    const place = await shopWith();
    const folder = cloneOf(place);

    const start = await injectOnce(moments[0] as Moment, { ...calm, ...where(place, folder) });
    const read = await injectOnce(moments[2] as Moment, { ...calm, ...where(place, folder) });

    expect(start).toMatchObject({ text: "", notes: [expect.stringContaining("tacit project accept")] });
    expect(read).toMatchObject({ text: "", notes: [] });
  });
});

interface Place {
  home: string;
  db: string;
  shop: string;
  id: string;
}

const config = `[core]\n\trepositoryformatversion = 0\n[remote "origin"]\n\turl = ${remote}\n`;
const calm = { deadlineMs: 30_000 };
const moments: Moment[] = [
  { point: "session-start", sessionId: "m1" },
  { point: "prompt", sessionId: "m1", prompt: "Where does the release key lie?", prefetch: "none" },
  { point: "file-read", sessionId: "m1", files: ["src/vault.ts"] },
];

async function shopWith(): Promise<Place> {
  const home = realpathSync(temporaryFolder());
  const db = join(home, "memory.db");
  const shop = gitRepository(made(home, "shop"));
  git(shop, "remote", "add", "origin", remote);
  commitFiles(shop, { "src/vault.ts": "export const vault = 1;\n" });
  const memory = await openMemory({ db, directory: shop, embedder: null });
  const { project } = await memory.remember({ content: secret, type: "gotcha", relatedFiles: ["src/vault.ts"] });
  await memory.close();
  const user = await openMemory({ db, project: "user", embedder: null });
  await user.remember({ content: everywhere, type: "convention" });
  await user.close();
  return { home, db, shop, id: project };
}

/** A store as it was before folders had to be confirmed. */
async function beforeFolders(
  path: string,
  projects: readonly { id: string; keys: readonly string[]; accepted?: readonly string[]; trees?: readonly string[] }[],
): Promise<void> {
  const client = await connect({ kind: "file", path }, 1000);
  await migrate(
    client,
    migrations.filter(({ number }) => number < 12),
  );
  for (const [at, { id, keys, accepted = [], trees = [] }] of projects.entries()) {
    const number = at + 1;
    const put = async (sql: string, value: string) => client.execute({ sql, args: { number, value } });
    await put("INSERT INTO projects (number, id, name, created_at) VALUES (:number, :value, :value, '2026-01-01')", id);
    for (const key of keys) await put("INSERT INTO project_keys (key, project_number) VALUES (:value, :number)", key);
    for (const folder of accepted)
      await put("INSERT INTO accepted_folders (project_number, folder) VALUES (:number, 'path:' || :value)", folder);
    const tree =
      "INSERT INTO code_trees (project_number, root, settings, indexed_at) VALUES (:number, :value, '', '2026')";
    for (const root of trees) await put(tree, root);
  }
  client.close();
}

function cloneOf({ home }: Place): string {
  const folder = gitRepository(made(home, "clone"));
  git(folder, "remote", "add", "origin", remote);
  return folder;
}

async function openAt({ db }: Pick<Place, "db">, directory: string): Promise<TacitMemory> {
  return openTestMemory({ db, project: undefined, directory, embedder: null });
}

function where({ db }: Place, directory: string) {
  return { db, directory };
}

function session(sessionId: string): AgentEvent[] {
  const input = { command: "npm test" };
  return [
    { sessionId, kind: "start" },
    { sessionId, kind: "prompt", text: "Run the tests." },
    ...["1", "2"].flatMap((callId): AgentEvent[] => [
      { sessionId, kind: "call", callId, tool: "Bash", input },
      { sessionId, kind: "result", callId, tool: "Bash", input, text: "ok" },
    ]),
    { sessionId, kind: "end" },
  ];
}

function made(home: string, name: string): string {
  const folder = join(home, name);
  mkdirSync(folder, { recursive: true });
  return folder;
}
