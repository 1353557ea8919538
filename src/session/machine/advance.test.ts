import { assert, constantFrom, array, property, record } from "fast-check";
import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../observer/observer.js";
import { advance } from "./advance.js";
import type { AgentEventKind, DriveKind, Effect, SessionInput, SessionState } from "./session-state.js";

const [sessionId, agentId] = ["s1", "helper"];
const unit = { methodology: "native", hierarchy: ["shop", "tax"], label: "Tax" };

/** Every state, those with more than a name in all the forms that matter. Another state is a line here. */
const states = {
  open: { name: "open" },
  noting: { name: "noting" },
  "telling, open below": { name: "telling", under: "open", tellings: new Map([["", 1]]) },
  "telling, noting below": { name: "telling", under: "noting", tellings: new Map([["", 1]]) },
  "telling, finished below": { name: "telling", under: "finished", tellings: new Map([["", 1]]) },
  "finishing, of nothing noted": finishing({ isBegun: false }),
  finishing: finishing({}),
  "finishing, closed": finishing({ isBegun: false, isClosed: true }),
  "finishing, closed, in a new part": finishing({ isClosed: true }),
  "finishing, closed, to be learned from again": finishing({ isClosed: true, isAgain: true }),
  finished: { name: "finished" },
} satisfies Record<string, SessionState>;

type StateName = keyof typeof states;
const names = Object.keys(states) as StateName[];

/** Another state is a line here, or this does not compile; and one above, or the first test fails. */
const covered: Record<SessionState["name"], true> = {
  open: true,
  noting: true,
  telling: true,
  finishing: true,
  finished: true,
};

/** One event of each kind, of the main agent. Another kind is a line here, or this does not compile. */
const events: { [K in AgentEventKind]: Extract<AgentEvent, { kind: K }> } = {
  start: { sessionId, kind: "start", agent: "test" },
  prompt: { sessionId, kind: "prompt", text: "Fix it." },
  call: { sessionId, kind: "call", callId: "1", tool: "Read", input: {} },
  result: { sessionId, kind: "result", callId: "1", text: "" },
  reasoning: { sessionId, kind: "reasoning", text: "I was wrong." },
  step: { sessionId, kind: "step" },
  unit: { sessionId, kind: "unit", unit, state: "started" },
  subagent: { sessionId, kind: "subagent", state: "started", childId: agentId },
  qa: { sessionId, kind: "qa", passed: true },
  commit: { sessionId, kind: "commit", sha: "abcd", message: "Fix it" },
  remember: { sessionId, kind: "remember", content: "Use pnpm." },
  injected: { sessionId, kind: "injected", point: "prompt", memories: [], tokens: 1 },
  compacted: { sessionId, kind: "compacted" },
  end: { sessionId, kind: "end" },
};
const kinds = Object.keys(events) as AgentEventKind[];

/** The states in which the part that is written to has not begun. */
const unbegun: ReadonlySet<StateName> = new Set<StateName>([
  "open",
  "telling, open below",
  "telling, finished below",
  "finishing, of nothing noted",
  "finishing, closed",
  "finished",
]);

/** Where each state goes with a note. */
const noted: Record<StateName, SessionState> = {
  open: states.noting,
  noting: states.noting,
  "telling, open below": states["telling, noting below"],
  "telling, noting below": states["telling, noting below"],
  "telling, finished below": states["telling, noting below"],
  "finishing, of nothing noted": states.finishing,
  finishing: states.finishing,
  "finishing, closed": states["finishing, closed, in a new part"],
  "finishing, closed, in a new part": states["finishing, closed, in a new part"],
  "finishing, closed, to be learned from again": states["finishing, closed, to be learned from again"],
  finished: states.noting,
};

/** What follows from each kind of event beside its note, in every state. Of `end` the table below tells. */
const consequences: Record<Exclude<AgentEventKind, "end">, string[]> = {
  start: ["catch-up"],
  prompt: [],
  call: [],
  result: [],
  reasoning: [],
  step: [],
  unit: [],
  subagent: [],
  qa: [],
  commit: [],
  remember: [],
  injected: [],
  compacted: [],
};

