// The imports in sources that belong to their tree, read off the text by rules of each language: nothing of Tacit takes part.
import { posix } from "node:path";

/**
 * @param texts the files of the tree by path, all of them
 * @returns of each import the file and the lines it stands in, and the files that it can mean
 */
export function listImports(language, texts) {
  // What a file takes from itself, as a module of tests in it does, is no import of another.
  return rules[language](texts)
    .map((one) => ({ ...one, targets: one.targets.filter((target) => target !== one.file) }))
    .filter(({ targets }) => targets.length > 0);
}

/** Those that no edge of the graph leads to. An edge stands at the first line that it is written in. */
export function listUnresolved(imports, edges) {
  const reached = new Map();
  for (const { kind, fromFile, toFile, line } of edges) {
    if (kind !== "imports") continue;
    if (!reached.has(fromFile)) reached.set(fromFile, { files: new Set(), lines: new Set() });
    reached.get(fromFile).files.add(toFile);
    reached.get(fromFile).lines.add(line);
  }
  return imports.filter(({ file, line, lastLine = line, targets }) => {
    const { files, lines } = reached.get(file) ?? { files: new Set(), lines: new Set() };
    if (targets.some((target) => files.has(target))) return false;
    for (let at = line; at <= lastLine; at += 1) if (lines.has(at)) return false;
    return true;
  });
}

const rules = { go, rust, java, csharp, c: include, cpp: include, ruby, php };

function go(texts) {
  const module = /^module\s+(\S+)/m.exec(texts.get("go.mod") ?? "")?.[1] ?? "";
  const folders = groupBy(
    [...texts.keys()].filter((path) => path.endsWith(".go") && !path.endsWith("_test.go")),
    (path) => posix.dirname(path),
  );
  return each(texts, /\.go$/, (file, text) => {
    const head = text.slice(0, text.search(/^(?:func|type|var|const)\b/m) >>> 0);
    return matches(head, /^(?:import\s+|\s+)(?:[\w.]+\s+)?"([^"]+)"/gm).map(({ line, groups: [path] }) => ({
      file,
      line,
      text: path,
      targets:
        path === module || path.startsWith(`${module}/`)
          ? (folders.get(path.slice(module.length + 1) || ".") ?? [])
          : [],
    }));
  });
}

function java(texts) {
  const types = new Map();
  const packages = new Map();
  each(texts, /\.java$/, (file, text) => {
    const name = /^package\s+([\w.]+)/m.exec(text)?.[1] ?? "";
    add(packages, name, file);
    add(types, `${name}.${posix.basename(file, ".java")}`, file);
    return [];
  });
  return each(texts, /\.java$/, (file, text) =>
    matches(text, /^import\s+(?:static\s+)?([\w.]+?)(\.\*)?\s*;/gm).map(({ line, groups: [path, all] }) => ({
      file,
      line,
      text: path,
      targets: (all && packages.get(path)) || typeAround(types, path),
    })),
  );
}

/** `a.b.C.open` is written where `a.b.C` is. */
function typeAround(types, path) {
  const parts = path.split(".");
  for (let length = parts.length; length > 1; length -= 1) {
    const found = types.get(parts.slice(0, length).join("."));
    if (found) return found;
  }
  return [];
}

function csharp(texts) {
  const spaces = new Map();
  each(texts, /\.cs$/, (file, text) => {
    for (const {
      groups: [name],
    } of matches(text, /^\s*namespace\s+([\w.]+)/gm))
      add(spaces, name, file);
    return [];
  });
  return each(texts, /\.cs$/, (file, text) =>
    matches(text, /^\s*(?:global\s+)?using\s+(?:static\s+|\w+\s*=\s*)?(?:global::)?([\w.]+)\s*;/gm).map(
      ({ line, groups: [name] }) => ({
        file,
        line,
        text: name,
        targets: spaces.get(name) ?? spaces.get(name.replace(/\.\w+$/, "")) ?? [],
      }),
    ),
  );
}

