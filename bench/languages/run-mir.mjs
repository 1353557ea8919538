// What rustc made of the calls of a crate's library, read off its MIR (as rustc 1.95 writes it): every call names the path of
// what it runs, every function says where it is written. Crates that it needs are in `<folder>.crates`.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../measure.mjs";

/** Lines as those of Truth.java; `ran` is a line that was compiled. */
export function runMir(folder) {
  const place = temporaryFolder();
  try {
    const crate = join(place.path, "crate");
    cpSync(folder, crate, { recursive: true });
    prepare(crate, `${folder}.crates`);
    const options = ["-Zunpretty=mir", "-Zmir-include-spans=on", "-Zmir-opt-level=0", "-Ztrim-diagnostic-paths=no"];
    const mir = execFileSync("cargo", ["rustc", "--offline", "--lib", "--", ...options], {
      cwd: crate,
      encoding: "utf8",
      maxBuffer: 1 << 30,
      // These options are of the nightly rustc, and any other has them, too, when told so.
      env: { ...process.env, RUSTC_BOOTSTRAP: "1" },
      stdio: ["ignore", "pipe", "ignore"],
    });
    return readMir(mir, folder, openOutside(`${folder}.crates`)).join("\n");
  } catch (error) {
    console.error(error.message);
    return undefined;
  } finally {
    place.remove();
  }
}

