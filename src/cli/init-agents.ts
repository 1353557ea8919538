/** An agent that was found on this machine, and whether it is tied to Tacit. */
export interface FoundAgent {
  id: string;
  title: string;
  isConnected: boolean;
  /** The files that connecting it would change. */
  files: string[];
  /** What stands against connecting it. */
  problem?: string;
}

/** What became of an agent that was to be connected. */
export interface ConnectedAgent {
  title: string;
  problem?: string;
}

/** The agents of this machine, as `init` needs them. */
export interface InitAgents {
  list(): Promise<FoundAgent[]>;
  connect(ids: readonly string[]): Promise<ConnectedAgent[]>;
  /** What speaks against connecting them to this installation. */
  warning(): Promise<string | undefined>;
}

export function openAgents(): InitAgents {
  return {
    list: async () => {
      const { planInstall, place } = await open();
      return planInstall(undefined, place).agents.map(({ agent, title, state, changes, notes, problem }) => {
        const against = problem?.message ?? (state === "foreign" ? notes[0] : undefined);
        return {
          id: agent,
          title,
          isConnected: state === "connected",
          files: changes.map(({ file }) => file),
          ...(against !== undefined && { problem: against }),
        };
      });
    },
    connect: async (ids) => {
      const { planInstall, applyPlan, place } = await open();
      return applyPlan(planInstall(ids, place), place).map(({ title, problem }) => ({
        title,
        ...(problem && { problem: `${problem.message} ${problem.hint}` }),
      }));
    },
    warning: async () => {
      const { planInstall, place } = await open();
      return planInstall([], place).warning;
    },
  };
}

async function open() {
  const [{ planInstall }, { applyPlan }, { openPlace }] = await Promise.all([
    import("../install/install.js"),
    import("../install/apply-plan.js"),
    import("../install/place.js"),
  ]);
  return { planInstall, applyPlan, place: openPlace() };
}
