import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { builtFile } from "../../base/built-file.js";
import type { Page } from "../terminal/page.js";
import { agentsAreConnected } from "./tour-agents.js";
import { codeLeavesMemoriesBehind, codeMoves, knowTheCode } from "./tour-code.js";
import { newWordForOld, whatWasSaidStays } from "./tour-conversation.js";
import { agentIsTold } from "./tour-injection.js";
import { agentTeachesIt, strangerSpeaks } from "./tour-learning.js";
import type { Stage } from "./tour-stage.js";

export interface Step {
  title: string;
  run(stage: Stage): Promise<void>;
}

const gotcha =
  "Reading the database file with fs while the same process has it open drops SQLite's locks. Read it from a child process.";

/** What the tour shows, in its order. A new part of Tacit adds its step here. */
export const steps: Step[] = [
  { title: "Where you stand", run: whereYouStand },
  { title: "Remember", run: rememberThings },
  { title: "Ask", run: ask },
  { title: "Ask in other words", run: askInOtherWords },
  { title: "Tell a model", run: tellAModel },
  { title: "Know the code", run: knowTheCode },
  { title: "Code moves, memories follow", run: codeMoves },
  { title: "Code changes, memories are doubted", run: codeLeavesMemoriesBehind },
  { title: "An agent works, and Tacit learns", run: agentTeachesIt },
  { title: "The next agent is told", run: agentIsTold },
  { title: "Your agents", run: agentsAreConnected },
  { title: "A stranger has spoken", run: strangerSpeaks },
  { title: "What was said stays", run: whatWasSaidStays },
  { title: "A newer word", run: newWordForOld },
  { title: "The same thing twice", run: sameThingTwice },
  { title: "Nearly the same", run: nearlyTheSame },
  { title: "A secret slips in", run: secretSlipsIn },
  { title: "The truth changes", run: truthChanges },
  { title: "A name moves", run: nameMoves },
  { title: "A mistake is undone", run: mistakeIsUndone },
  { title: "Forget, and think again", run: forgetAndRestore },
  { title: "What nobody uses fades", run: unusedFades },
  { title: "Take it along", run: takeAlong },
  { title: "Two at once", run: twoAtOnce },
  { title: "Erase for good", run: eraseForGood },
  { title: "Is all well?", run: isAllWell },
];

async function whereYouStand(stage: Stage): Promise<void> {
  stage.say(
    "Memories belong to a project. Tacit knows the one you stand in by its git remote, or else by its folder, so clones and worktrees share one memory.",
  );
  await stage.tacit("project");
}

async function rememberThings(stage: Stage): Promise<void> {
  stage.say(
    "Four things learned while building Tacit, each with its type: a trap, a decision, a road that led nowhere, a habit.",
  );
  await stage.tacit("remember", gotcha, "--type", "gotcha", "--file", "src/storage/connect.ts");
  await stage.tacit(
    "remember",
    "One local file and no daemon: every process opens it, and the database decides races.",
    "--type",
    "decision",
    "--name",
    "one-file",
  );
  await stage.tacit(
    "remember",
    "Transactions that read first and write later failed under contention.",
    "--type",
    "dead_end",
    "--data",
    JSON.stringify({
      approachTried: "deferred transactions",
      whyItFailed: "1,108 of 1,200 ended in SQLITE_BUSY",
      alternativeUsed: "BEGIN IMMEDIATE",
      taskContext: "several processes writing at once",
    }),
  );
  await stage.tacit(
    "remember",
    "Test names are sentences; a test sits beside what it tests.",
    "--type",
    "convention",
    "--tag",
    "tests",
  );
}

async function ask(stage: Stage): Promise<void> {
  stage.say(
    "A later session asks. Each answer says how well it fits, and which words matched. With --words no model is called, not even the small one that comes with Tacit.",
  );
  await stage.tacit("recall", "can I read the database file with fs?", "--limit", "2", "--words");
  const answer = await stage.document("recall", "how should tests be named?", "--limit", "1", "--words");
  await stage.tacit("recall", "how should tests be named?", "--limit", "1", "--words");
  stage.check("the right memory came first", answer.results[0]?.memory.type === "convention");
}

