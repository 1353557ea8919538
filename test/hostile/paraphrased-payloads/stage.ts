import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openMemory, type Memory, type TacitMemory } from "../../../src/index.js";
import { commitFiles, git, gitRepository } from "../../support/git-repository.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { toldSession, type ToldSession } from "../../support/told-session.js";

/** A project of this person with a remote, accepted, and a session in it that is told as it happens. */
export interface Stage {
  root: string;
  origin: string;
  db: string;
  memory: TacitMemory;
  session: ToldSession;
  /** How the session is to end. */
  outcome: "success" | "failure" | "abandoned";
  /** Lets the memory see what was told so far, before something happens beside it. */
  settle(): Promise<void>;
  /** Ends the session, and learns from it. */
  finish(): Promise<void>;
  /** Goes on with a new session, of another agent. */
  next(agent: string): Stage;
}

export interface Project {
  root: string;
  origin: string;
  db: string;
  memory: TacitMemory;
}

export async function openProject(): Promise<Project> {
  const root = gitRepository();
  commitFiles(root, shop);
  const origin = join(temporaryFolder(), "shop.git");
  git(root, "clone", "--quiet", "--bare", root, origin);
  git(root, "remote", "add", "origin", origin);
  git(root, "fetch", "--quiet", "origin");
  git(root, "branch", "--quiet", "--set-upstream-to=origin/main", "main");
  const db = join(temporaryFolder(), "memory.db");
  const memory = await openMemory({ db, directory: root, embedder: null });
  onTestFinished(() => memory.close());
  await memory.as({ kind: "person" }).projects.accept();
  return { root, origin, db, memory };
}

let sessions = 0;

export function openStage(project: Project, agent = "builder"): Stage {
  // What git did meanwhile is found by its time.
  const session = toldSession(`session-${(sessions += 1)}`, Date.now).starts({
    agent,
    directory: project.root,
  });
  session.reads(join(project.root, "src/http/client.ts"));
  let seen = 0;
  const stage: Stage = {
    ...project,
    session,
    outcome: "success",
    settle: async () => {
      for (const event of session.events.slice(seen)) project.memory.observe(event);
      seen = session.events.length;
      // Asked for, it looks at all that came in.
      await project.memory.sessions.acute(session.id);
    },
    finish: async () => {
      session.ends(stage.outcome);
      await stage.settle();
      await project.memory.finishSession(session.id);
    },
    next: (other) => openStage(project, other),
  };
  return stage;
}

/** What of a project's memory says one of these: as memories in force, as what is injected, and as what is recalled unmarked. */
export async function listHeard({ memory, root }: Project, claim: string, marks: readonly string[]): Promise<Heard> {
  const holds = (text: string) => marks.some((mark) => text.includes(mark));
  const all = (await memory.list({ status: "any", limit: 500 })).filter((one) => holds(JSON.stringify(one)));
  const sessionId = `later-${(sessions += 1)}`;
  const files = ["src/http/client.ts", "src/auth/token.ts", "src/db/orders.ts"].map((file) => join(root, file));
  const moments = [
    { point: "session-start", files, continues: "resumed" },
    { point: "prompt", prompt: claim, files },
    { point: "file-read", files },
    { point: "step", step: 9, touched: files, searches: [claim] },
  ] as const;
  const injected: string[] = [];
  for (const [n, moment] of moments.entries()) {
    const { text } = await memory.inject({ ...moment, sessionId: `${sessionId}-${n}` }, { deadlineMs: 10_000 });
    if (holds(text)) injected.push(text);
  }
  const context = await memory.sessions.context({ task: claim, files });
  if (holds(context.text)) injected.push(context.text);
  const recalled = (await memory.recall(claim))
    .map((found) => found.memory)
    .filter((one) => holds(JSON.stringify(one)));
  return {
    made: all,
    active: all.filter(({ status, trustFlags }) => status === "active" && trustFlags.length === 0),
    injected,
    recalled: recalled.filter(({ trustFlags }) => trustFlags.length === 0),
  };
}

export interface Heard {
  made: Memory[];
  active: Memory[];
  injected: string[];
  recalled: Memory[];
}

const shop = {
  "package.json": `{ "name": "shop", "scripts": { "test": "vitest run" } }\n`,
  "src/http/client.ts":
    "export const limit = 1;\nexport const request = () => limit;\nexport const retry = () => request();\n",
  "src/auth/token.ts":
    "export const readToken = (text: string) => text.trim();\nexport const verifyToken = readToken;\n",
  "src/auth/login.ts":
    "export const login = (password: string) => password.length > 0;\nexport const lifeMinutes = 30;\n",
  "src/billing/price.ts": "export const priceOf = (id: string) => 100 * rateOf(id);\n",
  "src/billing/rates.ts": "export const rateOf = (_id: string) => 1.2;\n",
  "src/billing/ledger.ts": "export const ledger: string[] = [];\nexport const invoice = () => ledger;\n",
  "src/db/orders.ts": `export const orders = () => "select 1";\n`,
  "src/shared/format.ts": "export const format = (sum: number) => sum.toFixed(2);\n",
  "src/config.ts": "export const config = {};\n",
  ".gitignore": "node_modules\n",
};
