// The idea of Aider's repository map, after its description: files are tied by names. One refers to another for each
// identifier that it uses and the other defines; ranks of files are handed on to the definitions that the edges stand for.
// https://aider.chat/docs/repomap.html, https://aider.chat/2023/10/22/repomap.html
import { spread } from "./spread.mjs";

/** The definitions of a repository in its order. `definitions`: { file, name, … }; `texts`: by file. */
export function rankByNames({ definitions, texts }, prompt) {
  const files = [...texts.keys()];
  const places = new Map(files.map((file, at) => [file, at]));
  const definers = new Map();
  for (const { name, file } of definitions) definers.set(name, (definers.get(name) ?? new Set()).add(file));
  const mentioned = new Set(prompt.match(/[A-Za-z_$][\w$]*/g) ?? []);
  const edges = [];
  for (const file of files) {
    for (const [name, count] of countNames(texts.get(file), file, definers)) {
      const defining = definers.get(name);
      for (const target of defining) {
        // Its own definition is no use of it.
        const uses = target === file ? count - 1 : count;
        if (uses <= 0) continue;
        const weight = boostOf(name, mentioned, defining.size) * Math.sqrt(uses);
        edges.push({ from: places.get(file), to: places.get(target), weight, file: target, name });
      }
    }
  }
  const words = new Set(prompt.split(/[\s'"`(),:;]+/));
  const ranks = spread(
    files.length,
    edges,
    files.map((file) => namings(file, words, mentioned)),
  );
  const sums = new Float64Array(files.length);
  for (const { from, weight } of edges) sums[from] += weight;
  const worths = new Map();
  for (const { from, weight, file, name } of edges) {
    const key = `${file}\0${name}`;
    worths.set(key, (worths.get(key) ?? 0) + (ranks[from] * weight) / sums[from]);
  }
  return definitions
    .map((definition) => ({ definition, worth: worths.get(`${definition.file}\0${definition.name}`) ?? 0 }))
    .filter(({ worth }) => worth > 0)
    .toSorted((a, b) => b.worth - a.worth)
    .map(({ definition }) => definition);
}

/** How often each name that something has is written in a text, but for comments and strings. */
function countNames(text, file, definers) {
  const comments = /\.pyi?$/.test(file) ? /#.*/g : /\/\*[^]*?\*\/|\/\/.*/g;
  const code = text.replace(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g, " ").replace(comments, " ");
  const counts = new Map();
  for (const [name] of code.matchAll(/[A-Za-z_$][\w$]*/g)) {
    if (definers.has(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

function boostOf(name, mentioned, definers) {
  const isLong = name.length >= 8 && (name.includes("_") || /[a-z][^]*[A-Z]|[A-Z][^]*[a-z]/.test(name));
  return (
    (mentioned.has(name) ? 10 : 1) * (isLong ? 10 : 1) * (name.startsWith("_") ? 0.1 : 1) * (definers > 5 ? 0.1 : 1)
  );
}

/** Once for the file by its name or path, once for a part of its path. */
function namings(file, words, mentioned) {
  const name = file.slice(file.lastIndexOf("/") + 1);
  const parts = [...file.split("/"), name.replace(/\.[^.]+$/, "")];
  return (words.has(file) || words.has(name) ? 1 : 0) + (parts.some((part) => mentioned.has(part)) ? 1 : 0);
}