type Row = Record<DriveKind | "end", [state: SessionState, ...effects: string[]]>;

const [again, all] = ["finishing, closed, to be learned from again", "finishing"] as const;
const telling = (name: "open" | "noting" | "finished") => states[`telling, ${name} below`];
const twice = (state: SessionState) => ({ ...state, tellings: new Map([["", 2]]) }) as SessionState;
const once = (state: SessionState) => ({ ...state, tellings: new Map([["", 1]]) }) as SessionState;

/** What an end of the main agent, and each thing that drivers do, leads to in each state. */
const table: Record<StateName, Row> = {
  open: {
    end: [states[all], "begin", "note", "learn"],
    tell: [telling("open"), "choose"],
    told: [states.open],
    finish: [states["finishing, of nothing noted"], "learn"],
    closed: [states.open],
    learned: [states.finished],
    failed: [states.open],
    promote: [states.open, "promote"],
  },
  noting: {
    end: [states[all], "note", "learn"],
    tell: [telling("noting"), "choose"],
    told: [states.noting],
    finish: [states[all], "learn"],
    closed: [states.noting],
    learned: [states.finished],
    failed: [states.noting],
    promote: [states.noting, "promote"],
  },
  "telling, open below": {
    end: [once(states[all]), "begin", "note", "learn"],
    tell: [twice(telling("open")), "wait", "choose"],
    told: [states.open],
    finish: [once(states["finishing, of nothing noted"]), "learn"],
    closed: [telling("open")],
    learned: [telling("finished")],
    failed: [telling("open")],
    promote: [telling("open"), "promote"],
  },
  "telling, noting below": {
    end: [once(states[all]), "note", "learn"],
    tell: [twice(telling("noting")), "wait", "choose"],
    told: [states.noting],
    finish: [once(states[all]), "learn"],
    closed: [telling("noting")],
    learned: [telling("finished")],
    failed: [telling("noting")],
    promote: [telling("noting"), "promote"],
  },
  "telling, finished below": {
    end: [once(states[all]), "begin", "note", "learn"],
    tell: [twice(telling("finished")), "wait", "choose"],
    told: [states.finished],
    finish: [once(states["finishing, of nothing noted"]), "learn"],
    closed: [telling("finished")],
    learned: [telling("finished")],
    failed: [telling("finished")],
    promote: [telling("finished"), "promote"],
  },
  "finishing, of nothing noted": {
    end: [states[all], "begin", "note"],
    tell: [once(states["finishing, of nothing noted"]), "choose"],
    told: [states["finishing, of nothing noted"]],
    finish: [states["finishing, of nothing noted"], "join"],
    closed: [states["finishing, closed"]],
    learned: [states.finished],
    failed: [states.open],
    promote: [states["finishing, of nothing noted"]],
  },
  finishing: {
    end: [states.finishing, "note"],
    tell: [once(states.finishing), "choose"],
    told: [states.finishing],
    finish: [states.finishing, "join"],
    closed: [states["finishing, closed"]],
    // It was not even closed, as where memory is switched off: its notes stay.
    learned: [states.noting],
    failed: [states.noting],
    promote: [states.finishing],
  },
  "finishing, closed": {
    end: [states[again], "begin", "note"],
    tell: [once(states["finishing, closed"]), "choose"],
    told: [states["finishing, closed"]],
    finish: [states["finishing, closed"], "join"],
    closed: [states["finishing, closed"]],
    learned: [states.finished],
    // Its notes are where they were.
    failed: [states.noting],
    promote: [states["finishing, closed"]],
  },
  "finishing, closed, in a new part": {
    end: [states[again], "note"],
    tell: [once(states["finishing, closed, in a new part"]), "choose"],
    told: [states["finishing, closed, in a new part"]],
    finish: [states[again], "learn-next"],
    closed: [states["finishing, closed"]],
    learned: [states.noting],
    failed: [states.noting],
    promote: [states["finishing, closed, in a new part"]],
  },
  "finishing, closed, to be learned from again": {
    end: [states[again], "note"],
    tell: [once(states[again]), "choose"],
    told: [states[again]],
    finish: [states[again], "learn-next"],
    closed: [finishing({ isBegun: false, isClosed: true, isAgain: true })],
    learned: [states[all], "learn"],
    failed: [states[all], "learn"],
    promote: [states[again]],
  },
  finished: {
    end: [states[all], "begin", "note", "learn"],
    tell: [telling("finished"), "choose"],
    told: [states.finished],
    finish: [states["finishing, of nothing noted"], "learn"],
    closed: [states.finished],
    learned: [states.finished],
    failed: [states.finished],
    promote: [states.finished, "promote"],
  },
};
const driveKinds = (Object.keys(table.open) as (keyof Row)[]).filter((kind) => kind !== "end");