async function askInOtherWords(stage: Stage): Promise<void> {
  stage.say(
    "Nobody remembers how it was put. The bundled model gives every memory a vector, on this machine; then a question finds what means the same, without a word in common. --explain tells how it was found and weighed.",
  );
  const question = "which background service has to run?";
  await stage.tacit("embed");
  let answer = await stage.document("recall", question, "--limit", "1");
  // The model has two seconds for a question, which a machine that is busy with something else needs to load it.
  for (let asked = 1; answer.mode === "words" && asked < 5; asked++) {
    answer = await stage.document("recall", question, "--limit", "1");
  }
  const { mode, results } = answer;
  await stage.tacit("recall", question, "--limit", "1", "--explain");
  stage.check(
    "found by its meaning alone",
    mode === "hybrid" && results[0]?.memory.name === "one-file" && results[0].matched.length === 0,
  );
}

async function tellAModel(stage: Stage): Promise<void> {
  stage.say(
    "What is found becomes one text for a model: within a budget of tokens, weighed for what the agent is doing, each with its citation.",
  );
  const line = ["recall", "what is worth knowing about the database?", "--phase", "implement", "--pack", "120"];
  await stage.tacit(...line);
  const { text, tokens, included } = await stage.document(...line);
  stage.check(
    `${included.length} memories in ${tokens} of 120 tokens, each cited`,
    tokens <= 120 && included.length > 0 && text.split("[Memory #").length - 1 === included.length,
  );
}

async function sameThingTwice(stage: Stage): Promise<void> {
  stage.say("Another session learns the same thing, and breaks the line elsewhere. It is one memory, not two.");
  await stage.tacit("remember", gotcha.replace(". ", ".\n"), "--type", "gotcha");
  const { memories } = await stage.document("list", "--type", "gotcha");
  stage.check("there is still one", memories.length === 1);
}

async function nearlyTheSame(stage: Stage): Promise<void> {
  stage.say("Another subject is another fact. Tacit never merges what only looks alike.");
  await stage.tacit("remember", "The example server listens on port 8080", "--type", "fact");
  await stage.tacit("remember", "The example panel listens on port 8081", "--type", "fact");
  const { memories } = await stage.document("list", "--type", "fact");
  const both = memories.filter(({ content }: { content: string }) => content.startsWith("The example "));
  stage.check("both are kept", both.length === 2);
}

async function secretSlipsIn(stage: Stage): Promise<void> {
  // Put together here, so that no scanner takes this file for a leak.
  const password = ["made", "up", "4", "the", "tour"].join("-");
  stage.say("Somebody pastes a password (this one is made up). It is taken out before anything touches the disk.");
  await stage.tacit(
    "remember",
    `Staging is at postgres://app:${password}@staging.internal/app`,
    "--type",
    "fact",
    "--tag",
    "staging",
  );
  stage.check("the password is nowhere in the files of the store", stage.countInFiles(password) === 0);
}

async function truthChanges(stage: Stage): Promise<void> {
  stage.say("What was true yesterday is not deleted; it steps back, and only the new answer comes.");
  await stage.tacit("remember", "Tacit runs on Node 18", "--name", "node-version");
  await stage.tacit("supersede", "node-version", "Tacit needs Node 20.19 or newer");
  await stage.tacit("recall", "which Node version?");
  const { results } = await stage.document("recall", "which Node version?");
  stage.check("the old answer no longer comes", results.length > 0 && !JSON.stringify(results).includes("Node 18"));
}

async function nameMoves(stage: Stage): Promise<void> {
  stage.say(
    "A name works wherever an id does, and means one memory. A memory may have several; taking one from another memory has to be said.",
  );
  await stage.tacit("alias", "node-version", "runtime");
  await stage.tacit("remember", "The builds run on Node 22", "--name", "runtime");
  await stage.tacit("remember", "The builds run on Node 22", "--name", "runtime", "--rebind");
  const [named, before] = [await stage.document("show", "runtime"), await stage.document("show", "node-version")];
  stage.check(
    "the name means the new memory, and no longer the old one",
    named.content === "The builds run on Node 22" && !before.aliases.includes("runtime"),
  );
}

async function mistakeIsUndone(stage: Stage): Promise<void> {
  stage.say("Every change of a memory is kept with what was there before, and any one of them can be taken back.");
  const { content } = await stage.document("show", "node-version");
  await stage.tacit("edit", "node-version", "Tacit needs Node 2 or newer");
  await stage.tacit("history", "node-version");
  await stage.tacit("undo", "node-version");
  const after = await stage.document("show", "node-version");
  stage.check("the text is what it was before the slip", after.content === content && !content.includes("Node 2 or"));
}

async function forgetAndRestore(stage: Stage): Promise<void> {
  stage.say("Forgetting can be undone for 30 days.");
  await stage.tacit("forget", "one-file");
  await stage.tacit("recall", "daemon");
  await stage.tacit("restore", "one-file");
}

