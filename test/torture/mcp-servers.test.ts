// Eight agents, each with its own server, on one file. What was acknowledged must be there, and nobody is told to wait.
import { join } from "node:path";
import { expect, it } from "vitest";
import { openMemory } from "../../src/index.js";
import { connectTo, type Connected } from "../support/mcp-client.js";
import "../support/own-home.js";
import { tacit, temporaryFolder } from "./programs.js";
import { isFull, report } from "./scale.js";
import { randomFrom, sentence } from "./sentence.mjs";

const servers = 8;
const callsOfEach = isFull ? 1000 : 40;
// As an agent sends them that calls several tools in one turn.
const atOnce = 4;

interface Log {
  kept: Map<string, string>;
  forgotten: Set<string>;
  errors: string[];
  unseen: string[];
  calls: number;
}

it("[A3] loses nothing and refuses nobody when eight MCP servers are called at once", async () => {
  const db = join(temporaryFolder(), "memory.db");
  const args = ["--db", db, "--project", "p"];
  const connected = await Promise.all(
    Array.from({ length: servers }, (_, index) => connectTo({ args, kind: index % 2 === 0 ? "v1" : "v2" })),
  );
  const begun = Date.now();

  const logs = await Promise.all(connected.map(async (one, index) => callMany(one, index)));
  const took = Date.now() - begun;
  await Promise.all(connected.map(({ client }) => client.close()));

  const memory = await openMemory({ db, project: "p", embedder: null });
  const stored = new Map((await memory.list()).map(({ id, content }) => [id, content]));
  await memory.close();
  const lost = logs.flatMap(({ kept }) => [...kept].filter(([id, content]) => stored.get(id) !== content));
  const undead = logs.flatMap(({ forgotten }) => [...forgotten].filter((id) => stored.has(id)));
  const acknowledged = logs.reduce((sum, { kept, forgotten }) => sum + kept.size + forgotten.size, 0);
  report(
    `${servers} MCP servers: ${logs.reduce((sum, { calls }) => sum + calls, 0)} calls, ${acknowledged} memories ` +
      `acknowledged, ${lost.length} lost, ${logs.flatMap(({ errors }) => errors).length} errors, ${took} ms`,
  );
  expect(logs.flatMap(({ errors }) => errors)).toEqual([]);
  expect(logs.flatMap(({ unseen }) => unseen)).toEqual([]);
  expect(logs.map(({ calls }) => calls)).toEqual(Array.from({ length: servers }, () => callsOfEach));
  expect(lost).toEqual([]);
  expect(undead).toEqual([]);
  expect(stored.size).toBe(logs.reduce((sum, { kept }) => sum + kept.size, 0));
  const { checks } = JSON.parse((await tacit(["doctor", "--json", ...args])).stdout) as {
    checks: { status: string }[];
  };
  expect(checks.filter(({ status }) => status === "broken")).toEqual([]);
});

/** Half of the calls remember; the others recall what was kept, forget some of it, or ask for what else there is. */
async function callMany(connected: Connected, server: number): Promise<Log> {
  const log: Log = { kept: new Map(), forgotten: new Set(), errors: [], unseen: [], calls: 0 };
  const random = randomFrom(server);
  for (let index = 0; index < callsOfEach; index += atOnce) {
    const turn = Array.from({ length: Math.min(atOnce, callsOfEach - index) }, (_, offset) => index + offset);
    await Promise.all(turn.map(async (call) => callOne(connected, log, random, `server${server}call${call}`, call)));
  }
  return log;
}

async function callOne(
  { call, client }: Connected,
  log: Log,
  random: () => number,
  mark: string,
  index: number,
): Promise<void> {
  const told = async (name: string, args: Record<string, unknown>) => {
    log.calls++;
    const answer = await call(name, args);
    if (answer.isError) log.errors.push(`${name}: ${answer.text}`);
    return answer;
  };
  try {
    const [id, content] = [...log.kept].at(Math.floor(random() * log.kept.size)) ?? [];
    if (index % 2 === 0 || id === undefined || content === undefined) {
      const text = sentence(random, mark);
      const { structured } = await told("remember", { content: text, type: "fact" });
      log.kept.set(String(structured?.["id"]), text);
    } else if (index % 16 === 1) {
      log.kept.delete(id);
      await told("forget", { id });
      log.forgotten.add(id);
    } else if (index % 8 === 3) {
      await told("session_context", { task: content });
    } else if (index % 8 === 5) {
      log.calls++;
      await client.readResource({ uri: `tacit://memory/${id}` });
    } else {
      const { structured } = await told("recall", { query: content, limit: 20 });
      const found = structured?.["memories"] as { id: string }[] | undefined;
      if (!found?.some((memory) => memory.id === id) && log.kept.has(id)) log.unseen.push(content);
    }
  } catch (error) {
    log.errors.push(`${mark}: ${String(error)}`);
  }
}
