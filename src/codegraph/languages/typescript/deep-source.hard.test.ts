import { describe, expect, it } from "vitest";
import { compiled, ended, runProgram } from "../../../../test/support/child-process.js";

// What is nested, and how deep: brackets take oxc down at 30,000 levels, functions at 5,000 on the main thread.
const inner = {
  brackets: `"(".repeat(30000) + "1" + ")".repeat(30000)`,
  functions: `"function () { return ".repeat(5000) + "1" + "}".repeat(5000)`,
  "more functions": `"function () { return ".repeat(30000) + "1" + "}".repeat(30000)`,
  elements: `"<a>".repeat(30000) + "</a>".repeat(30000)`,
  "elements with text": `"<a>;".repeat(30000) + "</a>".repeat(30000)`,
  templates: "'`${'.repeat(30000) + '1' + '}`'.repeat(30000)",
  operators: `"!".repeat(30000) + "a"`,
  sums: `"a + ".repeat(30000) + "a"`,
  "brackets that a text seems to close": `"(<a>) {".repeat(30000)`,
};

// What it stands in: each of them looks like a comment, a text or a regular expression and is none.
const outer = {
  "a comment": ["x = <a>/* {", "} */</a>"],
  "a comment to the end of the line": ["x = <a>// {", "}</a>"],
  "a text": ["x = <p>' {", "} '</p>"],
  "division after a brace": ["x = {}/", "/1"],
  "division after an operator": ["a++/", "/1"],
  nothing: ["x = ", ""],
};

const program = `
  (async () => {
    const { writeSync } = await import("node:fs");
    const { openTypeScript } = await import(${JSON.stringify(compiled("codegraph/languages/typescript/open-typescript.js"))});
    const read = await openTypeScript();
    const inner = { ${Object.entries(inner)
      .map(([name, code]) => `${JSON.stringify(name)}: ${code}`)
      .join(", ")} };
    for (const [place, [before, after]] of Object.entries(${JSON.stringify(outer)})) {
      for (const [name, text] of Object.entries(inner)) {
        writeSync(1, name + " in " + place + "\\n");
        read("a.tsx", before + text + after);
      }
    }
    writeSync(1, "all\\n");
  })();`;

// As the threads that read files are started.
const inWorker = `
  import { Worker } from "node:worker_threads";
  new Worker(${JSON.stringify(program)}, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 512, stackSizeMb: 32 } });`;

describe("a source that is nested deeper than oxc goes", () => {
  it.each([
    ["on the main thread", program],
    ["in a worker", inWorker],
  ])("does not end the process %s", { timeout: 120_000 }, async (_, text) => {
    const child = runProgram(text);
    let begun = "";
    child.stdout?.on("data", (data: Buffer) => (begun += String(data)));
    const code = await ended(child);

    // The last one that was begun is the one that ended it.
    expect(begun.trim().split("\n").at(-1)).toBe("all");
    expect(code).toBe(0);
  });
});
