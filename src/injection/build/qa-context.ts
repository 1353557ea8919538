import type { Memory } from "../../memory/memory.js";
import { readProject } from "../../project/project.js";
import { emptyInjection, type Choice, type InjectOptions, type Injection, type InjectionPorts } from "../injection.js";
import { recipientIn, isEligible } from "../eligibility/is-eligible.js";
import { findAbout } from "./find-about.js";
import { listProjectWide } from "../active-files/active-files-queries.js";
import { ifInjectionEnabled, injectBuild } from "./inject-build.js";

export interface QaQuery {
  /** What is to be checked. */
  task?: string;
  modules?: readonly string[];
  /** Those that were changed; absolute, or relative to the root. */
  files?: readonly string[];
  /** The reviewer's own session: what it was told before is not told again, and this is noted. */
  sessionId?: string;
}

// Of each as many as a reviewer can keep in mind; in this order where there is room for few.
const counts = { requirement: 8, error_pattern: 6, e2e_observation: 6 };
const types = Object.keys(counts) as (keyof typeof counts)[];

/**
 * What a reviewer should know before the first call: what must hold, which errors come back, and how the running program
 * behaves; of the modules in question first, then of the project as a whole.
 */
export async function qaContext(
  given: InjectionPorts,
  query: QaQuery = {},
  options: InjectOptions = {},
): Promise<Injection> {
  return ifInjectionEnabled(given, options, emptyInjection("qa"), async (ports, asked) => {
    const { minConfidence } = asked;
    const { memories: near } = await findAbout(ports, query, { types, minConfidence });
    const wide = await listWide(ports, query, minConfidence);
    const choices = types.flatMap((type, place) =>
      [
        ...ofType(near, type).map((memory) => ({ memory, why: whys[type].near })),
        ...ofType(wide, type).map((memory) => ({ memory, why: whys[type].wide })),
      ]
        .filter(({ memory }, index, all) => all.findIndex((other) => other.memory.id === memory.id) === index)
        .slice(0, counts[type])
        .map((choice, index): Choice => ({ ...choice, worth: -(index * types.length + place) })),
    );
    return injectBuild(ports, "qa", { choices, sessionId: query.sessionId }, asked);
  });
}

async function listWide({ context }: InjectionPorts, { sessionId }: QaQuery, minConfidence: number): Promise<Memory[]> {
  const listener = await recipientIn(context, { minConfidence }, { sessionId });
  const found = await readProject(context, [], (reader, project) =>
    listProjectWide(reader, project, { types, most: 20 }, listener, context.now()),
  );
  return found
    .filter((memory) => isEligible(memory, listener))
    .toSorted((a, b) => b.currentConfidence - a.currentConfidence);
}

function ofType(memories: readonly Memory[], type: string): Memory[] {
  return memories.filter((memory) => memory.type === type);
}

const whys: Record<keyof typeof counts, { near: string; wide: string }> = {
  requirement: { near: "It must hold in what is to be checked.", wide: "It must hold everywhere in the project." },
  error_pattern: {
    near: "The error has come back in what is to be checked.",
    wide: "The error has come back in the project.",
  },
  e2e_observation: {
    near: "It was seen in the running program, where it is to be checked.",
    wide: "It was seen in the running program.",
  },
};
