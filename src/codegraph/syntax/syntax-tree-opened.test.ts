import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { compiled, runProgram } from "../../../test/support/child-process.js";

it("[G45] parsers that are opened at once share one WebAssembly runtime: a grammar of one is unknown to another", async () => {
  const answer = await inOwnProcess(`
    await Promise.all(["typescript", "tsx", "javascript"].map(openSyntaxParser));
    console.log(JSON.stringify(count));
  `);

  expect(answer).toBe(1);
});

it("[G45] a parser that could not be opened is opened when it is asked for again", async () => {
  const answer = await inOwnProcess(`
    isFull = true;
    const first = await openSyntaxParser("typescript").catch((error) => error.message);
    isFull = false;
    const { root } = (await openSyntaxParser("typescript")).parse("let a = 1;");
    console.log(JSON.stringify([first, root.type]));
  `);

  expect(answer).toEqual(["could not allocate memory", "program"]);
});

/** What a program prints that can open parsers, count the memories that they take, and say that there is none left. */
async function inOwnProcess(program: string): Promise<unknown> {
  const child = runProgram(`
    import { openSyntaxParser } from ${JSON.stringify(compiled("codegraph/syntax/syntax-tree.js"))};
    let [count, isFull] = [0, false];
    const { Memory } = WebAssembly;
    WebAssembly.Memory = function (...args) {
      if (isFull) throw new RangeError("could not allocate memory");
      count += 1;
      return new Memory(...args);
    };
    WebAssembly.Memory.prototype = Memory.prototype;
    ${program}
  `);
  return JSON.parse(await text(child.stdout as NodeJS.ReadableStream));
}
