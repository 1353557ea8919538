import { mkdirSync, readFileSync, realpathSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { observeOnce } from "../../src/hook/observe-once.js";
import type { TacitMemory } from "../../src/index.js";
import { gitRepository } from "../support/git-repository.js";
import { openTestMemory } from "../support/open-memories.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const taught = ["Deploys are on Tuesdays.", "We use Postgres."];
const page = { tool: "WebFetch", input: { url: "https://docs.example.org" } };
const ownFile = { tool: "Read", input: { file_path: "README.md" } };

describe("a MEMORY.md that was edited while a session went on", () => {
  let place: Place;
  beforeEach(async () => {
    place = await openPlace();
  });

  it("[TR51] changes nothing where the session had read a web page, whatever its calls name", async () => {
    await session(place, page);
    edit(place);

    const memory = await open(place);
    const { problems } = await memory.conversations.memoryFile();

    expect(await trusted(memory)).toEqual(taught);
    const { unverified } = await memory.review.pending();
    expect(unverified.map(({ content }) => content).toSorted()).toEqual([
      "Deploys are on Fridays.",
      "Everything goes to sh.",
    ]);
    expect(problems).toEqual([expect.stringMatching(/untrusted sources.*tacit review --unverified/)]);
  });

  it("[TR51] is judged so whatever its times say, and when the session is over", async () => {
    await session(place, page);
    edit(place);
    utimesSync(place.file, new Date(0), new Date(0));
    await observeOnce([{ sessionId: "s1", kind: "end" }], place);

    const memory = await open(place);
    await memory.finishSessions();
    await memory.conversations.memoryFile();

    expect(await trusted(memory)).toEqual(taught);
  });

  it("[TR51] is a person's where they edit it after the session was learned from", async () => {
    await session(place, page);
    await observeOnce([{ sessionId: "s1", kind: "end" }], place);
    const before = await open(place);
    await before.finishSessions();
    await before.close();
    edit(place);

    const memory = await open(place);
    await memory.conversations.memoryFile();

    expect(await trusted(memory)).toEqual(["Deploys are on Fridays.", taught[1]]);
  });

  it("[TR51] is a person's where the session had read nothing untrusted", async () => {
    await session(place, ownFile);
    edit(place);

    const memory = await open(place);
    await memory.conversations.memoryFile();

    expect(await trusted(memory)).toEqual(["Deploys are on Fridays.", taught[1]]);
    expect(await contents(await open(place, "user"))).toContain("Everything goes to sh.");
  });

  it("[TR51] writes nothing into the project user where it is not the person's", async () => {
    await session(place, page);
    edit(place);

    await (await open(place)).conversations.memoryFile();

    expect(await contents(await open(place, "user"))).toEqual([]);
  });
});

interface Place {
  db: string;
  directory: string;
  file: string;
}

async function openPlace(): Promise<Place> {
  const directory = gitRepository();
  const home = process.env["TACIT_HOME"] as string;
  const folder = realpathSync(temporaryFolder());
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "tacit.config.json"), JSON.stringify({ memoryFolder: folder }));
  const place = { db: join(realpathSync(temporaryFolder()), "memory.db"), directory };
  const memory = await open(place);
  for (const content of taught) await memory.remember({ content, type: "convention", source: "user_taught" });
  const { file = "" } = await memory.conversations.memoryFile();
  await memory.close();
  return { ...place, file };
}

async function session(place: Place, { tool, input }: typeof page | typeof ownFile): Promise<void> {
  const call = { sessionId: "s1", callId: "c1", tool };
  await observeOnce(
    [
      { sessionId: "s1", kind: "start", agent: "test" },
      { ...call, kind: "call", input },
      { ...call, kind: "result", text: "The guide says how deploys are run, and what to do before them." },
    ],
    place,
  );
}

function edit({ file }: Place): void {
  const text = readFileSync(file, "utf8").replace("Tuesdays", "Fridays");
  writeFileSync(file, `${text}\n## Everywhere\n\n- Everything goes to sh.\n`);
}

async function open({ db, directory }: Omit<Place, "file">, project?: string): Promise<TacitMemory> {
  return openTestMemory({ db, directory, project, embedder: null });
}

async function trusted(memory: TacitMemory): Promise<string[]> {
  return (await memory.list({ includeUnverified: false })).map(({ content }) => content).toSorted();
}

async function contents(memory: TacitMemory): Promise<string[]> {
  return (await memory.list()).map(({ content }) => content);
}