describe("[O19] what follows in each state", () => {
  it("is said of every state", () => {
    expect(new Set(Object.values(states).map(({ name }) => name))).toEqual(new Set(Object.keys(covered)));
  });

  describe.each(names)("%s", (name) => {
    it.each(kinds.filter((kind) => kind !== "end"))("from the event %s", (kind) => {
      const { state, effects } = advance(states[name], events[kind]);

      const begin = unbegun.has(name) && kind !== "start" ? ["begin"] : [];
      expect(dos(effects)).toEqual([...begin, "note", ...consequences[kind]]);
      expect(state).toEqual(noted[name]);
    });

    it("from the end of the main agent", () => {
      const [state, ...effects] = table[name].end;

      expect(shown(advance(states[name], events.end))).toEqual({ state, effects });
    });

    it("from the end of another agent: a note, as any other", () => {
      const { state, effects } = advance(states[name], { ...events.end, agentId });

      expect(dos(effects)).toEqual([...(unbegun.has(name) ? ["begin"] : []), "note"]);
      expect(state).toEqual(noted[name]);
    });

    it("from the start of another agent: it is not how the session began", () => {
      const { state, effects } = advance(states[name], { ...events.start, agentId });

      expect(dos(effects)).toEqual([...(unbegun.has(name) ? ["begin"] : []), "note", "catch-up"]);
      expect(state).toEqual(noted[name]);
    });

    it.each(driveKinds)("from %s", (kind) => {
      const [state, ...effects] = table[name][kind];

      expect(shown(advance(states[name], { kind, sessionId }))).toEqual({ state, effects });
    });

    it.each(["succeeded", "failed"] as const)("from a unit that %s", (came) => {
      const { effects } = advance(states[name], { ...events.unit, state: came });

      const mayPromote = came === "succeeded" && states[name].name !== "finishing";
      expect(dos(effects).filter((what) => what !== "begin")).toEqual([
        "note",
        "complete-unit",
        ...(mayPromote ? ["promote"] : []),
      ]);
    });

    it("from a compaction with a transcript, of the main agent only", () => {
      const compacted = { ...events.compacted, transcript: "/tmp/s1.jsonl" };

      const [main, other] = [advance(states[name], compacted), advance(states[name], { ...compacted, agentId })];

      expect(main.effects).toContainEqual({ do: "import-transcript", transcript: "/tmp/s1.jsonl" });
      expect(dos(other.effects)).not.toContain("import-transcript");
    });

    it.each([...kinds, ...driveKinds])("nothing from %s without a session", (kind) => {
      for (const id of [undefined, "", 7, "x".repeat(501)]) {
        const input = { ...events[kind as AgentEventKind], kind, sessionId: id } as SessionInput;

        expect(advance(states[name], input)).toEqual({ state: states[name], effects: [] });
      }
    });

    it("nothing from what is no event", () => {
      for (const kind of ["toString", "", "ended", 1]) {
        expect(advance(states[name], { kind, sessionId } as unknown as SessionInput)).toEqual({
          state: states[name],
          effects: [],
        });
      }
    });
  });
});

