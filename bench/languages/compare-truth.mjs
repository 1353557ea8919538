// The calls of a graph beside what a compiler says of the same files.
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { groupBy } from "../graph/compare.mjs";
import { temporaryFolder } from "../measure.mjs";
import { runCecil } from "./run-cecil.mjs";
import { runMir } from "./run-mir.mjs";

const here = import.meta.dirname;
const compilers = {
  java: { need: "a JDK, 17 or later", run: (folder) => run("java", [join(here, "Truth.java"), folder]) },
  go: { need: "Go, 1.19 or later", run: runGo },
  rust: { need: "cargo, and crates for all that it depends on", run: runMir },
  csharp: { need: "mono-mcs and libmono-cecil-cil of Debian", run: runCecil },
};

/** What the compiler of a language says; undefined where there is none for it, or where it could not be run. */
export function readTruth(language, folder) {
  const compiler = compilers[language];
  if (!compiler) return undefined;
  const said = compiler.run(folder);
  if (said === undefined) {
    console.error(`${folder} could not be compiled. It needs ${compiler.need}.`);
    return undefined;
  }
  const truth = { calls: [], unsure: [], leftOut: [], files: undefined, ran: undefined };
  for (const row of said.trimEnd().split("\n")) addRow(truth, row.split("\t"));
  return truth;
}

function addRow(truth, [kind, ...cells]) {
  if (kind === "file") {
    truth.files ??= new Set();
    truth.files.add(cells[0]);
  } else if (kind === "ran") {
    const [file, line] = cells;
    truth.ran ??= [];
    truth.ran.push({ file, line: Number(line) });
  } else if (kind === "off") {
    const [file, first, last] = cells;
    truth.leftOut.push({ file, first: Number(first), last: Number(last) });
  } else if (kind === "or") {
    const [toFile, toLine, name] = cells;
    truth.calls.at(-1).others.push({ kind: "call", toFile, toLine: Number(toLine), name });
  } else {
    const [file, line, toFile, toLine, name, body] = cells;
    const call = { kind, file, line: Number(line), toFile, toLine: Number(toLine), name, hasBody: body === "body" };
    if (kind === "unsure") truth.unsure.push({ ...call, name: name.split(/\W+/).findLast(Boolean) });
    else truth.calls.push({ ...call, others: [] });
  }
}

function run(command, args, env = {}) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    encoding: "utf8",
    maxBuffer: 1 << 30,
    env: { ...process.env, ...env },
  });
  if (status !== 0 && stderr) console.error(stderr);
  return status === 0 ? stdout : undefined;
}

function runGo(folder) {
  const place = temporaryFolder();
  const cache = join(place.path, "cache");
  mkdirSync(cache);
  const said = run(process.env.GO ?? "go", ["run", join(here, "truth.go"), folder], {
    GOCACHE: cache,
    GO111MODULE: "off",
  });
  place.remove();
  return said;
}

/**
 * Precision is of all calls that the graph says, without those that the compiler left out or of which it knows nothing; recall is of all calls whose target has a body. A call through an interface is no miss: the graph has it as a reference.
 */
export function compareTruth({ nodes, edges }, { calls, unsure, leftOut, files, ran }, { isExact }) {
  const nodesByFile = groupBy(nodes, ({ file }) => file);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const named = isExact ? ({ id }) => id : ({ id }) => classOf(byId.get(id)).id.replaceAll(/~\d+/g, "");
  const isJudged = (file) => !files || files.has(file);
  const ours = new Map(
    edges
      .filter(({ kind, fromFile }) => kind === "calls" && isJudged(fromFile))
      .map((edge) => [`${named(byId.get(edge.from))} -> ${named(byId.get(edge.to))}`, edge]),
  );
  const right = new Set();
  const wanted = new Map();
  for (const call of calls) {
    const caller = callerAt(nodesByFile.get(call.file) ?? [], call.line);
    const from = caller ? named(caller) : call.file;
    const targets = [call, ...call.others].flatMap((to) => targetsAt(nodesByFile.get(to.toFile) ?? [], to));
    const keys = targets.map((target) => `${from} -> ${named(target)}`);
    for (const key of keys) right.add(key);
    // What the graph has no node for cannot be found: it counts as missed.
    const key = keys[0] ?? `${from} -> ${call.toFile}#?${call.name}@${call.toLine}`;
    if (call.hasBody && !wanted.has(key)) wanted.set(key, { keys, call });
  }
  const unknown = new Set(
    unsure.map(({ file, line, name }) => `${callerAt(nodesByFile.get(file) ?? [], line)?.id ?? file} ${name}`),
  );
  const wrong = [...ours].filter(([key]) => !right.has(key));
  const isLeftOut = ({ fromFile, line }) =>
    leftOut.some(({ file, first, last }) => file === fromFile && first <= line && line <= last);
  const compiled = ran && new Set(ran.map(({ file, line }) => callerAt(nodesByFile.get(file) ?? [], line)?.id ?? file));
  const untold = wrong.filter(
    ([, edge]) =>
      unknown.has(`${edge.from} ${byId.get(edge.to).name}`) ||
      isLeftOut(edge) ||
      (compiled !== undefined && !compiled.has(edge.from)),
  );
  const missed = [...wanted].filter(([, { keys }]) => !keys.some((key) => ours.has(key)));
  return {
    said: ours.size - untold.length,
    untold: untold.length,
    hits: ours.size - wrong.length,
    wanted: wanted.size,
    found: wanted.size - missed.length,
    wrong: wrong.filter((one) => !untold.includes(one)).map(([key, { tier, line }]) => ({ key, tier, line })),
    missed: missed.map(([key, { call }]) => ({ key, line: call.line })),
  };

  /** A constructor counts as its class. */
  function classOf(node) {
    const owner = byId.get(node.id.replace(/\.[^.#]+$/, ""));
    return isConstructor(node) && owner && owner.id !== node.id ? owner : node;
  }

  function targetsAt(candidates, { kind, name, toLine }) {
    const isAround = ({ startLine, endLine }) => startLine <= toLine && toLine <= endLine;
    const around = candidates.filter((node) => node.kind !== "file" && isAround(node)).toSorted(bySize);
    const target = around.find((node) => node.name === name && !(kind === "new" && isConstructor(node)));
    if (kind !== "new") return target ? [target] : [];
    return [target, around.find((node) => isConstructor(node) && target && node.id.startsWith(`${target.id}.`))].filter(
      Boolean,
    );
  }
}

function isConstructor({ id, name, kind }) {
  if (kind !== "method" && kind !== "function") return false;
  const owner = /[.#]([^.#]+)\.[^.]+$/.exec(id)?.[1]?.replace(/~\d+$/, "");
  return name === owner || name === "constructor" || name === "<init>" || name === ".ctor";
}

/** The innermost that runs around a line, as linking has it: what a field is made of is used by whatever it stands in. */
function callerAt(candidates, line) {
  return candidates
    .filter(({ kind, startLine, endLine }) => kind !== "file" && startLine <= line && line <= endLine)
    .filter(({ kind, isCallable }) => isCallable || (kind !== "variable" && kind !== "property"))
    .toSorted(bySize)[0];
}

function bySize(a, b) {
  return a.endLine - a.startLine - (b.endLine - b.startLine) || b.id.length - a.id.length;
}