/** Crates come from a folder, and what only tests need is not asked for. */
function prepare(crate, crates) {
  let isTaken = true;
  const lines = readFileSync(join(crate, "Cargo.toml"), "utf8").split("\n");
  const kept = lines.filter((line) => {
    const [, table] = /^\[+([\w.-]+)/.exec(line) ?? [];
    if (table !== undefined) isTaken = !/^(?:dev-dependencies|bench$|test$|example$)/.test(table);
    return isTaken;
  });
  writeFileSync(join(crate, "Cargo.toml"), kept.join("\n"));
  rmSync(join(crate, "Cargo.lock"), { force: true });
  if (!existsSync(crates)) mkdirSync(crates);
  mkdirSync(join(crate, ".cargo"), { recursive: true });
  const source = `[source.crates-io]\nreplace-with = "near"\n[source.near]\ndirectory = ${JSON.stringify(crates)}\n`;
  writeFileSync(join(crate, ".cargo/config.toml"), source);
}

/** Whether a path leads to another crate. */
function openOutside(crates) {
  const names = readdirSync(crates).map((name) => name.replace(/-\d.*$/, "").replaceAll("-", "_"));
  const others = new Set(["std", "core", "alloc", ...names]);
  return (path) => others.has(path.split("::")[0]);
}

function readMir(mir, folder, isOutside) {
  const read = openSources(folder);
  const bodies = listBodies(mir);
  const definitions = collectDefinitions(bodies, read);
  const rows = [];
  for (const { at, end, calls, made, lines } of bodies) {
    for (const line of lines) rows.push(["ran", at.file, line]);
    for (const path of made) {
      if (!isOutside(path)) rows.push(["unsure", at.file, at.line, "", 0, path.split("::").at(-1), ""]);
    }
    for (const { callee, span } of calls) {
      const path = withoutGenerics(callee);
      const name = path.split("::").at(-1);
      const [first, ...others] = findDefinitions(definitions, path, isOutside);
      if (!first) {
        // What a trait of this crate asks for has no place; that of another is derived, or not here at all.
        if (!isOutside(/ as (.+)>/.exec(path)?.[1] ?? path)) rows.push(["unsure", at.file, at.line, "", 0, name, ""]);
        continue;
      }
      // Operators, loops and macros call without a word; those of a macro stand where the macro does.
      const isInside = span?.file === at.file && at.line <= span.line && span.line <= end;
      const isWritten = isInside && new RegExp(`\\b${name}\\b`).test(read(span));
      rows.push(["call", at.file, at.line, first.file, first.line, name, isWritten ? "body" : ""]);
      for (const other of others) rows.push(["or", other.file, other.line, name]);
    }
  }
  return rows.map((row) => row.join("\t"));
}

/** Every function of the crate: where its signature is, where it ends, and what it calls. */
function listBodies(mir) {
  const bodies = [];
  let body;
  for (const line of mir.split("\n")) {
    if (/^(?:fn|const|static)\b/.test(line)) body = { head: line, calls: [], made: [], lines: new Set(), end: 0 };
    if (!body) continue;
    const span = spanIn(line);
    if (line.includes("// return place")) {
      if (!span) body = undefined;
      else bodies.push(Object.assign(body, { at: span }));
      continue;
    }
    if (span && span.file === body.at?.file) body.lines.add(span.line);
    if (span && /^\s+return;/.test(line)) body.end = Math.max(body.end, span.lastLine);
    const called = /^\s+_\d+ = (.*)\(.*?\) -> \[return/.exec(line) ?? /^\s+_\d+ = (.*)\(.*?\) -> unwind/.exec(line);
    if (called) body.calls.push({ callee: calleeOf(line), span });
    const made = /^\s+_\d+ = ([\w:<>,' ]+::\w+)\(.*\);/.exec(line);
    if (made && !called) body.made.push(made[1]);
  }
  return bodies;
}

/** `_5 = a::B::<C>::d(move _6) -> …`: the path up to the parenthesis of its arguments. */
function calleeOf(line) {
  const text = line.slice(line.indexOf(" = ") + 3);
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at];
    if (letter === "<" || letter === "{" || letter === "[") depth += 1;
    else if (letter === "}" || letter === "]" || (letter === ">" && text[at - 1] !== "-")) depth -= 1;
    else if (letter === "(" && depth === 0) return text.slice(0, at);
  }
  return text;
}

function spanIn(line) {
  const [, file, first, column, last, lastColumn] = / at ([^:]+):(\d+):(\d+): (\d+):(\d+)$/.exec(line) ?? [];
  if (file === undefined || file.startsWith("/")) return undefined;
  return { file, line: Number(first), column: Number(column), lastLine: Number(last), lastColumn: Number(lastColumn) };
}

/** Functions by their path; methods by the name of their type and by that of their trait, too. */
function collectDefinitions(bodies, read) {
  const definitions = new Map();
  const add = (key, definition) => {
    if (!definitions.has(key)) definitions.set(key, []);
    definitions.get(key).push(definition);
  };
  for (const { head, at } of bodies) {
    const [, path] = /^fn ((?:[^(<]|<[^>]*>)+)\(/.exec(head) ?? [];
    if (path === undefined || path.includes("{closure")) continue;
    const [, module, span, name] = /^(.*?)(?:::)?<impl at (.*?)>::(\w+)$/.exec(path) ?? [];
    if (span === undefined) {
      add(path, { ...at, module: "" });
      // Inside of a method: whoever calls it names the type, and here stands the place of its `impl`.
      if (path.includes("<impl at")) add(path.split("::").slice(-2).join("::"), { ...at, module: "" });
      continue;
    }
    const header = read(spanIn(` at ${span}`)).replaceAll(/\s+/g, " ");
    // What is derived is written nowhere.
    if (!/^(?:unsafe )?impl\b/.test(header)) continue;
    const [trait, type] = splitHeader(header);
    // `impl<T: Input> Input for &T`: what is called on a T is not this.
    if (new RegExp(`^(?:unsafe )?impl<[^>]*\\b${type}\\b`).test(header)) continue;
    add(`${type}::${name}`, { ...at, module, trait });
  }
  return definitions;
}

/** `impl<T> a::Trait<T> for b::Type<T>` is [`Trait`, `Type`]. */
function splitHeader(header) {
  const bare = withoutGenerics(header.replace(/^(?:unsafe )?impl/, "").trim(), true).replace(/ where .*$/, "");
  const [one, other] = bare.split(" for ");
  const last = (path) =>
    path
      ?.replaceAll(/&|\bmut\b|\bdyn\b|'\w+/g, "")
      .trim()
      .split("::")
      .at(-1);
  return other === undefined ? [undefined, last(one)] : [last(one), last(other)];
}

function findDefinitions(definitions, path, isOutside) {
  const [, type, trait, method] = /^<(.+) as (.+)>::(\w+)$/.exec(path) ?? [];
  if (type !== undefined) {
    const owner = type.replaceAll(/&|\bmut\b|\bdyn\b/g, "").trim();
    if (isOutside(owner) && isOutside(trait)) return [];
    const own = (definitions.get(`${owner.split("::").at(-1)}::${method}`) ?? []).filter(
      (definition) => definition.trait === trait.split("::").at(-1),
    );
    return own.length > 0 ? nearest(own, owner) : (definitions.get(`${trait}::${method}`) ?? []);
  }
  const exact = definitions.get(path);
  if (exact || isOutside(path)) return exact ?? [];
  const parts = path.split("::");
  const own = definitions.get(parts.slice(-2).join("::")) ?? [];
  return nearest(
    own.filter((definition) => definition.trait === undefined),
    parts.slice(0, -1).join("::"),
  );
}

/** Two modules may have a type of the same name: those beside the type are meant, where there are any. */
function nearest(found, type) {
  const beside = found.filter(({ module }) => module === type.split("::").slice(0, -1).join("::"));
  return beside.length > 0 ? beside : found;
}

/** Without what stands in angle brackets, but for `<A as B>` at the beginning of a path. */
function withoutGenerics(path, isHeader = false) {
  if (!isHeader && path.startsWith("<")) {
    const end = closing(path, 0);
    const [type, trait] = splitAs(path.slice(1, end));
    return trait === undefined
      ? type
      : `<${withoutGenerics(type, true)} as ${withoutGenerics(trait, true)}>${withoutGenerics(path.slice(end + 1), true)}`;
  }
  let text = "";
  let depth = 0;
  [...path].forEach((letter, at) => {
    if (letter === "<") depth += 1;
    if (depth === 0) text += letter;
    if (letter === ">" && path[at - 1] !== "-") depth -= 1;
  });
  return text.replaceAll("::::", "::").replace(/::$/, "").trim();
}

function splitAs(text) {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === "<") depth += 1;
    if (text[at] === ">" && text[at - 1] !== "-") depth -= 1;
    if (depth === 0 && text.startsWith(" as ", at)) return [text.slice(0, at), text.slice(at + 4)];
  }
  return [text];
}

function closing(text, from) {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "<") depth += 1;
    if (text[at] === ">" && text[at - 1] !== "-" && (depth -= 1) === 0) return at;
  }
  return text.length;
}

function openSources(folder) {
  const known = new Map();
  return ({ file, line, column, lastLine, lastColumn }) => {
    if (!known.has(file)) known.set(file, readFileSync(join(folder, file), "utf8").split("\n"));
    const lines = known.get(file).slice(line - 1, lastLine);
    if (lines.length === 0) return "";
    lines[lines.length - 1] = lines.at(-1).slice(0, lastColumn - 1);
    lines[0] = lines[0].slice(column - 1);
    return lines.join("\n");
  };
}