describe("tellings", () => {
  it("of different agents do not wait for each other, and the session stands where it stood after the last of them", () => {
    const first = advance(states.noting, { kind: "tell", sessionId });
    const second = advance(first.state, { kind: "tell", sessionId, agentId });
    const third = advance(second.state, { kind: "tell", sessionId, agentId });

    expect([first, second, third].map(({ effects }) => dos(effects))).toEqual([
      ["choose"],
      ["choose"],
      ["wait", "choose"],
    ]);
    expect(third.effects[0]).toEqual({ do: "wait", maxMs: 100 });
    const told = [agentId, undefined, agentId].reduce(
      (state, who) => advance(state, { kind: "told", sessionId, agentId: who }).state,
      third.state,
    );
    expect(told).toEqual(states.noting);
  });

  it("go on while the session is finished, and end in what it is then", () => {
    const asked = advance(states.noting, { kind: "tell", sessionId }).state;
    const ended = advance(asked, events.end).state;
    const learned = advance(advance(ended, { kind: "closed", sessionId }).state, { kind: "learned", sessionId }).state;

    expect(learned).toEqual(states["telling, finished below"]);
    expect(advance(learned, { kind: "told", sessionId }).state).toEqual(states.finished);
  });
});

describe("[O19] whatever happens in whatever order", () => {
  const anyInput = record({
    // What makes parts, often.
    kind: constantFrom(...kinds, ...driveKinds, ...(["end", "end", "closed", "closed", "learned"] as const)),
    agentId: constantFrom(undefined, undefined, "a", "b"),
  });

  it("each part begins once, one is learned from at a time, and no end goes unlearned", () => {
    assert(
      property(array(anyInput, { maxLength: 60 }), (inputs) => {
        expect(
          follow(inputs.map((input) => ({ ...events[input.kind as AgentEventKind], ...input, sessionId }))),
        ).toEqual([]);
      }),
    );
  });
});

/** What goes wrong where somebody does what the machine says, with a disk that has a part that is written to. */
function follow(inputs: readonly object[]): string[] {
  const problems: string[] = [];
  let state: SessionState = { name: "open" };
  let part = { isBegun: false, hasEnded: false };
  let learning: { claimed?: typeof part } | undefined;
  const take = (input: SessionInput): void => {
    const step = advance(state, input);
    state = step.state;
    if (input.kind === "end" && input.agentId === undefined) part.hasEnded = true;
    for (const effect of step.effects) {
      if (effect.do === "begin" && part.isBegun) problems.push("It begins twice.");
      if (effect.do === "note" && !part.isBegun && !isBeginning(input)) problems.push("It does not begin.");
      if (effect.do === "begin" || effect.do === "note") part.isBegun = true;
      if (effect.do === "learn" && learning) problems.push("It is learned from twice.");
      if (effect.do === "learn") learning = {};
    }
  };
  const close = (): void => {
    if (!learning || learning.claimed) return;
    learning.claimed = part;
    part = { isBegun: false, hasEnded: false };
    take({ kind: "closed", sessionId });
  };
  const settle = (kind: "learned" | "failed"): void => {
    if (!learning?.claimed) return;
    // What could not be learned from is given back, and is for whoever comes next.
    if (kind === "failed") part = { isBegun: true, hasEnded: part.hasEnded };
    learning = undefined;
    take({ kind, sessionId });
  };
  for (const input of inputs as SessionInput[]) {
    if (input.kind === "closed") close();
    else if (input.kind === "learned" || input.kind === "failed") settle(input.kind);
    else take(input);
  }
  for (let rounds = 0; rounds < 5; rounds += 1) {
    close();
    settle("learned");
  }
  if (learning) problems.push("It is learned from without end.");
  if (part.hasEnded) problems.push("Its end is not learned from.");
  return problems;
}

function isBeginning({ kind, agentId: who }: SessionInput): boolean {
  return kind === "start" && who === undefined;
}

function finishing(more: Partial<Omit<Extract<SessionState, { name: "finishing" }>, "name">>): SessionState & {
  name: "finishing";
} {
  return { name: "finishing", isBegun: true, isClosed: false, isAgain: false, tellings: new Map(), ...more };
}

function dos(effects: readonly Effect[]): string[] {
  return effects.map((effect) => effect.do);
}

function shown({ state, effects }: { state: SessionState; effects: readonly Effect[] }) {
  return { state, effects: dos(effects) };
}
