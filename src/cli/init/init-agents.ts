import { sep } from "node:path";
import type { Page } from "../terminal/page.js";
import { findUserHome } from "../../base/files/files.js";
import { renderPlan } from "../agents/render-install.js";

/** An agent that was found on this machine, and whether it is connected. */
export interface FoundAgent {
  id: string;
  title: string;
  isConnected: boolean;
  /** Once connected it is watched, and told without asking; the others ask over MCP. */
  isWatched: boolean;
  /** The files that connecting it would change. */
  files: string[];
  /** What stands against connecting it. */
  problem?: string;
  /** What to do about that. */
  hint?: string;
}

/** What became of an agent that was to be connected. */
export interface ConnectedAgent {
  title: string;
  isWatched: boolean;
  /** Those that were written. */
  files: string[];
  problem?: string;
  hint?: string;
}

/** The agents of this machine, as `init` needs them. */
export interface InitAgents {
  list(): Promise<FoundAgent[]>;
  /** What connecting these would change, and what speaks against it, for a person to read. */
  show(ids: readonly string[], page: Page): Promise<string>;
  connect(ids: readonly string[]): Promise<ConnectedAgent[]>;
  /** What speaks against connecting them to this installation. */
  warning(): Promise<string | undefined>;
}

export function openAgents(): InitAgents {
  return {
    list: async () => {
      const { planInstall, place } = await open();
      return planInstall(undefined, place).agents.map(({ agent, title, isWatched, state, changes, notes, problem }) => {
        const foreign = {
          message: notes[0] ?? "Something else has its name.",
          hint: `Look: tacit install ${agent} --dry-run`,
        };
        const against = problem ?? (state === "foreign" ? foreign : undefined);
        return {
          id: agent,
          title,
          isConnected: state === "connected",
          isWatched,
          files: changes.map(({ file }) => file),
          ...(against && { problem: against.message, hint: against.hint }),
        };
      });
    },
    show: async (ids, page) => {
      const { planInstall, place } = await open();
      return renderPlan(planInstall(ids, place), page);
    },
    connect: async (ids) => {
      const { planInstall, applyPlan, place } = await open();
      return applyPlan(planInstall(ids, place), place).map(({ title, isWatched, files, problem }) => ({
        title,
        isWatched,
        files,
        ...(problem && { problem: problem.message, hint: problem.hint }),
      }));
    },
    warning: async () => {
      const { planInstall, place } = await open();
      return planInstall([], place).warning;
    },
  };
}

/** A file as people write it. */
export function fromHome(file: string): string {
  const home = findUserHome();
  return home !== undefined && file.startsWith(home + sep) ? `~${file.slice(home.length)}` : file;
}

async function open() {
  const [{ planInstall }, { applyPlan }, { openMachine: openPlace }] = await Promise.all([
    import("../../install/install.js"),
    import("../../install/apply-plan.js"),
    import("../../install/agents/machine.js"),
  ]);
  return { planInstall, applyPlan, place: openPlace() };
}
