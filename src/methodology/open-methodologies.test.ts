import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openTestMemory } from "../../test/support/open-memories.js";
import { phases, type MemoryInput } from "../memory/memory.js";
import { completeUnit, type CompletedUnit } from "./complete-unit.js";
import type { MethodologyPlugin, PluginMemory } from "./methodology.js";
import { native } from "./native.js";
import { openMethodologies } from "./open-methodologies.js";
import { safely } from "./safely.js";

describe("the ways of working", () => {
  it("are native, and those that the program brings", () => {
    const methodologies = openMethodologies([plugin()]);

    expect(methodologies.list().map(({ id }) => id)).toEqual(["native", "tdd"]);
    expect(methodologies.get()).toBe(native);
    expect(methodologies.get("tdd").mapPhase("red")).toBe("define");
    expect(methodologies.get().mapPhase("coding")).toBe("implement");
    expect(() => methodologies.get("bmad")).toThrow(
      expect.objectContaining({ code: "invalid-input", hint: expect.stringContaining("native, tdd") }),
    );
  });

  it("may be instances of a class", () => {
    class Shouting {
      id = "shouting";
      displayName = "Shouting";
      word = "implement" as const;
      mapPhase() {
        return this.word;
      }
    }
    const rest = Object.entries(native).filter(([name]) => !["id", "displayName", "mapPhase"].includes(name));
    const shouting = Object.assign(new Shouting(), Object.fromEntries(rest)) as unknown as MethodologyPlugin;

    const methodologies = openMethodologies([shouting]);

    expect(methodologies.get("shouting").mapPhase("anything")).toBe("implement");
    expect(methodologies.notes()).toEqual([]);
  });

  it.each<[string, unknown[], RegExp]>([
    ["no object", ["tdd"], /must be an object/],
    ["no id", [{ ...plugin(), id: undefined }], /has no id/],
    ["an id with a blank", [{ ...plugin(), id: "my way" }], /"my way"/],
    ["a name of two lines", [{ ...plugin(), displayName: "a\nb" }], /tdd has no displayName/],
    ["missing methods", [{ ...plugin(), mapPhase: undefined, extractWorkState: 1 }], /mapPhase, extractWorkState/],
    ["a hook that is none", [{ ...plugin(), onWorkUnitComplete: true }], /onWorkUnitComplete/],
    ["the same id twice", [plugin(), plugin()], /two methodologies with the id tdd/],
    ["the id of native", [{ ...plugin(), id: "native" }], /two methodologies with the id native/],
    ["a type of Tacit", [{ ...plugin(), customMemoryTypes: [{ type: "gotcha", purpose: "x" }] }], /gotcha is a type/],
    ["types that are no list", [{ ...plugin(), customMemoryTypes: {} }], /no list/],
    ["a field that cannot be read", [Object.defineProperty(plugin(), "id", { get: thrower })], /cannot be read/],
  ])("are refused with %s", (_what, plugins, message) => {
    expect(() => openMethodologies(plugins as MethodologyPlugin[])).toThrow(
      expect.objectContaining({ code: "invalid-input", message: expect.stringMatching(message) }),
    );
  });
});

