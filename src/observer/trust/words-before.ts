import type { Scratchpad } from "../scratchpad/session-view.js";
import type { Taint } from "./taint.js";

/** Words, paths and commands that the agents of a session used or were given before anything from outside reached them. */
export function wordsBefore(pads: readonly Scratchpad[], taint: Taint): ReadonlySet<string> {
  const words = new Set<string>();
  const add = (text: string | undefined) => {
    for (const word of text?.split(/[\s=]+/) ?? []) words.add(word.replace(/^-+/, ""));
  };
  for (const pad of pads) {
    const until = taint.since(pad)?.order ?? Infinity;
    for (const { order, command, files = [], search } of pad.actions) {
      if (order >= until) break;
      add(command?.line);
      add(command?.name);
      add(search?.pattern);
      for (const file of files) words.add(file);
    }
    for (const { order, text } of pad.agentId === undefined ? pad.prompts : []) if (order < until) add(text);
    if ((pad.start?.order ?? Infinity) < until) add(pad.start?.methodology);
    for (const { order, unit } of pad.units) if (order < until) add(unit.methodology);
  }
  return words;
}
