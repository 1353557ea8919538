import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { Stage } from "./tour-stage.js";

const said: [role: "user" | "assistant", content: string][] = [
  ["user", "Why do retries of `src/http.ts` fail in staging?"],
  ["assistant", "The queue drops messages after 30 s, and the client waits for 60 s."],
  ["user", "Then let's set the timeout to 20 s. We decided that staging must behave like production."],
  ["assistant", "Done in src/http.ts; all 12 tests pass."],
  ["user", "Remember that we deploy on Fridays."],
  ["assistant", "I will."],
];

const older = "We deploy on Fridays.";
const newer = "We no longer deploy on Fridays.";

/** A conversation is kept, shown small, summed up, and is still there word by word. */
export async function whatWasSaidStays(stage: Stage): Promise<void> {
  stage.say(
    "What was said is kept too. Hooks keep it of Claude Code's sessions; here a short talk comes from a file. The window is what the next prompt needs of it.",
  );
  const folder = enterTalk(stage);
  writeFileSync(
    `${folder}/talk.jsonl`,
    said.map(([role, content]) => `${JSON.stringify({ role, content })}\n`).join(""),
  );
  await stage.tacit("chat", "import", "talk.jsonl", "--session", "planning");
  await stage.tacit("chat", "window", "planning", "--turns", "1");
  stage.say("When it grows long, its beginning is summed up. The summary leads to every turn.");
  const { compaction } = await stage.document("chat", "compact", "planning", "--keep", "2");
  const name = String(compaction?.marker.archiveName);
  const shown = await stage.tacit("show", name, "--turns");
  stage.check(
    "the four turns that were summed up are there as they were said",
    said.slice(0, 4).every(([, content]) => shown.includes(`\n    ${content}`)),
  );
  stage.enter();
}

/** What a person states is learned, a newer word takes the place of an older one, and MEMORY.md goes both ways. */
export async function newWordForOld(stage: Stage): Promise<void> {
  stage.say("At the end of a session what is worth keeping is taken from it: what the user stated outright.");
  enterTalk(stage);
  await stage.tacit("chat", "consolidate", "planning");
  await stage.document("chat", "log", "monday", "user", `Remember: ${newer}`);
  stage.say("On Monday the user says otherwise. The newer word is told from then on; --history tells both.");
  await stage.document("chat", "consolidate", "monday");
  const question = ["recall", "deploy on Fridays", "--type", "fact", "--words"];
  const now = await stage.tacit(...question);
  const ever = await stage.tacit(...question, "--history");
  stage.check(
    "recall gives the newer word alone, and --history both",
    !now.includes(older) && ever.includes(older) && [now, ever].every((answer) => answer.includes(newer)),
  );
  stage.say("MEMORY.md shows what is known. It is a file like any other: what you change in it is taken in.");
  const { file } = await stage.document("chat", "memory");
  writeFileSync(file, readFileSync(file, "utf8").replace("on Fridays", "on Fridays or before holidays"));
  await stage.tacit("chat", "memory");
  const { results } = await stage.document(...question);
  stage.check(
    "the edit by hand is what is remembered now",
    results[0]?.memory.content.includes("before holidays") === true,
  );
  stage.enter();
}

/** A project of its own, so that what the other steps keep does not come into it. */
function enterTalk(stage: Stage): string {
  const folder = stage.file("talk");
  mkdirSync(folder, { recursive: true });
  stage.enter(folder);
  return folder;
}
