import { type Command, Option } from "commander";
import type { Phase, RecallMode, RecallOptions } from "../../index.js";
import { resolveNamedFile } from "../../base/files/files.js";
import { addFilterOptions, addMinScoreOption, type FilterFlags, readFilter } from "../listing/filter-options.js";
import { collect, fraction, tokenBudget } from "../terminal/option-values.js";
import { setOnly } from "../terminal/set-only.js";

/** What commander makes of the flags of `recall`. */
export interface RecallFlags extends FilterFlags {
  mode?: RecallMode;
  words?: true;
  phase?: Phase;
  sort?: NonNullable<RecallOptions["sort"]>;
  explain?: true;
  code?: true;
  /** True where no number was given. */
  pack?: number | true;
  recentFile?: string[];
  exclude?: string[];
  includeSuperseded?: true;
  history?: true;
  includeTainted?: true;
  minConfidence?: number;
  /** False with `--no-user`. */
  user: boolean;
}

// Written out for the reason told in filter-options.ts.
const modes: Record<RecallMode, true> = { hybrid: true, words: true };
const sorts: Record<NonNullable<RecallOptions["sort"]>, true> = {
  relevance: true,
  recent: true,
  confidence: true,
  uses: true,
};
const phases: Record<Phase, true> = {
  define: true,
  implement: true,
  validate: true,
  refine: true,
  explore: true,
  reflect: true,
};

/** Adds everything that a question can be asked with. */
export function addRecallOptions(command: Command): Command {
  command
    .addOption(new Option("--mode <mode>", "by words and meaning, or by words alone").choices(Object.keys(modes)))
    .addOption(new Option("--words", "the same as --mode words: no model is asked").conflicts("mode"))
    .addOption(
      new Option("--phase <phase>", "what you are doing; some types count more then").choices(Object.keys(phases)),
    )
    .option("--recent-file <path>", "a file in play: what is known about it is looked at too (repeatable)", collect)
    .option("--code", "look in the code instead of the memories; takes --limit, --file, --words")
    .addOption(new Option("--sort <order>", "the order of what is found").choices(Object.keys(sorts)))
    .option("--explain", "say of each how it was found and weighed, and what was held back")
    .addOption(
      new Option("--pack [tokens]", "one text for a model, of at most so many tokens")
        .argParser(tokenBudget)
        .conflicts("explain"),
    );
  return addMinScoreOption(addFilterOptions(command))
    .option("--min-confidence <number>", "leave out what is trusted less now, 0 to 1", fraction)
    .option("--exclude <ref>", "leave this one out (repeatable)", collect)
    .option("--include-superseded", "also what a newer memory has replaced")
    .option("--history", "the same as --include-superseded")
    .option("--include-tainted", "also what came from outside the project and nobody has verified")
    .option("--no-user", "leave out what holds everywhere, from the project user");
}

/** The flags in the words of the library; those that are left out there (`--pack`, `--exclude`) are the command's. */
export function readRecallOptions(flags: RecallFlags): RecallOptions {
  return {
    ...readFilter(flags),
    ...setOnly<RecallOptions>({
      mode: flags.words ? "words" : flags.mode,
      phase: flags.phase,
      sort: flags.sort,
      explain: flags.explain,
      recentFiles: flags.recentFile?.map((file) => resolveNamedFile(file)),
      includeSuperseded: flags.includeSuperseded ?? flags.history,
      includeTainted: flags.includeTainted,
      minConfidence: flags.minConfidence,
    }),
    includeUser: flags.user,
  };
}