async function unusedFades(stage: Stage): Promise<void> {
  stage.say(
    "A trap that nobody has met for months may be gone. What can go stale fades while it is not used, and after three half-lives it is let go, to be restored for 30 days. The tour cannot move the clock, so here are the half-lives, and nothing to prune.",
  );
  await stage.tacit("types");
  await stage.tacit("prune", "--dry-run");
  const { memories } = await stage.document("list", "--type", "gotcha");
  const { faded, evicted, purged } = await stage.document("prune", "--dry-run");
  stage.check("the gotcha has a half-life of 60 days", memories[0]?.halfLifeDays === 60);
  stage.check(
    "what is new stays",
    [faded, evicted, purged].every((gone) => gone.length === 0),
  );
}

async function takeAlong(stage: Stage): Promise<void> {
  stage.say(
    "Memories travel: out in one file, with their history, and in again elsewhere. Colleagues get theirs through git; here is what would be written for them.",
  );
  const [out, elsewhere, again] = [stage.file("memories.jsonl"), stage.file("elsewhere.db"), stage.file("again.jsonl")];
  await stage.tacit("export", "--output", out);
  await stage.tacit("import", out, "--trust", "--db", elsewhere);
  await stage.document("export", "--output", again, "--db", elsewhere);
  stage.check("what comes out there is the same, to the byte", readFileSync(out).equals(readFileSync(again)));
  await stage.tacit("edit", "one-file", "--visibility", "project");
  await stage.tacit("share", "--dry-run");
}

async function twoAtOnce(stage: Stage): Promise<void> {
  const writes = 6;
  stage.say(
    `Agents work side by side. Two writers now run tacit remember ${writes} times each, at the same moment, on the same file.`,
  );
  const writer = async (name: string): Promise<number> => {
    let acknowledged = 0;
    for (let count = 1; count <= writes; count++) {
      const text = `Writer ${name} was here, time ${count}`;
      acknowledged += await stage.document("remember", text, "--tag", "side-by-side").then(
        () => 1,
        () => 0,
      );
    }
    return acknowledged;
  };
  const acknowledged = (await Promise.all([writer("one"), writer("two")])).reduce((sum, count) => sum + count, 0);
  const { memories } = await stage.document("list", "--tag", "side-by-side");
  stage.check(
    `${acknowledged} writes were acknowledged, ${memories.length} are there`,
    acknowledged === memories.length && acknowledged === 2 * writes,
  );
}

async function eraseForGood(stage: Stage): Promise<void> {
  // Not in one piece: the index of this very code would hold it.
  const word = ["zanzibar", "quartz"].join("");
  stage.say("Forgetting hides; purging erases. Here the raw bytes of the store's files are searched before and after.");
  await stage.tacit("remember", `The codename is ${word}`, "--name", "codename");
  const before = stage.countInFiles(word);
  await stage.tacit("purge", "codename", "--yes");
  const after = stage.countInFiles(word);
  stage.check(
    `"${word}" stood in the files ${before} times before, and ${after} times after`,
    before > 0 && after === 0,
  );
}

async function isAllWell(stage: Stage): Promise<void> {
  stage.say("The doctor checks the file, the rows and every index that is made from them.");
  await stage.tacit("doctor");
  stage.check("nothing is broken", (await stage.document("doctor")).ok === true);
}

export function openingWords(page: Page): string {
  return [
    page.paint("bold", "Tacit: memory for AI coding agents"),
    "",
    "Everything below really happens: each line after $ runs the real command, in a temporary home",
    "that is deleted at the end. Your own memories are not touched, and nothing leaves this machine.",
  ].join("\n");
}

export function closingWords(page: Page, ok: boolean): string {
  const fromSource = existsSync(fileURLToPath(builtFile("../src")));
  const next: [string, string][] = [
    ...(fromSource ? [["npm install --global .", "puts the command tacit on your path"] as [string, string]] : []),
    ['tacit remember "…" --type gotcha', "keep the first thing worth knowing"],
    ['tacit recall "…"', "find it again"],
    ["tacit init", "learn a project: its code, and the sessions that agents had there"],
    ["tacit types", "the kinds of memories there are"],
    ["tacit help", "every command"],
  ];
  return [
    "",
    page.paint("bold", "What to do next"),
    ...next.map(([line, purpose]) => `  ${page.paint("cyan", line.padEnd(34))}${purpose}`),
    "",
    "README.md shows five minutes of use; docs/ holds the architecture, the glossary and the promises.",
    ...(ok
      ? []
      : [
          "",
          page.paint(
            "red",
            "Some of what the tour promises did not hold here. Please report it, with what you see above.",
          ),
        ]),
  ].join("\n");
}
