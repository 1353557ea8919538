import { refuseAgent } from "../memory/change/change.js";
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
  const editing = async (reference: string) => {
    await refuseTainted(parts, reference);
    return edit();
  };
  const retention = () => import("../memory/retention/retention.js");
  return {
    rename: async (...args) => (await editing(args[0])).rename(context, ...args),
    alias: async (...args) => (await editing(args[0])).alias(context, ...args),
    unalias: async (name) => (await editing(name)).unalias(context, name),
    relate: async (...args) => (await editing(args[0])).relateMemory(context, ...args),
    unrelate: async (...args) => (await editing(args[0])).unrelateMemory(context, ...args),
    verify: async (reference) => (await edit()).verify(context, reference),
    flag: async (...args) => (await editing(args[0])).flag(context, ...args),
    pin: async (reference, pinned = true) => {
      refuseAgent(context, `tacit pin ${reference}${pinned ? "" : " --off"}`);
      return (await edit()).pin(context, reference, pinned);
    },
    history: async (reference) => (await import("../memory/history/history.js")).readHistory(context, reference),
    undo: async (...args) => (await editing(args[0])).undo(context, ...args),
    restore: async (reference) => {
      await refuseTainted(parts, reference);
      const { restore } = await retention();
      const others = await listOtherParts(parts, reference, { forgotten: true });
      return restore(context, reference, others);
    },
    purge: async (what) => {
      refuseAgent(context, `tacit purge ${typeof what === "string" ? what : "--help"}`);
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
