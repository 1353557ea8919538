import { spawn, spawnSync } from "node:child_process";
import { realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { inject } from "vitest";
import { commitFiles, gitRepository } from "../support/git-repository.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { openLoopbackModel, type ModelRequest, type Turn } from "./loopback-model.js";

/** What came of one run of Claude Code. */
export interface Ran {
  printed: string;
  /** What reached the model in it, oldest first. */
  requests: ModelRequest[];
}

/** A computer of somebody who has installed Claude Code, Tacit and its plug-in, and works on a project. */
export interface Desk {
  root: string;
  /** Tacit's folder. */
  home: string;
  /** A session of its own, or another part of one; the model does what the turns say, then it is done. */
  asks(prompt: string, turns?: Turn[], options?: { resume?: string; flags?: string[] }): Promise<Ran>;
  /** One run in which a person says one thing after the other, each when the one before is answered; `/compact` too. */
  says(
    messages: readonly string[],
    turns?: Turn[],
    options?: {
      flags?: string[];
      /** How many answers end it, where more come than were asked for: of a prompt that was scheduled, for example. */
      answers?: number;
    },
  ): Promise<Ran>;
  claude(...args: string[]): { code: number | null; printed: string };
  tacit(...args: string[]): string;
  /** The sessions that were learned from; waits until there are so many, since that happens behind a session's back. */
  learned(count: number): Promise<void>;
}

// Longer than anything here takes on a slow machine; a hook that hangs would use it up.
const patienceMs = 60_000;
// A schedule counts whole minutes.
const scheduledMs = 90_000;
const tools = "Bash,CronCreate,Edit,Read,Write,ToolSearch,WebFetch,mcp__plugin_tacit_tacit";

/** Such a desk, with a project of these files, committed. */
export async function openDesk(files: Record<string, string>): Promise<Desk> {
  const root = gitRepository();
  commitFiles(root, files);
  const [own, home] = [realpathSync(temporaryFolder()), realpathSync(temporaryFolder())];
  const model = await openLoopbackModel();
  const env = environment(own, home, model.url);
  const run = (command: string, args: string[]) => {
    const { status, stdout, stderr } = spawnSync(command, args, {
      cwd: root,
      env,
      encoding: "utf8",
      timeout: patienceMs,
    });
    return { code: status, printed: stdout + stderr };
  };
  const desk: Desk = {
    root,
    home,
    claude: (...args) => run("claude", args),
    tacit: (...args) => run("tacit", args).printed,
    async asks(prompt, turns = [], { resume, flags = [] } = {}) {
      const before = model.requests.length;
      model.plays(...turns);
      const going = resume === undefined ? [] : ["--resume", resume];
      const printed = await talk(["-p", prompt, "--allowedTools", tools, ...going, ...flags], root, env);
      return { printed, requests: model.requests.slice(before) };
    },
    async says(messages, turns = [], { flags = [], answers = messages.length } = {}) {
      const before = model.requests.length;
      model.plays(...turns);
      const printed = await talk([...spoken, "--allowedTools", tools, ...flags], root, env, { messages, answers });
      return { printed, requests: model.requests.slice(before) };
    },
    async learned(count) {
      const end = Date.now() + patienceMs;
      while (Date.now() < end) {
        const sessions = JSON.parse(run("tacit", ["sessions", "--json"]).printed || "[]") as unknown[];
        if (sessions.length >= count) return;
        await new Promise((wait) => setTimeout(wait, 200));
      }
      throw new Error(`there were never ${count} sessions that were learned from`);
    },
  };
  return desk;
}

/** Adds Tacit's plug-in as the README says. */
export function installPlugin(desk: Desk): string {
  const added = desk.claude("plugin", "marketplace", "add", packageFolder());
  return added.printed + desk.claude("plugin", "install", "tacit@tacit").printed;
}

/** Where the package is that a stranger has installed. */
export function packageFolder(): string {
  return join(inject("installedIn"), "node_modules", "tacit-memory");
}

/** Nothing of whoever runs the tests: their accounts, settings and memories are none of its business. */
function environment(own: string, home: string, model: string): NodeJS.ProcessEnv {
  const installed = inject("claudeCode");
  const paths = [
    join(inject("installedIn"), "node_modules", ".bin"),
    dirname(process.execPath),
    ...("bin" in installed ? [installed.bin] : []),
    process.env["PATH"] ?? "",
  ];
  return {
    PATH: paths.join(delimiter),
    HOME: own,
    TACIT_HOME: home,
    TACIT_EMBEDDING: "none",
    ANTHROPIC_BASE_URL: model,
    ANTHROPIC_API_KEY: "loopback",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_TELEMETRY: "1",
  };
}

const spoken = ["-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose"];

async function talk(
  args: string[],
  cwd: string,
  env: NodeJS.ProcessEnv,
  { messages, answers }: { messages: readonly string[]; answers: number } = { messages: [], answers: 0 },
): Promise<string> {
  const child = spawn("claude", args, { cwd, env, stdio: ["pipe", "pipe", "pipe"] });
  const printed: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => printed.push(chunk));
  const left = [...messages];
  let open = answers;
  const sayNext = () => {
    const content = left.shift();
    if (content !== undefined) {
      child.stdin.write(`${JSON.stringify({ type: "user", message: { role: "user", content } })}\n`);
    } else if (open <= 0) child.stdin.end();
  };
  createInterface({ input: child.stdout }).on("line", (line) => {
    if (!line.includes('"type":"result"')) return;
    open -= 1;
    sayNext();
  });
  sayNext();
  const timer = setTimeout(() => child.kill("SIGKILL"), patienceMs + (answers > messages.length ? scheduledMs : 0));
  const code = await new Promise((done) => child.once("close", done));
  clearTimeout(timer);
  const text = Buffer.concat(printed).toString("utf8");
  if (code !== 0) throw new Error(`claude ${args.slice(0, 2).join(" ")} ended with ${String(code)}: ${text}`);
  return text;
}
