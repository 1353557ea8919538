// `node bench/same-store.mjs OTHER`: whether this version and another one (its `dist/cli/main.js`, or the folder it is installed in) say
// the same of one store. Each writes a store; both read copies of it.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { join, resolve } from "node:path";
import { temporaryFolder } from "./measure.mjs";

const here = join(import.meta.dirname, "..", "dist", "cli", "main.js");
const given = resolve(process.argv[2] ?? "");
const other = given.endsWith(".js") ? given : join(given, "dist", "cli", "main.js");
if (!process.argv[2] || !existsSync(other)) {
  console.error("Name the other version: node bench/same-store.mjs ../tacit-0.9.0");
  process.exit(2);
}

const folder = temporaryFolder();
const project = join(folder.path, "project");
mkdirSync(join(project, "src"), { recursive: true });
writeFileSync(
  join(project, "src", "http.ts"),
  "export class Client {\n  send(retries: number) { return retry(retries); }\n}\nfunction retry(n: number) { return n; }\n",
);
writeFileSync(
  join(project, "src", "jobs.ts"),
  'import { Client } from "./http.js";\nexport const nightly = () => new Client().send(3);\n',
);

const writes = [
  ["index"],
  ["remember", "Retries must be idempotent", "--type", "gotcha", "--file", "src/http.ts", "--name", "retries"],
  ["remember", "We deploy on Tuesdays after the stand-up", "--type", "decision", "--tag", "deploy"],
  ["remember", "The cache is warmed by `nightly` in src/jobs.ts", "--type", "module_insight", "--file", "src/jobs.ts"],
  ["remember", "Ports below 1024 need root", "--type", "fact", "--project", "user"],
  ["supersede", "retries", "Retries must be idempotent, at most three"],
  ["alias", "retries", "retry-rule"],
  ["relate", "retries", "applies_pattern", "src/http.ts#Client.send"],
  ["pattern", "retry", "--applies-to", "src/http.ts"],
  ["flag", "retries", "--reason", "three is too many"],
  ["verify", "retries"],
  ["chat", "log", "s1", "user", "Remember that releases are cut from main"],
  ["chat", "log", "s1", "assistant", "Releases are cut from main, noted"],
  ["chat", "compact", "s1", "--keep", "0"],
];
const reads = [
  ["list"],
  ["recall", "how do retries work", "--words"],
  ["recall", "when do we deploy", "--words"],
  ["show", "retries"],
  ["history", "retries"],
  ["impact", "src/http.ts"],
  ["graph"],
  ["pattern"],
  ["chat", "list"],
  ["chat", "window", "s1"],
  ["project"],
  ["stats"],
  ["export"],
  ["doctor"],
];

const differences = [];
let compared = 0;
for (const [writer, name] of [
  [other, "other"],
  [here, "this"],
]) {
  const home = join(folder.path, `written-by-${name}`);
  const refused = writes.filter((line) => run(writer, home, line).status !== 0).map((line) => line.join(" "));
  if (refused.length > 0) console.log(`${name} refused to write: ${refused.join(" · ")}`);
  const answers = [here, other].map((reader, at) => {
    // Reading may migrate, and counts what was read.
    const copy = `${home}-read-by-${at === 0 ? "this" : "other"}`;
    cpSync(home, copy, { recursive: true });
    return reads.map((line) => answer(run(reader, copy, line)));
  });
  if (answers[1].some(({ said }) => said.some((text) => text.includes('"store-newer"')))) {
    console.log(`written by ${name}: the other version knows only an older schema, and says so.`);
    continue;
  }
  reads.forEach((line, at) => {
    const [ours, theirs] = answers.map((list) => list[at]);
    const isSame = isDeepStrictEqual(ours, theirs);
    compared += 1;
    console.log(`written by ${name}: tacit ${line.join(" ")}: ${isSame ? "same" : "DIFFERENT"}`);
    if (!isSame) differences.push({ writer: name, line: line.join(" "), ours, theirs });
  });
}
folder.remove();
for (const { writer, line, ours, theirs } of differences) {
  console.log(
    `\nwritten by ${writer}: tacit ${line}\nthis:  ${JSON.stringify(ours)?.slice(0, 1500)}\nother: ${JSON.stringify(theirs)?.slice(0, 1500)}`,
  );
}
console.log(`${differences.length} of ${compared} answers differ.`);
process.exitCode = differences.length > 0 ? 1 : 0;

function run(main, home, line) {
  const env = { ...process.env, TACIT_HOME: home, HOME: folder.path, TACIT_EMBEDDING: "none" };
  return spawnSync(process.execPath, [main, ...line, "--json"], { cwd: project, env, encoding: "utf8" });
}

/** What was answered, without what differs from one moment, process or folder to the next. */
function answer({ stdout, stderr, status }) {
  const texts = [stdout, stderr].map((text) =>
    text
      .replaceAll(/written-by-[\w-]+/g, "HOME")
      .replaceAll(
        /"(?:bytes|ms|took|age|freshness|score|currentConfidence|lastAccessedAt|accessCount)":\s*[\d.e-]+/g,
        '"$":0',
      )
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
      .replaceAll(/\d+(?:\.\d+)? (?:ms|s|KB|MB|KiB|MiB)\b/g, "AMOUNT"),
  );
  return { status, said: texts };
}
