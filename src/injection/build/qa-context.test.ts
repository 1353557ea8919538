import { describe, expect, it } from "vitest";
import { injectionPorts } from "../../../test/support/injection-ports.js";
import { projectContext } from "../../../test/support/keep-records.js";
import type { MemoryInput } from "../../memory/memory.js";
import { remember } from "../../memory/remember/remember-memories.js";
import { qaContext } from "./qa-context.js";

describe("what a reviewer is told", () => {
  it("[I11] is what must hold, which errors come back and what was seen, of the files in question and of the project", async () => {
    const ports = await knowing(
      { type: "requirement", content: "Every answer has an id." },
      { type: "requirement", content: "A checkout takes a second at most.", relatedFiles: ["src/shop/checkout.ts"] },
      { type: "error_pattern", content: "`ECONNRESET` comes of a closed pool.", relatedModules: ["src/shop"] },
      { type: "error_pattern", content: "Of another module.", relatedModules: ["src/mail"] },
      { type: "e2e_observation", content: "The page needs a login.", data: { observationType: "precondition" } },
      { type: "gotcha", content: "A trap.", relatedFiles: ["src/shop/checkout.ts"] },
    );

    const { text, memories, point } = await qaContext(ports, { files: ["src/shop/checkout.ts"], sessionId: "qa" });

    expect([point, memories.length]).toEqual(["qa", 4]);
    expect(text.indexOf("A checkout")).toBeLessThan(text.indexOf("Every answer"));
    expect(text).toContain("ECONNRESET");
    expect(text).toContain("needs a login");
    expect(await qaContext(ports, { files: ["src/shop/checkout.ts"], sessionId: "qa" })).toMatchObject({ text: "" });
  });

  it("is nothing where nothing of the kind is known, sure and looked at", async () => {
    const ports = await knowing(
      { type: "gotcha", content: "A trap.", relatedFiles: ["src/shop/checkout.ts"] },
      { type: "requirement", content: "Only perhaps.", confidence: 0.3 },
      { type: "requirement", content: "Elsewhere.", relatedModules: ["src/mail"] },
    );
    await remember(ports.context, [{ type: "requirement", content: "From the web." }], {
      doubts: ["Read on the web."],
    });

    const context = await qaContext(ports, { files: ["src/shop/checkout.ts"], task: "Check the checkout" });

    expect(context).toMatchObject({ text: "", memories: [] });
  });

  it("is nothing that was kept for a session, where there is none", async () => {
    const ports = await knowing(
      { type: "requirement", content: "For no session.", scope: "session", relatedFiles: ["src/shop/checkout.ts"] },
      { type: "requirement", content: "For some work.", scope: "work_unit", sessionId: "coding" },
    );

    expect(await qaContext(ports, { files: ["src/shop/checkout.ts"] })).toMatchObject({ text: "", memories: [] });
  });

  it("is nothing where it comes too late, and is not noted then", async () => {
    const ports = await knowing({ type: "requirement", content: "Every answer has an id." });
    const { soFar } = ports;
    ports.soFar = async (...whose) => {
      const end = performance.now() + 60;
      while (performance.now() < end);
      return soFar(...whose);
    };

    const context = await qaContext(ports, { sessionId: "qa" }, { deadlineMs: 50 });

    expect(context).toMatchObject({ text: "", memories: [], isLate: true });
    expect(ports.told.size).toBe(0);
  });

  it("is not crowded out by what may not be told", async () => {
    const ports = await knowing({ type: "requirement", content: "Every answer has an id." });
    const unsure = Array.from({ length: 25 }, (_, n) => ({ type: "requirement", content: `Perhaps ${n}.` }));
    await remember(
      ports.context,
      unsure.map((one) => ({ ...one, confidence: 0.3 })),
    );
    await remember(
      ports.context,
      unsure.map((one) => ({ ...one, content: `${one.content} An agent says so.` })),
      { unverified: "No hooks run." },
    );

    expect((await qaContext(ports)).text).toContain("Every answer has an id.");
  });
});

async function knowing(...inputs: MemoryInput[]) {
  const context = await projectContext();
  await remember(context, inputs);
  return injectionPorts(context);
}
