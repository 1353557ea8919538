import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { spawn } from "node:child_process";
import { agentSession, type AgentSession } from "../../bench/agent-session.mjs";
import { openMemory, type Memory, type TacitMemory } from "../../src/index.js";
import { built } from "./child-process.js";
import { commitFiles, gitRepository } from "./git-repository.js";
import { temporaryFolder } from "./temporary-folder.js";

type Evidence = Awaited<ReturnType<TacitMemory["review"]["evidence"]>>;
type AgentEvent = Parameters<TacitMemory["observe"]>[0];

/** A memory as others find it, with what led to it. */
export type Recalled = Memory & { evidence: Evidence };

/** A work tree with a store of its own, in which sessions take place one a day. */
export interface ObservedProject {
  root: string;
  db: string;
  /** A new session of Claude Code, a day after the last one; it ends yesterday at the latest, for up to 30. */
  session(prompt?: string): AgentSession;
  /** A text of a file as Claude Code's Read gives it. */
  shown(file: string): { text: string };
  /** Takes in the transcripts of sessions, one after the other, in a memory that is closed again. */
  learn(...sessions: AgentSession[]): Promise<void>;
  /** The same of a session whose every event comes from a process of its own, as hooks do. */
  learnByHooks(session: AgentSession): Promise<void>;
  /** The same of events that a program hands over as they happen; they must hold an `end`. */
  learnEvents(events: readonly AgentEvent[]): Promise<void>;
  /** What a memory recalls that is opened anew, best first, each with its evidence. */
  recallAnew(question: string): Promise<Recalled[]>;
  /** The same by a new process. */
  recallElsewhere(question: string): Promise<Recalled[]>;
  /** Everything that is kept, whether it speaks or waits for a person. */
  allMemories(): Promise<Memory[]>;
  /** What the memories say, for a test that expects none. */
  allSayings(): Promise<string[]>;
  /** What the command line prints. */
  tacit(...args: string[]): Promise<string>;
}

/** A small shop, committed, with these files besides. */
export function observedProject(files: Record<string, string> = {}): ObservedProject {
  const root = gitRepository();
  commitFiles(root, { ...shop, ...files });
  const db = join(temporaryFolder(), "memory.db");
  const beginning = Date.now() - 31 * day;
  let count = 0;

  const withMemory = async <T>(work: (memory: TacitMemory) => Promise<T>): Promise<T> => {
    const memory = await openMemory({ db, directory: root, embedder: null });
    try {
      return await work(memory);
    } finally {
      await memory.close();
    }
  };
  const project: ObservedProject = {
    root,
    db,
    session(prompt = "Please have a look at this.") {
      count += 1;
      return agentSession({ id: `session-${count}`, root, at: beginning + count * day, prompt });
    },
    shown: (file) => ({ text: numbered(readFileSync(join(root, file), "utf8")) }),
    learn: (...sessions) =>
      withMemory(async (memory) => {
        for (const session of sessions) {
          const { sessions: reports } = await memory.sessions.replay(session.stream());
          if (reports.length !== 1) throw new Error(`${session.id} was not learned from`);
        }
      }),
    async learnByHooks(session) {
      for (const { at: _at, ...input } of session.hooks()) {
        await run(root, [main, "observe", "--db", db], JSON.stringify(input));
      }
    },
    learnEvents: (events) =>
      withMemory(async (memory) => {
        for (const event of events) memory.observe(event);
      }),
    recallAnew: (question) =>
      withMemory(async (memory) => {
        const all: Recalled[] = [];
        for (const { memory: one } of await memory.recall(question))
          all.push({ ...one, evidence: await memory.review.evidence(one.id) });
        return all;
      }),
    async recallElsewhere(question) {
      const program = `
        import { openMemory } from ${JSON.stringify(built("index.js"))};
        const memory = await openMemory(${JSON.stringify({ db, directory: root, embedder: null })});
        const found = await memory.recall(${JSON.stringify(question)});
        const all = [];
        for (const { memory: one } of found) all.push({ ...one, evidence: await memory.review.evidence(one.id) });
        await memory.close();
        console.log(JSON.stringify(all));`;
      return JSON.parse(await run(root, ["--input-type=module", "-e", program])) as Recalled[];
    },
    allMemories: () => withMemory(async (memory) => memory.list({ status: "any" })),
    allSayings: async () =>
      (await project.allMemories()).map(({ type, status, content }) => `${status} ${type}: ${content}`),
    tacit: (...args) => run(root, [main, ...args, "--db", db]),
  };
  return project;
}

const day = 86_400_000;
const main = fileURLToPath(built("cli/main.js"));

function numbered(text: string): string {
  return text
    .split("\n")
    .map((line, index) => `${String(index + 1).padStart(6)}\t${line}`)
    .join("\n");
}

