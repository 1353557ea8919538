import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { type Example, listExamplesInComments, listExamplesInDocs } from "../support/examples.js";
import { listPublicDeclarations } from "../support/public-types.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const root = join(import.meta.dirname, "..", "..");
const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");

/** The package's entries, by what a program imports. */
const entries = {
  "tacit-memory": "src/index.ts",
  "tacit-memory/ai-sdk": "src/agents/ai-sdk/ai-sdk.ts",
  "tacit-memory/observe": "src/observe.ts",
  "tacit-memory/opencode": "src/agents/opencode/opencode.ts",
  "tacit-memory/worker": "src/agents/worker/worker.ts",
};

/** What the text around an example has introduced, or leaves to the reader. */
const given = `
import type { LanguageModel, ToolSet } from "ai";
import type { MethodologyPlugin, TacitMemory } from "tacit-memory";
import type { MemoryCommand } from "tacit-memory/ai-sdk";

declare global {
  const memory: TacitMemory;
  const sessionId: string;
  const messages: { role: "user" | "assistant"; content: string }[];
  const tdd: MethodologyPlugin;
  const askMyModel: (message: string, signal: AbortSignal) => Promise<string>;
  const model: LanguageModel;
  const prompt: string;
  const tools: ToolSet;
  const block: { input: MemoryCommand };
}
`;

/** Other packages that programs around Tacit use, and what doc comments name of them. */
const others = {
  "@ai-sdk/anthropic": ["anthropic"],
  "@ai-sdk/openai": ["openai"],
  ai: ["generateText", "stepCountIs", "wrapLanguageModel"],
  "node:worker_threads": ["Worker"],
};

it("every example of the documentation compiles against the package's types, under strict", () => {
  const inComments = listExamplesInComments(root, Object.values(entries)).map(withImports);
  const examples = [...listExamplesInDocs(root), ...inComments];
  // Compiled along with the others, so that it is known that a mistake would show.
  const wrong = { at: "nowhere:1", code: "await memory.remember({ text: 1 });\n" };

  expect(examples.length).toBeGreaterThan(15);
  expect(compile([...examples, wrong])).toEqual([expect.stringMatching(/^nowhere:1 .*'text' does not exist/)]);
});

/** A doc comment imports nothing: what it names of the package and of others is at hand. On its first line, which is empty. */
function withImports({ at, code }: Example): Example {
  const offered = [
    ...Object.entries(entries).map(([from, file]) => [from, listPublicDeclarations(join(root, file))] as const),
    ...Object.entries(others).map(([from, names]) => [from, names.map((name) => ({ name }))] as const),
  ];
  const used = new Map(
    offered.flatMap(([from, names]) =>
      names.filter(({ name }) => new RegExp(`\\b${name}\\b`).test(code)).map(({ name }) => [name, from] as const),
    ),
  );
  const imports = [...used].map(([name, from]) => `import { ${name} } from ${JSON.stringify(from)};`);
  return { at, code: `${imports.join(" ")} ${code}` };
}

/** What the compiler says of them, each with where it stands. */
function compile(examples: readonly Example[]): string[] {
  const folder = temporaryFolder();
  const paths = Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, [join(root, file)]]));
  const options = {
    noEmit: true,
    rootDir: "/",
    noUnusedLocals: false,
    noUnusedParameters: false,
    verbatimModuleSyntax: false,
    isolatedModules: false,
    typeRoots: [join(root, "node_modules", "@types")],
    paths,
    // Those of docs/adding-a-language.md stand in the folder of a language.
    rootDirs: [folder, join(root, "src", "codegraph", "languages")],
  };
  mkdirSync(join(folder, "go"));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  const config = { extends: join(root, "tsconfig.json"), compilerOptions: options, include: [folder] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "given.ts"), given);
  for (const [index, { code }] of examples.entries()) {
    writeFileSync(join(folder, "go", `example-${index}.ts`), `${code}\nexport {};\n`);
  }
  const { stdout } = spawnSync(process.execPath, [tsc, "-p", folder, "--pretty", "false"], {
    cwd: root,
    encoding: "utf8",
  });
  return stdout.split("\n").flatMap((line) => {
    const [, index, at] = /example-(\d+)\.ts\((\d+)/.exec(line) ?? [];
    if (index === undefined) return /^\s|^$/.test(line) ? [] : [line];
    const example = examples[Number(index)];
    return [`${example?.at} +${Number(at) - 1}: ${line.replace(/^.*?: error /, "")}`];
  });
}
