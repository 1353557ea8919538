import type { SettingName } from "../config/config.js";
import type { LearnedProject, LearnProjectOptions } from "../exchange/project-files/project-facts.js";
import { refuseAgent } from "../memory/change/change.js";
import type { EffectiveConfig } from "../project/settings/effective-settings.js";
import { joinProject, listProjects, type ProjectSummary } from "../project/project.js";
import { refuseTainted } from "./judge-caller.js";
import { describeProject, type ProjectIdentity } from "./describe-project.js";
import type { Parts } from "./parts.js";

export interface AcceptOptions {
  /** False leaves out what the project's own files say to agents (CLAUDE.md, README …). Default true. */
  withRules?: boolean;
}

/** Which project this is, the others of the store, and what is set for them. */
export interface MemoryProjects {
  current(): Promise<ProjectIdentity>;
  /** Every project of the store. */
  list(): Promise<ProjectSummary[]>;
  /** Makes this folder part of an existing project, where Tacit could not tell by itself. */
  join(id: string): Promise<ProjectIdentity>;
  /**
   * Confirms that this folder belongs to the project that it names, and trusts what lies in it, or no longer. Needed once for a
   * folder that is new for a known project, and for a project of others. Not for agents.
   */
  accept(accepted?: boolean, options?: AcceptOptions): Promise<void>;
  /**
   * Learns what the project's own files say of it (how to test and build it, what it needs), and, when invited, the rules
   * that it holds for agents. A second time, it changes only what they now say differently.
   */
  learn(options?: LearnProjectOptions): Promise<LearnedProject>;
  /** What is set, and where; a value of the project's file that the user has not accepted is in `pending` and does not count. */
  config(): Promise<EffectiveConfig>;
  /** Sets a value in the user's or the project's file, or removes it; returns the file. */
  configure(where: "user" | "project", name: string, value: string | undefined): Promise<string>;
}

/** @internal */
export function bindProjects(parts: Parts): MemoryProjects {
  const { context, folder, place, here, sharing, acceptance } = parts;
  const learning = () => import("../exchange/project-files/learn-project.js");
  /** Whoever sets a value in the project's file has said that it counts; the other values there have not become theirs. */
  const acceptSetting = async (name: SettingName): Promise<void> => {
    const settings = await import("../project/settings/effective-settings.js");
    if (!(await settings.listPendingSettings(context.store, folder, place)).includes(name)) return;
    const { [name]: value } = await settings.readProjectValues(place);
    await context.store.write(async (writer) => settings.acceptSettings(writer, folder, { [name]: value }));
  };
  return {
    current: () => describeProject(context, folder),
    list: async () => context.store.read(listProjects),
    join: async (id) => {
      refuseAgent(context, `tacit project join ${id}`);
      await context.store.write(async (writer) => joinProject(writer, id, folder));
      return describeProject(context, folder);
    },
    accept: async (accepted = true, options = {}) => {
      refuseAgent(context, `tacit project accept${accepted ? "" : " --off"}`);
      await sharing.accept(accepted, options);
      await acceptance.said(accepted);
    },
    learn: async (options = {}) => {
      const { invited = false, rules = false, trustRules = false, dryRun = false } = options;
      // Only a person invites, and only a person has looked at the rules.
      if (!dryRun && (invited || rules || trustRules)) refuseAgent(context, "tacit init");
      if (!dryRun) await refuseTainted(parts, "What is known of the project", ["init"]);
      return (await learning()).learnProject(context, here, options);
    },
    config: async () => {
      const { effectiveConfig } = await import("../project/settings/effective-settings.js");
      return effectiveConfig(context.store, folder, place);
    },
    configure: async (where, name, value) => {
      const line = value === undefined ? `unset ${name}` : `set ${name} ${value}`;
      refuseAgent(context, `tacit config ${line}${where === "project" ? " --local" : ""}`);
      const file = await (await import("../config/write-setting.js")).writeSetting(place, where, name, value);
      if (where === "project") await acceptSetting(name as SettingName);
      return file;
    },
  };
}