describe("a plug-in that fails", () => {
  it("is stood in for by native, with one note for each method", async () => {
    const methodologies = openMethodologies([broken(thrower)]);
    const failing = methodologies.get("broken");
    const answers = async () => [
      failing.mapPhase("coding"),
      failing.resolveWorkUnitRef({ specNumber: "7" }),
      failing.getRelayTransitions(),
      failing.formatRelayContext([], "coder"),
      await failing.extractWorkState("Done: it"),
      failing.formatWorkStateContext({ done: ["it"] }),
    ];

    const first = await answers();

    expect(first).toEqual([
      "implement",
      { methodology: "broken", hierarchy: ["7"], label: "Spec 7" },
      native.getRelayTransitions(),
      "",
      { done: ["it"] },
      "Done:\n- it",
    ]);
    expect(await answers()).toEqual(first);
    expect(methodologies.notes()).toHaveLength(6);
    expect(methodologies.notes()[0]).toBe("The methodology broken failed in mapPhase: it\u241b fails.");
  });

  it("[I14] does no harm whatever it answers", async () => {
    await fc.assert(
      fc.asyncProperty(fc.anything({ withBigInt: true, withNullPrototype: true }), async (answer) => {
        const failing = openMethodologies([broken(() => answer)]).get("broken");

        expect(phases).toContain(failing.mapPhase("x"));
        expect(failing.resolveWorkUnitRef({}).hierarchy.every((part) => typeof part === "string")).toBe(true);
        expect(Array.isArray(failing.getRelayTransitions())).toBe(true);
        expect(typeof failing.formatRelayContext([], "x")).toBe("string");
        expect(JSON.parse(JSON.stringify(await failing.extractWorkState("x")))).toBeTypeOf("object");
        expect(typeof failing.formatWorkStateContext({})).toBe("string");
      }),
      { numRuns: 200 },
    );
  });

  it("is not waited for, nor is what it rejects later heard of", async () => {
    const notes: string[] = [];
    const note = (text: string) => notes.push(text);
    const hanging = safely(
      broken(() => new Promise(() => undefined)),
      { note, patienceMs: 5 },
    );
    const rejecting = safely(
      broken(() => Promise.reject(new Error("later"))),
      { note },
    );

    expect(await hanging.extractWorkState("Left: it")).toEqual({ left: ["it"] });
    expect(rejecting.mapPhase("spec")).toBe("define");
    expect(notes).toEqual([
      "The methodology broken failed in extractWorkState: it took longer than 5 ms.",
      "The methodology broken failed in mapPhase: its answer is none.",
    ]);
  });

  it("cannot fill the memory with what it writes", async () => {
    const writing = (answer: unknown) => openMethodologies([broken(() => answer)]).get("broken");

    expect(writing("x".repeat(1e6)).formatRelayContext([], "coder")).toHaveLength(40_000);
    expect(await writing({ text: "x".repeat(1e6) }).extractWorkState("Done: it")).toEqual({ done: ["it"] });
  });

  it("hands over nothing else when one of its transitions cannot be read", () => {
    const transitions = [
      { from: "a", to: "b" },
      { from: "b", to: "c", filter: { types: "requirement" } },
    ];
    const methodologies = openMethodologies([broken(() => transitions)]);

    expect(methodologies.get("broken").getRelayTransitions()).toEqual(native.getRelayTransitions());
  });
});

describe("a finished piece of work", () => {
  it("is told to its methodology, whose memories belong to the session", async () => {
    const memory = await openTestMemory();
    const methodologies = openMethodologies([
      plugin({
        onWorkUnitComplete: async ({ unit }, { state, summary }, { remember }) => {
          const content = `${unit?.label} ${state}: ${summary}`;
          await remember({ type: "work_unit_outcome", content, sessionId: "another", source: "user_taught" });
        },
      }),
    ]);

    await completeUnit(methodologies, told({ state: "started" }), memory);
    await completeUnit(methodologies, told({ summary: "All is green" }), memory);

    expect(await memory.list()).toMatchObject([
      {
        content: "Cycle 3 succeeded: All is green",
        sessionId: "s1",
        source: "agent_explicit",
        methodology: "tdd",
        workUnit: { hierarchy: ["3"] },
      },
    ]);
    expect(methodologies.notes()).toEqual([]);
  });

  it("breaks nothing, whatever the plug-in does and the agent says", async () => {
    const methodologies = openMethodologies([plugin({ onWorkUnitComplete: thrower })]);
    const memory: PluginMemory = { remember: thrower, list: thrower, recall: thrower };

    await completeUnit(methodologies, told({}), memory);
    await completeUnit(methodologies, told({ unit: { methodology: "none", hierarchy: [], label: "" } }), memory);
    await completeUnit(methodologies, told({ unit: undefined }), memory);
    await completeUnit(methodologies, undefined as unknown as CompletedUnit, memory);

    expect(methodologies.notes()).toEqual(["The methodology tdd failed in onWorkUnitComplete: it\u241b fails."]);
  });
});

function thrower(_input?: MemoryInput | string | object): never {
  throw new Error("it\u001b\nfails.");
}

function plugin(fields: Partial<MethodologyPlugin> = {}): MethodologyPlugin {
  return { ...native, id: "tdd", displayName: "Test first", mapPhase: () => "define", ...fields };
}

/** One whose methods all do this. */
function broken(answer: () => unknown): MethodologyPlugin {
  const methods = Object.entries(native).filter(([, value]) => typeof value === "function");
  const failing = Object.fromEntries(methods.map(([name]) => [name, answer]));
  return { ...failing, id: "broken", displayName: "Broken" } as unknown as MethodologyPlugin;
}

function told(fields: Record<string, unknown>): CompletedUnit {
  const unit = { methodology: "tdd", hierarchy: ["3"], label: "Cycle 3" };
  return { sessionId: "s1", unit, state: "succeeded", ...fields };
}