function include(texts) {
  const paths = [...texts.keys()];
  const named = groupBy(paths, (path) => posix.basename(path));
  return each(texts, /\.(?:[ch]|cc|cpp|cxx|hh|hpp|hxx|inl)$/, (file, text) =>
    matches(text, /^[ \t]*#[ \t]*include[ \t]*["<]([^">]+)[">]/gm).map(({ line, groups: [path] }) => {
      const beside = posix.join(posix.dirname(file), path);
      const tail = posix.normalize(path).replace(/^(?:\.\.\/)+/, "");
      const among = (named.get(posix.basename(path)) ?? []).filter(
        (other) => other === tail || other.endsWith(`/${tail}`),
      );
      return { file, line, text: path, targets: texts.has(beside) ? [beside] : among };
    }),
  );
}

function ruby(texts) {
  const inLib = (path) =>
    [`${path}.rb`, path].flatMap((name) => [`lib/${name}`, name]).filter((name) => texts.has(name));
  return each(texts, /\.(?:rb|ru|rake|gemspec)$/, (file, text) =>
    matches(text, /^\s*(?:(require_relative|require|load)\s*\(?|autoload\s*\(?\s*:\w+\s*,)\s*["']([^"'#]+)["']/gm).map(
      ({ line, groups: [verb, path] }) => ({
        file,
        line,
        text: path,
        targets:
          verb === "require_relative"
            ? [`${posix.join(posix.dirname(file), path)}.rb`, posix.join(posix.dirname(file), path)].filter((name) =>
                texts.has(name),
              )
            : inLib(path),
      }),
    ),
  );
}

function php(texts) {
  const types = new Map();
  each(texts, /\.php$/, (file, text) => {
    const space = /^namespace\s+([\w\\]+)/m.exec(text)?.[1] ?? "";
    for (const {
      groups: [name],
    } of matches(text, /^(?:(?:abstract|final|readonly)\s+)*(?:class|interface|trait|enum)\s+(\w+)/gm))
      add(types, `${space}\\${name}`.toLowerCase(), file);
    return [];
  });
  return each(texts, /\.php$/, (file, text) =>
    matches(text, /^use\s+(?!function\b|const\b)\\?([\w\\]+)(?:\\?\{([^}]*)\})?[^;{]*;/gm).flatMap(
      ({ line, lastLine, groups: [path, several] }) =>
        (several === undefined
          ? [path]
          : several.split(",").map((one) => `${path.replace(/\\$/, "")}\\${one.trim()}`)
        ).map((name) => ({
          file,
          line,
          lastLine,
          text: name,
          targets: types.get(name.replace(/\s.*$/, "").toLowerCase()) ?? [],
        })),
    ),
  );
}

function rust(texts) {
  return each(texts, /\.rs$/, (file, text) => {
    const crate = crateOf(texts, file);
    const modules = matches(text, /^\s*(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)\s*;/gm).map(
      ({ line, index, groups: [name] }) => {
        const named = /#\[path\s*=\s*"([^"]+)"\]\s*$/.exec(text.slice(0, index))?.[1];
        const targets = named ? [posix.join(posix.dirname(file), named)] : moduleFiles(insideOf(file), name);
        return { file, line, text: `mod ${name}`, targets: targets.filter((target) => texts.has(target)) };
      },
    );
    const uses = matches(text, /^([ \t]*)(?:pub(?:\([^)]*\))?\s+)?use\s+([^;]+);/gm).flatMap(
      ({ line, lastLine, groups: [indent, tree] }) =>
        pathsOf(tree.replaceAll(/\/\/.*$/gm, "").replaceAll(/\s+/g, " ")).map((path) => {
          // Inside of a module that is written in this file, `super` and `self` are in it, too.
          const isInner = indent !== "" && (path[0] === "super" || path[0] === "self");
          const target = isInner ? file : moduleAt(texts, file, crate, path);
          return { file, line, lastLine, text: path.join("::"), targets: target ? [target] : [] };
        }),
    );
    return [...modules, ...uses];
  });
}

/** `a::{b, c::d}` is `a::b` and `a::c::d`. */
function pathsOf(tree) {
  const open = tree.indexOf("{");
  if (open < 0)
    return [
      tree
        .replace(/ as .*$/, "")
        .trim()
        .split("::")
        .map((part) => part.trim()),
    ];
  const before = tree
    .slice(0, open)
    .split("::")
    .map((part) => part.trim())
    .filter(Boolean);
  const parts = [];
  let depth = 0;
  let begun = open + 1;
  for (let at = open + 1; at < tree.length; at += 1) {
    if (tree[at] === "{") depth += 1;
    if (depth === 0 && (tree[at] === "," || tree[at] === "}")) {
      if (tree.slice(begun, at).trim() !== "") parts.push(tree.slice(begun, at).trim());
      begun = at + 1;
    }
    if (tree[at] === "}") depth -= 1;
  }
  return parts.flatMap((part) => pathsOf(part)).map((path) => [...before, ...path]);
}

function crateOf(texts, file) {
  let home = posix.dirname(file);
  while (home !== "." && !texts.has(posix.join(home, "Cargo.toml"))) home = posix.dirname(home);
  const manifest = texts.get(posix.join(home, "Cargo.toml")) ?? "";
  const name = /^name\s*=\s*"([^"]+)"/m.exec(manifest)?.[1]?.replaceAll("-", "_");
  const library = posix.join(home, "src/lib.rs");
  const isOfLibrary = file.startsWith(posix.join(home, "src/"));
  return { name, library, root: isOfLibrary ? library : file };
}

