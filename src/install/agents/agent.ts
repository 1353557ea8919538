import type { Syntax } from "../config-files/document.js";
import type { ConfigPart } from "../config-files/config-part.js";
import type { Machine } from "./machine.js";

export type AgentId = "claude-code" | "opencode" | "codex" | "cursor" | "vscode" | "windsurf" | "gemini";

/** An agent that Tacit can be connected to: how it is found, and what stands in which of its files. */
export interface Agent {
  id: AgentId;
  title: string;
  /** True where Tacit sees what the agent does and tells it by itself; else the agent has to ask. */
  isWatched: boolean;
  /** How the names begin under which it speaks to Tacit. */
  speaksAs: readonly string[];
  /** Found on the PATH, any of them says that it is here. */
  commands: readonly string[];
  /** So does any of these, where it exists. */
  traces(place: Machine): string[];
  targets(place: Machine): Target[];
  /** How it is connected already, in another way than ours; undefined where it is not. */
  findOtherConnection?(place: Machine): OtherConnection | undefined;
  /** What Tacit cannot tell it in its files, and a person has to know. */
  remark?(place: Machine): string | undefined;
  /** What it has noted that keeps it from starting us, and what to do about it. */
  findObstacle?(place: Machine): { message: string; hint: string } | undefined;
}

/** One configuration file, and what of ours belongs into it. */
export interface Target {
  /** Stays the same when the file is elsewhere. */
  name: string;
  file: string;
  /** What the file may be called, beside the name that it has now. */
  otherNames?: readonly string[];
  syntax: Syntax;
  parts: ConfigPart[];
  /** The folder of memories that what is ours in a document leads to; undefined where nothing of ours says so. */
  homeIn?: (document: unknown) => string | undefined;
}

export interface OtherConnection {
  /** "its plug-in tacit@tacit" */
  how: string;
  /** How a person takes it away. */
  undo: string;
}
