import type { Config } from "../config/read-config.js";
import type { LearnedProject, LearnProjectOptions } from "../exchange/project-files/project-facts.js";
import { refuseAgent } from "../memory/change/change.js";
import { joinProject, listProjects, type ProjectSummary } from "../project/project.js";
import { describeProject, type ProjectIdentity } from "./describe-project.js";
import type { Parts } from "./parts.js";

/** Which project this is, the others of the store, and what is set for them. */
export interface MemoryProjects {
  current(): Promise<ProjectIdentity>;
  /** Every project of the store. */
  list(): Promise<ProjectSummary[]>;
  /** Makes this folder part of an existing project, where Tacit could not tell by itself. */
  join(id: string): Promise<ProjectIdentity>;
  /** Trusts what lies in the work tree of this project, or no longer; needed once for a project of others. */
  accept(accepted?: boolean): Promise<void>;
  /**
   * Learns what the project's own files say of it (how to test and build it, what it needs), and, when invited, the rules
   * that it holds for agents. A second time, it changes only what they now say differently.
   */
  learn(options?: LearnProjectOptions): Promise<LearnedProject>;
  /** What is set, and where. */
  config(): Promise<Config>;
  /** Sets a value in the user's or the project's file, or removes it; returns the file. */
  configure(where: "user" | "project", name: string, value: string | undefined): Promise<string>;
}

/** @internal */
export function bindProjects({ context, folder, place, here, sharing }: Parts): MemoryProjects {
  const learning = () => import("../exchange/project-files/learn-project.js");
  return {
    current: () => describeProject(context, folder),
    list: async () => context.store.read(listProjects),
    join: async (id) => {
      await context.store.write(async (writer) => joinProject(writer, id, folder));
      return describeProject(context, folder);
    },
    accept: async (accepted = true) => {
      if (accepted) refuseAgent(context, "tacit project accept");
      await sharing.accept(accepted);
      await (await learning()).settleTrust(context, accepted);
    },
    learn: async (options) => (await learning()).learnProject(context, here, options),
    config: async () => (await import("../config/read-config.js")).readConfig(place),
    configure: async (where, name, value) =>
      (await import("../config/write-setting.js")).writeSetting(place, where, name, value),
  };
}