/** The file of the deepest module that a path goes through; undefined where it leads out of the tree. */
function moduleAt(texts, file, { name, library, root }, [first, ...rest]) {
  let at;
  if (first === "crate") at = root;
  else if (first === "self") at = file;
  else if (first === "super") at = superOf(texts, file);
  else if (first === name && file !== library) at = library;
  else return undefined;
  for (const part of rest) {
    if (part === "super") at = superOf(texts, at);
    const inner = moduleFiles(insideOf(at), part).find((path) => texts.has(path));
    if (inner === undefined) break;
    at = inner;
  }
  return texts.has(at) ? at : undefined;
}

function superOf(texts, file) {
  const folder = posix.basename(file) === "mod.rs" ? posix.dirname(posix.dirname(file)) : posix.dirname(file);
  return (
    [`${folder}.rs`, posix.join(folder, "mod.rs"), posix.join(folder, "lib.rs"), posix.join(folder, "main.rs")].find(
      (path) => texts.has(path),
    ) ?? file
  );
}

/** The folder in which the modules of a file are. */
function insideOf(file) {
  const isRoot = /(?:^|\/)(?:mod|lib|main|build)\.rs$|^(?:tests|examples|benches)\/[^/]+\.rs$/.test(file);
  return isRoot ? posix.dirname(file) : file.replace(/\.rs$/, "");
}

function moduleFiles(folder, name) {
  return [posix.join(folder, `${name}.rs`), posix.join(folder, name, "mod.rs")];
}

function each(texts, ending, read) {
  return [...texts].filter(([path]) => ending.test(path)).flatMap(([path, text]) => read(path, text));
}

function matches(text, pattern) {
  return [...text.matchAll(pattern)].map((match) => {
    const line = countLines(text, match.index + match[0].search(/\S/));
    return {
      line,
      lastLine: countLines(text, match.index + match[0].length),
      index: match.index,
      groups: match.slice(1),
    };
  });
}

function countLines(text, end) {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < end; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}

function groupBy(values, keyOf) {
  const groups = new Map();
  for (const value of values) add(groups, keyOf(value), value);
  return groups;
}

function add(groups, key, value) {
  const group = groups.get(key);
  if (group) group.push(value);
  else groups.set(key, [value]);
}
