import type { Reader } from "../../storage/storage.js";
import type { Tree } from "../codegraph.js";
import { extensionOf } from "../tree/paths.js";

/** What there is in a tree, in a few figures and examples. */
export interface CodeOverview {
  /** By extension, most files first. */
  languages: { language: string; files: number }[];
  /** With methods. */
  functions: number;
  classes: number;
  /** The files that most others import. */
  central: { file: string; importers: number }[];
  /** Source files that changed in the same commits most often, without a file and its own test. */
  together: { files: [string, string]; commits: number }[];
}

const most = 5;
const tests = /(?:^|\/)(?:tests?|__tests__|spec)\/|(?:[._-](?:test|spec)\.[^/]+|(?:^|\/)test_[^/]+)$/i;

/**
 * Looks over a tree that is indexed.
 *
 * @example
 * (await overview(reader, tree)).central[0] // { file: "src/store.ts", importers: 41 }
 */
export async function overview(reader: Reader, tree: Tree): Promise<CodeOverview> {
  const args = { tree: tree.number };
  const paths = await reader.rows("SELECT path FROM code_files WHERE tree_number = :tree", args);
  const kinds = await reader.rows(
    `SELECT n.kind, count(*) AS n FROM code_files AS f CROSS JOIN code_nodes AS n ON n.file_number = f.number
     WHERE f.tree_number = :tree AND n.kind IN ('function', 'method', 'class') GROUP BY n.kind`,
    args,
  );
  const imported = await reader.rows(
    `SELECT f.path, count(*) AS importers FROM code_files AS f
     CROSS JOIN code_nodes AS n ON n.file_number = f.number AND n.path = ''
     CROSS JOIN code_edges AS e ON e.to_node = n.number AND e.kind = 'imports'
     WHERE f.tree_number = :tree GROUP BY f.number ORDER BY importers DESC, f.path LIMIT 50`,
    args,
  );
  const pairs = await reader.rows(
    `SELECT c.path, c.companion, c.support FROM code_companions AS c
     JOIN code_files AS a ON a.tree_number = :tree AND a.path = c.path
     JOIN code_files AS b ON b.tree_number = :tree AND b.path = c.companion
     WHERE c.tree_number = :tree AND a.language IS NOT NULL AND b.language IS NOT NULL
     ORDER BY c.support DESC, c.confidence DESC, c.path, c.companion LIMIT 200`,
    args,
  );
  const count = (...wanted: string[]) =>
    kinds.filter((row) => wanted.includes(String(row["kind"]))).reduce((sum, row) => sum + Number(row["n"]), 0);
  return {
    languages: countLanguages(paths.map((row) => String(row["path"]))),
    functions: count("function", "method"),
    classes: count("class"),
    central: imported
      .map((row) => ({ file: String(row["path"]), importers: Number(row["importers"]) }))
      .filter(({ file }) => !tests.test(file))
      .slice(0, most),
    together: choosePairs(
      pairs.map((row) => ({
        files: [String(row["path"]), String(row["companion"])].toSorted() as [string, string],
        commits: Number(row["support"]),
      })),
    ),
  };
}

function countLanguages(paths: readonly string[]): CodeOverview["languages"] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const language = names.get(extensionOf(path));
    if (language !== undefined) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  return [...counts]
    .map(([language, files]) => ({ language, files }))
    .toSorted((a, b) => b.files - a.files || (a.language < b.language ? -1 : 1));
}

/** Each pair once, though it is known from both sides, and each file once: five pairs of one file say one thing. */
function choosePairs(pairs: CodeOverview["together"]): CodeOverview["together"] {
  const seen = new Set<string>();
  const chosen: CodeOverview["together"] = [];
  for (const pair of pairs) {
    const isExpected = pair.files.every((file) => tests.test(file)) || stemOf(pair.files[0]) === stemOf(pair.files[1]);
    if (isExpected || pair.files.some((file) => seen.has(file))) continue;
    for (const file of pair.files) seen.add(file);
    chosen.push(pair);
    if (chosen.length === most) break;
  }
  return chosen;
}

/** `src/store.test.ts` and `test/test_store.py` are tests of a file that is called `store`. */
function stemOf(file: string): string {
  const name = file.slice(file.lastIndexOf("/") + 1);
  return name.replace(/\..*$/, "").replace(/^test_|_test$/, "");
}

const names = new Map(
  Object.entries({
    TypeScript: "ts mts cts tsx",
    JavaScript: "js mjs cjs jsx",
    Python: "py pyi",
    Rust: "rs",
    Go: "go",
    Java: "java",
    Kotlin: "kt kts",
    Swift: "swift",
    C: "c h",
    "C++": "cc cpp cxx hpp hh",
    "C#": "cs",
    Ruby: "rb",
    PHP: "php",
    Scala: "scala",
    Elixir: "ex exs",
    Dart: "dart",
    Vue: "vue",
    Svelte: "svelte",
    HTML: "html",
    CSS: "css scss less",
    SQL: "sql",
    Shell: "sh bash",
    Markdown: "md mdx",
  }).flatMap(([language, extensions]) => extensions.split(" ").map((extension) => [extension, language] as const)),
);
