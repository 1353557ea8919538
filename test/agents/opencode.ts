import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { inject, onTestFinished } from "vitest";
import type { Memory } from "../../src/index.js";
import { commitFiles, gitRepository } from "../support/git-repository.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { packageFolder } from "./claude-code.js";
import type { ModelRequest, Turn } from "./loopback-model.js";
import { openOpencodeModel } from "./opencode-model.js";

/** What came of one session, or of one message to it. */
export interface Ran {
  printed: string;
  /** What reached the model in it, oldest first. */
  requests: ModelRequest[];
  /** What was asked besides, for a title or a summary. */
  asides: ModelRequest[];
}

/** A computer of somebody who has opencode with Tacit's plug-in, and works on a project. */
export interface OpencodeDesk {
  root: string;
  /** Tacit's folder. */
  home: string;
  /** A session of its own; the model does what the turns say, then it is done. */
  asks(prompt: string, turns?: Turn[]): Promise<Ran>;
  /** An opencode that stays open for several sessions. */
  serves(): Promise<OpencodeServer>;
  tacit(...args: string[]): string;
  /** What is known, without what was said. */
  known(): Memory[];
  /** The sessions that were learned from; waits until there are so many. */
  learned(count: number): Promise<void>;
}

export interface OpencodeServer {
  begins(): Promise<string>;
  says(session: string, text: string, turns?: Turn[]): Promise<Ran>;
  compacts(session: string): Promise<Ran>;
}

// Longer than anything here takes on a slow machine.
const patienceMs = 90_000;

/** Such a desk, with a project of these files, committed, and these options of the plug-in. */
export async function openOpencodeDesk(files: Record<string, string>, options = {}): Promise<OpencodeDesk> {
  const root = gitRepository();
  const model = await openOpencodeModel();
  commitFiles(root, { ...files, "opencode.json": configuration(model.url, options) });
  const home = realpathSync(temporaryFolder());
  const env = environment(home);
  const command = commandOf();
  const tacit = (...args: string[]): string => {
    const main = join(packageFolder(), "dist", "cli", "main.js");
    const ran = spawnSync(process.execPath, [main, ...args], { cwd: root, env, encoding: "utf8", timeout: patienceMs });
    return ran.stdout + ran.stderr;
  };
  const during = async (turns: Turn[], work: () => Promise<string>): Promise<Ran> => {
    const [requests, asides] = [model.requests.length, model.asides.length];
    model.plays(...turns);
    const printed = await work();
    return { printed, requests: model.requests.slice(requests), asides: model.asides.slice(asides) };
  };
  return {
    root,
    home,
    tacit,
    asks: (prompt, turns = []) => during(turns, () => run(command, ["run", prompt], root, env)),
    serves: async () => {
      const ask = await serve(command, root, env);
      const chosen = { providerID: "loopback", modelID: "scripted" };
      return {
        begins: async () => ((await ask("/session", {})) as { id: string }).id,
        says: (session, text, turns = []) =>
          during(turns, async () =>
            JSON.stringify(
              await ask(`/session/${session}/message`, { model: chosen, parts: [{ type: "text", text }] }),
            ),
          ),
        compacts: (session) =>
          during([], async () => JSON.stringify(await ask(`/session/${session}/summarize`, chosen))),
      };
    },
    known: () => {
      const { memories } = JSON.parse(tacit("list", "--json")) as { memories: Memory[] };
      return memories.filter(({ type }) => type !== "conversation" && type !== "archive");
    },
    async learned(count) {
      const end = Date.now() + patienceMs;
      while (Date.now() < end) {
        if ((JSON.parse(tacit("sessions", "--json") || "[]") as unknown[]).length >= count) return;
        await new Promise((wait) => setTimeout(wait, 200));
      }
      throw new Error(`there were never ${count} sessions that were learned from`);
    },
  };
}

/** Where the plug-in is that a stranger has installed, as `tacit install` writes it. */
export function pluginUrl(): string {
  return pathToFileURL(join(packageFolder(), "dist", "agents", "opencode", "opencode.js")).href;
}

function configuration(baseURL: string, options: object): string {
  const scripted = { name: "Scripted", tool_call: true, limit: { context: 100_000, output: 4000 } };
  const loopback = {
    npm: "@ai-sdk/openai-compatible",
    name: "Loopback",
    options: { baseURL, apiKey: "loopback" },
    models: { scripted },
  };
  return JSON.stringify({
    provider: { loopback },
    model: "loopback/scripted",
    small_model: "loopback/scripted",
    share: "disabled",
    plugin: [[pluginUrl(), options]],
  });
}

function commandOf(): string {
  const opencode = inject("opencode");
  if ("missing" in opencode) throw new Error(opencode.missing);
  return opencode.command;
}

/** Nothing of whoever runs the tests: their accounts, settings and memories are none of its business. */
function environment(home: string): NodeJS.ProcessEnv {
  const opencode = inject("opencode");
  return {
    PATH: [dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter),
    HOME: "home" in opencode ? opencode.home : home,
    TACIT_HOME: home,
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
  };
}

async function run(command: string, args: string[], cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const printed: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part: Buffer) => printed.push(part));
  const timer = setTimeout(() => child.kill("SIGKILL"), patienceMs);
  const code = await new Promise((done) => child.once("close", done));
  clearTimeout(timer);
  const text = Buffer.concat(printed).toString("utf8");
  if (code !== 0) throw new Error(`opencode ${args.join(" ")} ended with ${String(code)}: ${text}`);
  return text;
}

/** Starts a server and gives the way to ask it; it is killed when the test ends, as a computer that is switched off does. */
async function serve(
  command: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<(path: string, document: object) => Promise<unknown>> {
  const child = spawn(command, ["serve", "--hostname", "127.0.0.1", "--port", "0"], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(async () => {
    const closed = new Promise((done) => child.once("close", done));
    if (child.kill("SIGKILL")) await closed;
  });
  const url = await listening(child);
  return async (path, document) => {
    const response = await fetch(`${url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(document),
      signal: AbortSignal.timeout(patienceMs),
    });
    return response.json();
  };
}

async function listening(child: ChildProcess): Promise<string> {
  return new Promise((give, fail) => {
    const timer = setTimeout(() => fail(new Error("opencode did not begin to serve")), patienceMs);
    child.stdout?.on("data", (part: Buffer) => {
      const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(part.toString("utf8")) ?? [];
      if (url === undefined) return;
      clearTimeout(timer);
      give(url);
    });
  });
}
