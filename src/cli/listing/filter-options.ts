import { type Command, Option } from "commander";
import type { MemoryFilter, RecallOptions, Scope, Source, Status } from "../../index.js";
import { resolveNamedFile } from "../../base/files/files.js";
import { collect, collectFrom, fraction, keyValue, pastMoment, wholeNumber } from "../terminal/option-values.js";
import { setOnly } from "../terminal/set-only.js";

/** What commander makes of the filter flags. */
export interface FilterFlags {
  type?: string[];
  file?: string[];
  module?: string[];
  tag?: string[];
  scope?: Scope;
  source?: Source[];
  session?: string;
  metadata?: Record<string, string>;
  since?: string;
  until?: string;
  status?: Status | "any";
  limit?: number;
  minScore?: number;
}

// Written out because loading the library for its lists would slow down every start; the compiler keeps them whole.
const scopes: Record<Scope, true> = { global: true, module: true, work_unit: true, session: true };
const statuses: Record<Status | "any", true> = {
  active: true,
  waiting: true,
  flagged: true,
  superseded: true,
  expired: true,
  forgotten: true,
  any: true,
};

const sources: Record<Source, true> = {
  agent_explicit: true,
  observer_inferred: true,
  qa_auto: true,
  mcp_auto: true,
  commit_auto: true,
  user_taught: true,
};

/** The scopes, for every flag that takes one. */
export const scopeChoices = Object.keys(scopes);

/** Adds the flags that narrow `recall`, `list` and `forget --query`. */
export function addFilterOptions(command: Command): Command {
  return command
    .optionsGroup("Which memories:")
    .option("--type <type>", "only of this type (repeat for any of several)", collect)
    .option(
      "--file <path>",
      "only about this file, from the project's root or ./ from here (repeat for any of several)",
      collect,
    )
    .option("--module <name>", "only about this module (repeat for any of several)", collect)
    .option("--tag <tag>", "only with this tag (repeat for all of several)", collect)
    .addOption(new Option("--scope <scope>", "only of this scope").choices(scopeChoices))
    .addOption(
      new Option("--source <source>", "only what came from there (repeat for any of several)")
        .choices(Object.keys(sources))
        .argParser(collectFrom(Object.keys(sources))),
    )
    .option("--session <id>", "only from this session")
    .option("--metadata <key=value>", "only with this metadata (repeatable)", keyValue)
    .option("--since <time>", "only from this time on: a date, a time, or 7d, 24h ago", pastMoment)
    .option("--until <time>", "only from before this time", pastMoment)
    .addOption(
      new Option("--status <status>", "only of this status (active, unless said otherwise)").choices(
        Object.keys(statuses),
      ),
    )
    .option("--limit <count>", "at most this many", wholeNumber);
}

/** Adds the flag that only a search can have. */
export function addMinScoreOption(command: Command): Command {
  return command.option("--min-score <score>", "leave out what scores less, 0 to 1", fraction);
}

/** The flags in the words of the library. */
export function readFilter(flags: FilterFlags): MemoryFilter & Pick<RecallOptions, "limit" | "minScore"> {
  return setOnly<MemoryFilter & Pick<RecallOptions, "limit" | "minScore">>({
    type: flags.type,
    files: flags.file?.map((file) => resolveNamedFile(file)),
    modules: flags.module,
    tags: flags.tag,
    scope: flags.scope,
    sources: flags.source,
    sessionId: flags.session,
    metadata: flags.metadata,
    since: flags.since,
    until: flags.until,
    status: flags.status,
    limit: flags.limit,
    minScore: flags.minScore,
  });
}
