import type { Note } from "../notes/note.js";

/**
 * A note without any text that somebody wrote, which could hold a secret: for when there is no time to look. Undefined
 * for one that is nothing without its text.
 */
export function withoutTexts(note: Note): Note | undefined {
  switch (note.kind) {
    case "start": {
      const { task: _task, methodology: _methodology, ...rest } = note;
      return rest;
    }
    case "prompt":
      return { ...note, text: "" };
    case "call": {
      const { search: _search, command, url: _url, ...rest } = note;
      if (!command) return rest;
      const { targets: _targets, ...others } = command;
      return { ...rest, command: { ...others, line: command.name } };
    }
    case "result": {
      const { error, imports: _imports, ...rest } = note;
      return error ? { ...rest, error: { fingerprint: error.fingerprint, message: "", kind: error.kind } } : rest;
    }
    case "said":
      return undefined;
    case "unit": {
      const { summary: _summary, ...rest } = note;
      return rest;
    }
    case "subagent": {
      const { task: _task, ...rest } = note;
      return rest;
    }
    case "qa":
      return { ...note, issues: [] };
    case "commit":
      return { ...note, message: "" };
    case "end": {
      const { reason: _reason, ...rest } = note;
      return rest;
    }
    case "step":
    case "remember":
    default:
      return note;
  }
}
