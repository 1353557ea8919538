import type { SelectionOptions, Choice, InjectionPorts, Moment, StepTrigger } from "../injection.js";

// The first design: before, an agent still has in mind what it was told at the start.
const firstStep = 5;

/**
 * What to say between two steps, from the fifth on, and what led to it: a warning about a file just touched, else what this
 * session has remembered, else the answer to a search. Undefined where none of them has anything new, and `late` where the
 * deadline was over before all were asked.
 */
export async function decideStep(
  ports: InjectionPorts,
  moment: Extract<Moment, { point: "step" }>,
  asked: SelectionOptions,
): Promise<{ trigger: StepTrigger; choices: Choice[] } | "late" | undefined> {
  if ((moment.step ?? asked.soFar.steps) < firstStep) return undefined;
  for (const [trigger, find] of triggers) {
    if (asked.deadline.left() === 0) return "late";
    const choices = await find(ports, moment, asked);
    if (choices.length > 0) return { trigger, choices };
  }
  return asked.deadline.left() === 0 ? "late" : undefined;
}

type Find = (
  ports: InjectionPorts,
  moment: Extract<Moment, { point: "step" }>,
  asked: SelectionOptions,
) => Promise<Choice[]>;

// Loaded one by one: most steps touch a file or search for something, few both.
const triggers: [StepTrigger, Find][] = [
  [
    "warning",
    async (...given) => (given[1].touched?.length ? (await import("./find-warnings.js")).findWarnings(...given) : []),
  ],
  ["recorded", async (...given) => (await import("./find-recorded.js")).findRecorded(...given)],
  [
    "answered-search",
    async (...given) => (given[1].searches?.length ? (await import("./find-answer.js")).findAnswer(...given) : []),
  ],
];
