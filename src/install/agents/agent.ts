import type { Syntax } from "../document.js";
import type { Part } from "../part.js";
import type { Place } from "../place.js";

export type AgentId = "claude-code" | "opencode" | "codex" | "cursor" | "vscode" | "windsurf" | "gemini";

/** An agent that Tacit can be tied to: how it is found, and what stands in which of its files. */
export interface Agent {
  id: AgentId;
  title: string;
  /** How the names begin under which it speaks to Tacit. */
  speaksAs: readonly string[];
  /** Found on the PATH, any of them says that it is here. */
  commands: readonly string[];
  /** So does any of these, where it exists. */
  traces(place: Place): string[];
  targets(place: Place): Target[];
  /** How it is tied to Tacit already, in another way than ours; undefined where it is not. */
  findOtherTie?(place: Place): OtherTie | undefined;
  /** What Tacit cannot tell it in its files, and a person has to know. */
  remark?(place: Place): string | undefined;
  /** What it has noted against us, and what to do about it. */
  findGrudge?(place: Place): { message: string; hint: string } | undefined;
}

/** One configuration file, and what of ours belongs into it. */
export interface Target {
  /** Stays the same when the file is elsewhere. */
  name: string;
  file: string;
  syntax: Syntax;
  parts: Part[];
}

export interface OtherTie {
  /** "its plug-in tacit@tacit" */
  how: string;
  /** How a person takes it away. */
  undo: string;
}