async function run(cwd: string, args: string[], input = ""): Promise<string> {
  const child = spawn(process.execPath, args, { cwd, stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(input);
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  const code = await new Promise((done) => child.once("close", done));
  if (code !== 0) throw new Error(`node ${args.slice(0, 3).join(" ")} ended with ${String(code)}`);
  return Buffer.concat(chunks).toString("utf8");
}

/** What agents do before anything else, and differently each time. Nothing can be learned from it. */
export function looksAround(session: AgentSession, round: number): AgentSession {
  const file = sights[round % sights.length] as string;
  const word = ["TODO", "deprecated", "logger", "timeout", "retry", "flag"][round % 6] as string;
  session
    .says("I'll first see where things stand.")
    .runs("git status --short", { text: round % 2 === 0 ? "" : " M notes.txt" });
  if (round % 3 === 0) session.runs("ls src", { text: "api\nauth\nbilling\ndb\nshared\nui" });
  if (round % 3 === 1) session.globs("docs/*.md", ["docs/release.md", "docs/style.md"]);
  return session.searches(word, round % 2 === 0 ? [] : [file]).reads(file);
}

/** What agents do at the end: everything is in order, and says so in words that sound like trouble. */
export function wrapsUp(session: AgentSession, round: number): AgentSession {
  if (round % 2 === 0) session.runs("npm run lint", { text: "✖ 0 problems (0 errors, 0 warnings)", tookMs: 4000 });
  return session
    .runs("npm test", { text: `Tests  ${40 + round} passed (${40 + round})\nFailures: 0`, tookMs: 6000 })
    .runs("git diff --stat", { text: " 2 files changed, 9 insertions(+), 3 deletions(-)" })
    .says("Everything passes with 0 errors. Actually, that was quick.");
}

// One a session, so that none of them comes back soon.
const sights = [
  "README.md",
  "docs/release.md",
  "src/ui/button.ts",
  "src/shared/format.ts",
  "docs/style.md",
  "src/ui/page.ts",
  "src/shared/dates.ts",
  "src/ui/table.ts",
];

const shop: Record<string, string> = {
  "README.md": "# Shop\n\nSells things.\n",
  "docs/release.md": "# Release\n\nTag it.\n",
  "docs/style.md": "# Style\n\nShort.\n",
  "package.json": `{ "name": "shop", "type": "module", "scripts": { "test": "vitest run", "lint": "eslint ." } }\n`,
  "tsconfig.json": `{ "compilerOptions": { "strict": true } }\n`,
  "config/rates.yaml": "standard: 0.2\n",
  "config/limits.yaml": "logins: 5\n",
  "src/api/server.ts": `import { routes } from "./routes.js";\nexport const serve = () => routes;\n`,
  "src/api/routes.ts": `import { checkout } from "./checkout.js";\nexport const routes = [checkout];\n`,
  "src/api/checkout.ts": `import { priceOf } from "../billing/price.js";\nexport const checkout = (id: string) => priceOf(id);\n`,
  "src/api/schema.ts": "export const schema = { version: 1 };\n",
  "src/auth/login.ts": `import { readToken } from "./token.js";\nexport const login = (text: string) => readToken(text);\n`,
  "src/auth/token.ts": "export const readToken = (text: string) => text.trim();\n",
  "src/auth/session.ts": "export const lifeMinutes = 30;\n",
  "src/billing/price.ts": `import { rateOf } from "./rates.js";\nexport const priceOf = (id: string) => 100 * rateOf(id);\n`,
  "src/billing/rates.ts": "export const rateOf = (_id: string) => 1.2;\n",
  "src/billing/invoice.ts": `import { priceOf } from "./price.js";\nexport const invoice = (id: string) => ({ id, sum: priceOf(id) });\n`,
  "src/billing/ledger.ts": "export const ledger: string[] = [];\n",
  "src/db/client.ts": "export const client = { query: (sql: string) => sql };\n",
  "src/db/orders.ts": `import { client } from "./client.js";\nexport const orders = () => client.query("select 1");\n`,
  "src/db/users.ts": `import { client } from "./client.js";\nexport const users = () => client.query("select 2");\n`,
  "src/shared/dates.ts": "export const today = () => new Date();\n",
  "src/shared/format.ts": "export const format = (sum: number) => sum.toFixed(2);\n",
  "src/ui/button.ts": "export const button = (text: string) => text;\n",
  "src/ui/page.ts": "export const page = (text: string) => text;\n",
  "src/ui/table.ts": "export const table = (rows: string[]) => rows;\n",
  "test/checkout.test.ts": `import { checkout } from "../src/api/checkout.js";\ncheckout("a");\n`,
  "test/price.test.ts": `import { priceOf } from "../src/billing/price.js";\npriceOf("a");\n`,
};
