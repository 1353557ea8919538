import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Note } from "../observer.js";
import { openScratchpad, type GrowingScratchpad } from "./open-scratchpad.js";

describe("a scratchpad", () => {
  it("joins a call and its result into one action", () => {
    const pad = padWith(call("1", { files: ["a.ts"] }), result("1", { bytes: 20, imports: ["./b.js"] }));

    expect(pad.actions).toEqual([
      {
        order: 0,
        at: 0,
        endedAt: 1,
        step: 0,
        tool: "Read",
        does: "read",
        files: ["a.ts"],
        bytes: 20,
        imports: ["./b.js"],
      },
    ]);
  });

  it("joins calls that are made at once, whichever is answered first", () => {
    const pad = padWith(call("1"), call("2"), result("2", { bytes: 2 }), result("1", { bytes: 1 }));

    expect(pad.actions.map(({ bytes }) => bytes)).toEqual([1, 2]);
  });

  it("keeps a call without a result and a result without a call", () => {
    const pad = padWith(call("1"), result("2", { bytes: 7, failed: true }));

    expect(pad.actions).toMatchObject([{ tool: "Read" }, { tool: "", does: "other", failed: true }]);
    expect(pad.actions[0]).not.toHaveProperty("endedAt");
  });

  it("takes a call or a result that is told twice once, and the same call later as another", () => {
    const once = padWith(call("1"), call("1"), result("1", { bytes: 1 }), result("1", { bytes: 2 }));
    const later = padWith(call("1"), result("1"), call("1"), result("1", { failed: true }));
    const unanswered = padWith(call("1"), { ...call("1"), at: 60_000 });

    expect(once.actions).toMatchObject([{ bytes: 1 }]);
    expect(later.actions).toMatchObject([{ step: 0 }, { step: 1, failed: true }]);
    expect(unanswered.actions).toHaveLength(2);
  });

  it("takes a call that comes with its result as the one that was told before, or as its own", () => {
    const late = { ...call("1"), at: 60_000, late: true as const };

    expect(padWith(call("1"), late, result("1")).actions).toHaveLength(1);
    expect(padWith(late, result("1")).actions).toMatchObject([{ tool: call("1").tool }]);
    expect(padWith(late, result("1"), late, result("1")).actions).toHaveLength(2);
  });

  it("ends a step where the agent says so", () => {
    const pad = padWith(
      call("1"),
      step({ inputTokens: 100, outputTokens: 5 }),
      result("1"),
      call("2"),
      result("2"),
      call("3"),
      step({ inputTokens: 200 }),
    );

    expect(pad.actions.map((action) => action.step)).toEqual([0, 1, 1]);
    expect(pad.steps.map((one) => one.step)).toEqual([0, 1]);
    expect(pad.analytics).toMatchObject({ currentStep: 2, inputTokens: 300, outputTokens: 5 });
  });

  it("counts steps itself where the agent does not: calls made at once are one", () => {
    const pad = padWith(
      call("1"),
      call("2"),
      result("1"),
      result("2"),
      call("3"),
      said("plan"),
      call("4"),
      step({}),
      call("5"),
    );

    expect(pad.actions.map((action) => action.step)).toEqual([0, 0, 1, 2, 3]);
  });

  it("gives everything an order in which later things are greater", () => {
    const pad = padWith(
      { kind: "prompt", at: 0, text: "Do it." },
      said("plan", "cause"),
      call("1"),
      said("correction"),
    );

    expect([...pad.prompts, ...pad.sayings.slice(0, 2), ...pad.actions, ...pad.sayings.slice(2)]).toMatchObject(
      [0, 1, 2, 3, 4].map((order) => ({ order })),
    );
  });

  it("keeps the first start, completed by later ones, and the last end", () => {
    const pad = padWith(
      { kind: "start", at: 1, root: "/project", task: "First." },
      { kind: "end", at: 2, outcome: "abandoned" },
      { kind: "start", at: 3, root: "/project", task: "Second.", type: "spec" },
    );

    expect(pad.start).toMatchObject({ at: 1, order: 0, task: "First.", type: "spec" });
    expect(pad.end).toBeUndefined();
    pad.add({ kind: "end", at: 4, outcome: "success" });
    expect(pad.end?.outcome).toBe("success");
  });

  it("counts as events come", () => {
    const pad = padWith(
      call("1", { files: ["a.ts"] }),
      call("2", { does: "edit", files: ["a.ts", "package.json"] }),
      result("2"),
      call("3", { does: "edit", files: ["b.ts"] }),
      result("3", { failed: true, error: { fingerprint: "f", message: "", kind: "failed" } }),
      call("4", { does: "search", search: { pattern: " openStore ", by: "text" } }),
      said("correction"),
    );

    expect(pad.analytics).toMatchObject({
      events: 7,
      toolCalls: 4,
      corrections: 1,
      recent: ["read", "edit", "edit", "search"],
    });
    expect(Object.fromEntries(pad.analytics.fileAccesses)).toEqual({ "a.ts": 2, "package.json": 1, "b.ts": 1 });
    expect([...pad.analytics.filesEdited]).toEqual(["a.ts", "package.json"]);
    expect([...pad.analytics.configTouched]).toEqual(["package.json"]);
    expect([...pad.analytics.searches]).toEqual([["openStore", 1]]);
    expect([...pad.analytics.errors]).toEqual([["f", 1]]);
  });

  it("finds attempts anew when something was added", () => {
    const pad = padWith(call("1", { does: "edit", files: ["a.ts"] }), result("1"));
    const before = pad.attempts();

    expect(before).toMatchObject([{ fate: "open", files: ["a.ts"] }]);
    expect(pad.attempts()).toBe(before);
    pad.add(call("2", { does: "run", command: { line: "npm test", name: "npm test", purpose: "test" } }));
    pad.add(result("2"));
    expect(pad.attempts()).toMatchObject([{ fate: "held" }]);
  });

  it("takes in anything without throwing, and drops fields of the wrong type", () => {
    const pad = openScratchpad("child");
    for (const odd of [undefined, null, 7, "call", [], { kind: "toString" }, { kind: "call" }])
      pad.add(odd as unknown as Note);
    pad.add({ ...call("1"), files: "a.ts", search: {}, order: 99, at: "now" } as unknown as Note);
    pad.add({ ...result("1"), tool: "Other", error: { message: 1 }, bytes: "many" } as unknown as Note);

    expect(pad.actions).toEqual([{ order: 0, at: 0, endedAt: 1, step: 0, tool: "Read", does: "read" }]);
    expect(pad.analytics.events).toBe(9);
  });

  it("[O11] never throws, orders everything and stays within its limit, whatever comes", () => {
    const limitBytes = 4000;

    fc.assert(
      fc.property(fc.array(anyNote(), { maxLength: 120 }), (notes) => {
        const pad = openScratchpad(undefined, { limitBytes });
        for (const note of notes) {
          pad.add(note as Note);
          expect(pad.analytics.bytes).toBeLessThanOrEqual(limitBytes);
          expect(pad.analytics.bytes).toBeGreaterThanOrEqual(0);
        }

        const orders = pad.actions.map(({ order }) => order);
        expect(orders).toEqual(orders.toSorted((a, b) => a - b));
        expect(new Set(orders).size).toBe(orders.length);
        expect(pad.analytics.events).toBe(notes.length);
        pad.attempts();
      }),
    );
  });
});

