import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { otherSamples, secretlintSamples } from "../../bench/secret-samples.mjs";
import { redactSecrets } from "../../src/hygiene/secrets/redact-secrets.js";
import { openMemory } from "../../src/index.js";
import { writeFiles } from "../support/git-repository.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { askDatabase } from "../torture/programs.js";

describe("what is kept of the code", () => {
  it("[G11] is no secret that stands in it, in no byte", async () => {
    const kinds = [...secretlintSamples(), ...otherSamples()];
    // Others are words that stand elsewhere as well.
    const long = kinds.filter(({ secret }) => /^(?=.*\d)[^\n]{8,}$/.test(secret));
    const bare = await Promise.all(long.map(async ({ secret }) => (await redactSecrets(secret)) !== secret));
    const samples = long.map((sample, n) => ({ ...sample, isBare: bare[n] === true }));
    const root = temporaryFolder();
    const db = join(temporaryFolder(), "memory.db");
    writeFiles(root, Object.fromEntries(samples.map((sample, n) => placeSecret(n, sample))));
    const memory = await openMemory({ db, project: "p", directory: root });
    await memory.index();
    const { hits } = await memory.recallCode("placed password token key", { limit: 50 });
    await memory.close();

    const texts = hits.map(({ text }) => text ?? "").join("\n");
    const bytes = readdirSync(join(db, ".."))
      .map((name) => readFileSync(join(db, "..", name), "latin1"))
      .join("\n");
    const isIn = (where: string, secret: string) => where.includes(secret) || where.includes(secret.toLowerCase());
    expect(hits.length).toBeGreaterThan(0);
    expect(samples.length).toBeGreaterThan(300);
    const told = (where: string) =>
      samples.filter(({ secret }) => isIn(where, secret)).map(({ kind, text }) => ({ kind, text }));
    expect({ told: told(texts), kept: told(bytes) }).toEqual({ told: [], kept: [] });
  });

  it("[G15] is every line of every file in exactly one chunk", async () => {
    const root = join(import.meta.dirname, "..", "..");
    const copy = temporaryFolder();
    for (const folder of ["src", "docs"]) {
      const names = readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
      const files = names.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
      writeFiles(
        copy,
        Object.fromEntries(files.map((file) => [file.slice(root.length + 1), readFileSync(file, "utf8")])),
      );
    }
    const db = join(temporaryFolder(), "memory.db");
    const memory = await openMemory({ db, project: "p", directory: copy });
    const { files } = await memory.index();
    await memory.close();

    const rows = await askDatabase(
      db,
      `SELECT f.path, json_group_array(json_array(c.start_line, c.end_line)) AS chunks
       FROM code_files AS f LEFT JOIN code_chunks AS c ON c.file_number = f.number GROUP BY f.path`,
    );
    expect(rows).toHaveLength(files);
    expect(files).toBeGreaterThan(200);
    for (const { path, chunks } of rows) {
      const lines = readFileSync(join(copy, String(path)), "utf8")
        .replace(/\n$/, "")
        .split("\n").length;
      const covered = (JSON.parse(String(chunks)) as [number, number][])
        .toSorted(([a], [b]) => a - b)
        .flatMap(([start, end]) => Array.from({ length: end - start + 1 }, (_, n) => start + n));
      expect({ path, covered }).toEqual({ path, covered: Array.from({ length: lines }, (_, n) => n + 1) });
    }
  });
});

/** Secrets stand where programs have strings, names and comments; one that is told by its words only with these. */
function placeSecret(
  n: number,
  { text, secret, isBare }: { text: string; secret: string; isBare: boolean },
): [path: string, content: string] {
  const key = JSON.stringify(secret);
  const comment = `// ${text.replaceAll("\n", "\n// ")}\n`;
  const withWords: [string, string][] = [
    ["ts", `${comment}export function placed${n}() {}\n`],
    ["ts", text.includes('"') ? comment : `export const placed${n} = { text: "${text.replaceAll("\n", "\\n")}" };\n`],
    ["py", `${comment.replaceAll("// ", "# ")}placed = 1\n`],
    ["py", `"""\n${text.replaceAll("\\", "\\\\")}\n"""\nplaced = 1\n`],
    ["md", `# Placed\n\n${text}\n`],
    ["yaml", `placed: 1\n${text}\n`],
  ];
  const bare: [string, string][] = [
    ["ts", `export const placed${n} = { ${key}: 1, use() { return this[${key}]; } };\n`],
    ["ts", `import placed from ${key};\nplaced[${key}]();\nplaced.get(${key}).run();\n`],
    ["ts", `describe(${key}, () => { it(${key}, () => call(${key})); });\nenum E { A = ${key} }\n`],
    ["ts", `export class Placed${n} { ${key}() {} static ${key} = 1; @at(${key}) x = ${key}; }\ntype T = ${key};\n`],
    ["py", `def placed(token=${key}):\n    return { ${key}: call(${key}) }\n`],
    ["tsx", `export const Placed = () => <a href=${key}>{${key}}</a>;\n`],
  ];
  const places = isBare ? [...withWords, ...bare] : withWords;
  const [extension, content] = places[n % places.length] as [string, string];
  return [`src/s${n}.${extension}`, content];
}
