// How many secrets are redacted before a text is stored, how many lines of real prose and code are taken for secrets, and
// what cleaning an ordinary sentence costs.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { rules } from "@secretlint/secretlint-rule-preset-recommend";
import { cleanText } from "../build/hygiene/hygiene.js";
import { makers } from "./secret-makers.mjs";
import { otherSamples, secretlintSamples } from "./secret-samples.mjs";

const nodeModules = join(import.meta.dirname, "..", "node_modules");
const corpusBytes = 2_000_000;
const fileBytes = 32_000;
const sentenceCount = 100_000;

export async function measureSecrets() {
  const [documented, generated, others] = [documentedSamples(), secretlintSamples(), otherSamples()];
  for (const { kind, text, file } of generated) {
    if (runRule(kind, text, file).length === 0) throw new Error(`secretlint does not know this sample of ${kind}`);
  }
  const bySecretlint = await recallOf("secretlint's rules", [...documented, ...generated]);
  const byUs = await recallOf("other kinds", others);
  const { lines, redacted } = await redactedLines();
  console.log(`Redacted lines of node_modules, the first 20 of ${redacted.length}:`);
  for (const line of redacted.slice(0, 20)) console.log(`  ${line}`);
  return [
    { what: `secretlint's samples (${bySecretlint.samples}), % redacted`, value: bySecretlint.recall, atLeast: 95 },
    { what: "the rule of secretlint that does worst, % redacted", value: bySecretlint.worst },
    { what: `samples of other kinds (${byUs.samples}), % redacted`, value: byUs.recall, atLeast: 95 },
    { what: `lines of node_modules (${lines}), % redacted`, value: (100 * redacted.length) / lines, atMost: 0.1 },
    { what: "cleaning a sentence of 80 to 200 characters, µs", value: await microsecondsPerSentence(), atMost: 20 },
  ];
}

/** What the rules find in the files of their own package: the examples in its documentation and comments. */
function documentedSamples() {
  const folder = join(nodeModules, "@secretlint", "secretlint-rule-preset-recommend");
  const texts = ["README.md", "module/index.js"].map((file) => readFileSync(join(folder, file), "utf8"));
  return rules.flatMap(({ meta }) => {
    const kind = meta.id.replace(/^.*secretlint-rule-/, "");
    if (kind === "filter-comments") return [];
    const secrets = texts.flatMap((text) => runRule(kind, text, "text.txt"));
    return secrets.map((secret) => ({ kind, secret, text: `For example ${secret}, as documented.` }));
  });
}

function runRule(kind, content, filePath) {
  const rule = rules.find(({ meta }) => meta.id.endsWith(`secretlint-rule-${kind}`));
  const found = [];
  const context = {
    sharedOptions: {},
    createTranslator: () => (_id, data) => data,
    report: ({ message }) => found.push(Object.values(message).find((value) => typeof value === "string")),
    ignore() {},
  };
  rule.create(context, {}).file({ content, filePath, ext: filePath.replace(/^.*(?=\.)/, ""), contentType: "text" });
  return found;
}

/** A sample is redacted when its secret does not occur in what would be stored. */
async function recallOf(title, samples) {
  const byKind = new Map();
  const missed = [];
  for (const { kind, text, secret } of samples) {
    const stored = (await cleanText(text, "content")).text.replaceAll(/\[redacted:[a-z0-9-]+\]/g, "");
    const isRedacted = !stored.includes(secret);
    if (!isRedacted) missed.push(`${kind}: ${text}`);
    const [kept, all] = byKind.get(kind) ?? [0, 0];
    byKind.set(kind, [kept + (isRedacted ? 1 : 0), all + 1]);
  }
  console.log(`${title}, redacted of all: ${[...byKind].map(([kind, [n, all]]) => `${kind} ${n}/${all}`).join(", ")}`);
  for (const sample of missed) console.log(`  missed ${JSON.stringify(sample)}`);
  const shares = [...byKind.values()].map(([n, all]) => (100 * n) / all);
  const recall = (100 * (samples.length - missed.length)) / samples.length;
  return { samples: samples.length, recall, worst: Math.min(...shares) };
}

async function redactedLines() {
  const redacted = [];
  let lines = 0;
  for (const { path, text } of corpus()) {
    const after = (await cleanText(text, "content")).text.split("\n");
    lines += text.split("\n").length;
    const changed = after.filter((line) => line.includes("[redacted:"));
    redacted.push(...changed.map((line) => `${path}: ${line.trim().slice(0, 160)}`));
  }
  return { lines, redacted };
}

/** 2 MB of prose and code: the first file of every package, then the second of every package, and so on. */
function corpus() {
  const queues = packages().map((folder) => filesBelow(join(nodeModules, folder)).toSorted());
  const texts = [];
  for (let bytes = 0, turn = 0; bytes < corpusBytes; turn += 1) {
    const files = queues.flatMap((queue) => queue.slice(turn, turn + 1));
    if (files.length === 0) throw new Error("there are no 2 MB of text in node_modules");
    for (const path of files) {
      const text = readFileSync(path, "utf8").slice(0, fileBytes);
      if (bytes >= corpusBytes || text.includes("\0") || isMinified(text)) continue;
      texts.push({ path: path.slice(nodeModules.length + 1), text: text.toWellFormed() });
      bytes += Buffer.byteLength(text);
    }
  }
  return texts;
}

function packages() {
  return readdirSync(nodeModules)
    .filter((name) => !name.startsWith("."))
    .flatMap((name) =>
      name.startsWith("@") ? readdirSync(join(nodeModules, name)).map((part) => join(name, part)) : name,
    )
    .toSorted();
}

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : filesBelow(path);
    return /\.(?:md|[cm]?[jt]s|json)$/.test(entry.name) ? [path] : [];
  });
}

function isMinified(text) {
  return text.split("\n").some((line) => line.length > 1000);
}

async function microsecondsPerSentence() {
  const { word, digits } = makers(3);
  const sentence = (n) =>
    `${word()}: I took the ${word()} to ${word()} yesterday, and we talked about the ${word()} for ${digits(1)} hours (${n}).`;
  const sentences = Array.from({ length: sentenceCount }, (_, n) => sentence(n));
  for (const text of sentences.slice(0, 5000)) await cleanText(text, "content");
  const start = process.cpuUsage();
  for (const text of sentences) await cleanText(text, "content");
  const { user, system } = process.cpuUsage(start);
  return (user + system) / sentenceCount;
}