describe("a scratchpad that is full", () => {
  it("[O11] lets go of what says nothing first, and of errors, edits and corrections last", () => {
    const pad = openScratchpad(undefined, { limitBytes: 40_000 });
    pad.add(said("correction"));
    for (let index = 0; index < 400; index++) {
      pad.add(call(`o${index}`, { tool: "TodoWrite", does: "other" }));
      pad.add(result(`o${index}`));
      pad.add(call(`r${index}`, { files: ["a.ts"] }));
      pad.add(result(`r${index}`));
      if (index % 20 === 0) pad.add(call(`e${index}`, { does: "edit", files: [`src/${index}.ts`] }));
    }

    expect(pad.analytics.evicted).toBeGreaterThan(300);
    expect(pad.sayings).toHaveLength(1);
    expect(pad.actions.filter(({ does }) => does === "edit")).toHaveLength(20);
    expect(pad.actions.some(({ does }) => does === "read")).toBe(true);
    expect(pad.analytics.toolCalls).toBe(820);
  });

  it("never forgets the first content from outside", () => {
    const pad = openScratchpad(undefined, { limitBytes: 20_000 });
    pad.add(call("w", { tool: "WebFetch", does: "fetch", outside: { from: "web", what: "example.org" } }));
    for (let index = 0; index < 1000; index++) pad.add(call(`e${index}`, { does: "edit", files: [`src/${index}.ts`] }));

    expect(pad.actions[0]?.outside?.what).toBe("example.org");
    expect(pad.analytics.bytes).toBeLessThanOrEqual(20_000);
  });

  it("counts as having seen something from outside once it no longer knows which files were read", () => {
    const pad = openScratchpad(undefined, { limitBytes: 20_000 });
    for (let index = 0; index < 1000; index++) pad.add(call(`r${index}`, { files: [`src/${index}.ts`] }));

    expect(pad.actions[0]).toMatchObject({ order: 0, files: ["src/0.ts"], outside: { from: "untracked" } });
    expect(pad.actions.filter(({ outside }) => outside)).toHaveLength(1);
  });

  it("bounds what it counts by name too", () => {
    const pad = openScratchpad(undefined);
    for (let index = 0; index < 12_000; index++) {
      pad.add(call(`e${index}`, { does: "edit", files: [`src/${index}.ts`, "src/main.ts"] }));
      pad.add(result(`e${index}`));
    }

    expect(pad.analytics.fileAccesses.size).toBeLessThanOrEqual(5000);
    expect(pad.analytics.fileAccesses.get("src/main.ts")).toBe(12_000);
    expect(pad.analytics.filesEdited.size).toBeLessThanOrEqual(5000);
  });
});

