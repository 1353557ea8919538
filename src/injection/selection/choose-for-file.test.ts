import type { MemoryContext } from "../../memory/change/change.js";
import { describe, expect, it } from "vitest";
import { askedAs } from "../../../test/support/injection-asked.js";
import { injectionPorts } from "../../../test/support/injection-ports.js";
import { projectContext } from "../../../test/support/keep-records.js";
import type { MemoryInput } from "../../memory/memory.js";
import { remember } from "../../memory/remember/remember-memories.js";
import { chooseForFile } from "./choose-for-file.js";
import type { Choice } from "../injection.js";

const file = "src/pdf/render.ts";

describe("chooseForFile", () => {
  it("tells traps, errors, dead ends and couplings of the file, or of what it defines, however it is written", async () => {
    const context = await projectWith(
      { content: "It leaks.", type: "gotcha", relatedFiles: [file] },
      { content: "Error.", type: "error_pattern", relatedFiles: [file, "src/b.ts"] },
      { content: "It was tried.", type: "dead_end", graphNodes: [`${file}#renderPage`] },
      { content: "They belong together.", type: "causal_dependency", relatedFiles: [file] },
      { content: "A decision.", type: "decision", relatedFiles: [file] },
      { content: "Of another file.", type: "gotcha", relatedFiles: ["src/pdf/render.tsx"] },
    );
    const { root } = await context.folder();

    for (const written of [file, `./${file}`, `${root}/${file}`]) {
      expect(contentsOf(await choose(context, written))).toEqual([
        "Error.",
        "It leaks.",
        "It was tried.",
        "They belong together.",
      ]);
    }
    expect(await choose(context, "src/other.ts")).toEqual([]);
    expect((await choose(context, "src/b.ts"))[0]?.why).toBe("is about src/b.ts, which was just read");
  });

  it("tells the best four that were not told yet", async () => {
    const inputs = Array.from({ length: 6 }, (_, n) => ({
      content: `Trap ${n}`,
      type: "gotcha",
      confidence: 0.6 + n / 20,
      relatedFiles: [file],
    }));
    const context = await projectWith(...inputs);

    const first = await choose(context, file);
    const then = await choose(
      context,
      file,
      first.map(({ memory }) => memory.id),
    );

    expect(contentsOf(first)).toEqual(["Trap 2", "Trap 3", "Trap 4", "Trap 5"]);
    expect(contentsOf(then)).toEqual(["Trap 0", "Trap 1"]);
  });

  it("tells nothing that waits, that nobody verified or that is not sure", async () => {
    const context = await projectWith({ content: "Perhaps.", type: "gotcha", relatedFiles: [file], confidence: 0.5 });
    const trap = { type: "gotcha", relatedFiles: [file] };
    await remember(context, [{ ...trap, content: "From the web." }], { doubts: ["It was read on the web."] });
    await remember(context, [{ ...trap, content: "Nobody vouches." }], { unverified: "No hooks run." });

    expect(await choose(context, file)).toEqual([]);
  });
});

async function choose(context: MemoryContext, path: string, told: string[] = []): Promise<Choice[]> {
  return chooseForFile(
    injectionPorts(context),
    { point: "file-read", sessionId: "s1", files: [path] },
    askedAs({ told }),
  );
}

async function projectWith(...inputs: MemoryInput[]): Promise<MemoryContext> {
  const context = await projectContext();
  await remember(context, inputs);
  return context;
}

function contentsOf(choices: readonly Choice[]): string[] {
  return choices.map(({ memory }) => memory.content).toSorted();
}
