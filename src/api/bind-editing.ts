import { refuseAgent } from "../memory/change/change.js";
import type { StatedRelation } from "../memory/edit/edit.js";
import type { PurgeTarget } from "../memory/retention/retention.js";
import type { ProjectHint } from "../project/project.js";
import { commandLine } from "./command-line.js";
import { listOtherParts } from "./judged-verbs.js";
import { refuseTainted } from "./judge-caller.js";
import type { Parts } from "./parts.js";
import type { TacitMemory } from "./tacit-memory.js";

type Editing = Pick<
  TacitMemory,
  | "rename"
  | "alias"
  | "unalias"
  | "relate"
  | "unrelate"
  | "verify"
  | "flag"
  | "pin"
  | "history"
  | "undo"
  | "restore"
  | "purge"
>;

/** Names, relations, and what a person decides about a memory. Each is loaded with its first use. */
export function bindEditing(parts: Parts): Editing {
  const { context, watched, conversations } = parts;
  const edit = () => import("../memory/edit/edit.js");
  const editing = async (reference: string, ...words: unknown[]) => {
    await refuseTainted(parts, reference, words);
    return edit();
  };
  const retention = () => import("../memory/retention/retention.js");
  return {
    rename: async (reference, name, options) => {
      const flags = [...(options?.keep ? ["--keep"] : []), ...(options?.rebind ? ["--rebind"] : [])];
      const { rename } = await editing(reference, "rename", reference, name, ...flags);
      return rename(context, reference, name, options);
    },
    alias: async (reference, names, options) => {
      const words = [names, options?.rebind ? "--rebind" : []].flat();
      return (await editing(reference, "alias", reference, ...words)).alias(context, reference, names, options);
    },
    unalias: async (name) => (await editing(name, "unalias", name)).unalias(context, name),
    relate: async (reference, relation) => {
      const { relateMemory } = await editing(reference, "relate", reference, ...relationWords(relation));
      return relateMemory(context, reference, relation);
    },
    unrelate: async (reference, relation) => {
      const words = ["relate", reference, ...relationWords(relation), "--remove"];
      return (await editing(reference, ...words)).unrelateMemory(context, reference, relation);
    },
    verify: async (reference) => (await edit()).verify(context, reference),
    flag: async (reference, reason) =>
      (await editing(reference, "flag", reference, reason)).flag(context, reference, reason),
    pin: async (reference, pinned = true) => {
      refuseAgent(context, `tacit pin ${reference}${pinned ? "" : " --off"}`);
      return (await edit()).pin(context, reference, pinned);
    },
    history: async (reference) => (await import("../memory/history/history.js")).readHistory(context, reference),
    undo: async (reference, options) => {
      const words = [options?.number ?? [], options?.force ? "--force" : []].flat();
      return (await editing(reference, "undo", reference, ...words)).undo(context, reference, options);
    },
    restore: async (reference) => {
      await refuseTainted(parts, reference, ["restore", reference]);
      const { restore } = await retention();
      const others = await listOtherParts(parts, reference, { forgotten: true });
      return restore(context, reference, others);
    },
    purge: async (what) => {
      refuseAgent(context, commandLine("purge", ...purgedWords(what, context.project), "--yes"));
      return watched.purging(what, () =>
        conversations.memoryFiles.purging(what, async (target, also) => {
          const { purge } = await retention();
          // What quotes a turn, or was learned from it, goes with it; the turns beside it stay.
          const others = await Promise.all(also.map((id) => purge(context, id)));
          const purged = await purge(context, target);
          return { ...purged, purged: others.reduce((sum, other) => sum + other.purged, purged.purged) };
        }),
      );
    },
  };
}

/** What is purged, as the command line takes it. */
function purgedWords(what: PurgeTarget, project: ProjectHint): string[] {
  if (typeof what === "string") return [what];
  return "all" in Object(what) ? ["--all"] : ["--project", ...("id" in project ? [project.id] : [])];
}

/** A relation as the command line takes it. */
function relationWords(relation: StatedRelation): unknown[] {
  const { kind, memory, file, confidence } = Object(relation) as StatedRelation;
  return [kind, memory ?? ["--file", file], confidence === undefined ? [] : ["--confidence", confidence]].flat();
}
