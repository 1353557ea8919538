import { describe, expect, it } from "vitest";
import { outcomeOf, performVerb, type Trace } from "../support/perform-verb.js";
import { describeVerb, effects, expectedOf, titleOf, type Effect, type WritingVerb } from "../support/writing-verb.js";
import { editingVerbs } from "../support/editing-verbs.js";

const writingVerbs = [...editingVerbs];

const rows = writingVerbs.flatMap((verb) =>
  effects.map((effect): [string, WritingVerb, Effect] => [describeVerb(verb, effect), verb, effect]),
);

describe("every verb that changes memories", () => {
  const performed = new Map<string, Promise<Trace>>();

  it.each(rows)("[CH1] %s", async (_, verb, effect) => {
    // Once for all that follows it.
    const trace = performed.get(titleOf(verb)) ?? performVerb(verb);
    performed.set(titleOf(verb), trace);

    expect(outcomeOf(effect, await trace)).toBe(expectedOf(verb, effect).outcome);
  });
});
