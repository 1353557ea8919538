import { type Command, Option } from "commander";
import type { MemoryChanges, MemoryInput, Scope, Visibility } from "../../index.js";
import { resolveNamedFile } from "../../base/files/files.js";
import { scopeChoices } from "../listing/filter-options.js";
import { collect, comingMoment, fraction, jsonObject, keyValue } from "../terminal/option-values.js";
import { setOnly } from "../terminal/set-only.js";

/** What commander makes of the flags that describe a memory. `false` comes from the `--no-…` form, in `edit` only. */
export interface MemoryFlags {
  type?: string;
  file?: string[] | false;
  module?: string[] | false;
  tag?: string[] | false;
  name?: string | false;
  rebind?: boolean;
  alias?: string[];
  confidence?: number;
  metadata?: Record<string, string> | false;
  scope?: Scope;
  session?: string | false;
  expires?: string | false;
  pin?: boolean;
  data?: NonNullable<MemoryInput["data"]> | false;
  visibility?: Visibility;
}

const visibilities: Record<Visibility, true> = { personal: true, project: true, team: true, org: true };

/** Adds the flags that describe a memory, for `remember`, `supersede` and `edit`. */
export function addMemoryOptions(command: Command): Command {
  return command
    .optionsGroup("About the memory:")
    .option("--type <type>", "what kind of memory it is; `tacit types` lists them")
    .option("--file <path>", "a file it is about, from the project's root or ./ from here (repeatable)", collect)
    .option("--module <name>", "a module it is about (repeatable)", collect)
    .option("--tag <tag>", "a tag (repeatable)", collect)
    .option("--name <name>", "a name that works wherever an id does")
    .option("--rebind", "take its names from whoever holds them")
    .option("--confidence <number>", "how sure you are, 0 to 1", fraction)
    .option("--metadata <key=value>", "anything else worth filtering by (repeatable)", keyValue)
    .addOption(new Option("--scope <scope>", "how far it holds").choices(scopeChoices))
    .option("--session <id>", "the session it comes from")
    .option("--expires <time>", "when it stops being true: a date, a time, or 30d from now", comingMoment)
    .option("--pin", "keep it from fading")
    .option("--data <json>", "structured data of its type, as a JSON object", jsonObject)
    .addOption(new Option("--visibility <who>", "who may see it").choices(Object.keys(visibilities)));
}

/** Adds the one flag that only a new memory can have. */
export function addAliasOption(command: Command): Command {
  return command.option("--alias <name>", "another name for it (repeatable)", collect);
}

/** Adds the flags that take something away from a memory, for `edit`. */
export function addRemovalOptions(command: Command): Command {
  return command
    .optionsGroup("To take away:")
    .option("--no-name", "take its name away")
    .option("--no-expires", "let it hold for ever")
    .option("--no-pin", "let it fade again")
    .option("--no-file", "take all its files away")
    .option("--no-module", "take all its modules away")
    .option("--no-tag", "take all its tags away")
    .option("--no-metadata", "take its metadata away")
    .option("--no-session", "take its session away")
    .option("--no-data", "take its structured data away");
}

/** The flags as a memory taught by the person at the keyboard. */
export function readMemoryInput(content: string, flags: MemoryFlags): MemoryInput {
  return setOnly<MemoryInput>({
    content,
    type: flags.type,
    relatedFiles: (flags.file || undefined)?.map((file) => resolveNamedFile(file)),
    relatedModules: flags.module || undefined,
    tags: flags.tag || undefined,
    name: flags.name === false ? undefined : flags.name,
    aliases: flags.alias,
    confidence: flags.confidence,
    metadata: flags.metadata || undefined,
    scope: flags.scope,
    sessionId: flags.session === false ? undefined : flags.session,
    expiresAt: flags.expires || undefined,
    pinned: flags.pin,
    data: flags.data || undefined,
    visibility: flags.visibility,
    source: "user_taught",
  });
}

/** The flags as changes to a memory; empty when none was given. */
export function readMemoryChanges(content: string | undefined, flags: MemoryFlags): MemoryChanges {
  return setOnly<MemoryChanges>({
    content,
    type: flags.type,
    relatedFiles: flags.file === false ? [] : flags.file?.map((file) => resolveNamedFile(file)),
    relatedModules: flags.module === false ? [] : flags.module,
    tags: flags.tag === false ? [] : flags.tag,
    name: flags.name === false ? null : flags.name,
    confidence: flags.confidence,
    metadata: flags.metadata === false ? {} : flags.metadata,
    scope: flags.scope,
    sessionId: flags.session === false ? null : flags.session,
    expiresAt: flags.expires === false ? null : flags.expires,
    pinned: flags.pin,
    data: flags.data === false ? null : flags.data,
    visibility: flags.visibility,
  });
}