function padWith(...notes: Note[]): GrowingScratchpad {
  const pad = openScratchpad(undefined);
  for (const note of notes) pad.add(note);
  return pad;
}

type CallNote = Extract<Note, { kind: "call" }>;
type ResultNote = Extract<Note, { kind: "result" }>;

function call(id: string, rest: Partial<CallNote> = {}): CallNote {
  return { kind: "call", at: 0, call: id, tool: "Read", does: "read", ...rest };
}

function result(id: string, rest: Partial<ResultNote> = {}): ResultNote {
  return { kind: "result", at: 1, call: id, bytes: 0, ...rest };
}

function step(tokens: { inputTokens?: number; outputTokens?: number }): Note {
  return { kind: "step", at: 2, ...tokens };
}

function said(...kinds: ("correction" | "plan" | "cause")[]): Note {
  return { kind: "said", at: 3, sayings: kinds.map((is) => ({ is, text: "So." })) };
}

/** Notes as they should be, and notes as a damaged file may hold them. */
function anyNote(): fc.Arbitrary<unknown> {
  const id = fc.constantFrom("1", "2", "3", "4");
  const text = fc.string({ unit: "binary", maxLength: 200 });
  const files = fc.array(fc.constantFrom("a.ts", "b.ts", "package.json"), { maxLength: 3 });
  const outside = fc.option(fc.record({ from: fc.constant("web"), what: text }), { nil: undefined });
  const does = fc.constantFrom("read", "edit", "search", "run", "fetch", "other");
  const error = fc.record({ fingerprint: id, message: text, kind: text });
  return fc.oneof(
    fc.record({ kind: fc.constant("call"), at: fc.nat(), call: id, tool: text, does, files, outside }),
    fc.record({ kind: fc.constant("result"), at: fc.nat(), call: id, bytes: fc.nat(), failed: fc.boolean(), error }),
    fc.record({ kind: fc.constant("said"), sayings: fc.array(fc.record({ is: fc.constant("plan"), text })) }),
    fc.record({ kind: fc.constantFrom("prompt", "step", "unit", "qa", "commit", "start", "end", "x"), text }),
    fc.record({ kind: fc.constantFrom("call", "result", "said"), at: fc.anything(), call: fc.anything(), does }),
    fc.anything(),
  );
}
