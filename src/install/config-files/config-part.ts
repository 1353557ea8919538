import type { Json } from "../../base/base.js";
import type { Edit } from "./text-edit.js";

/** One thing of ours that stands in a configuration file. */
export interface ConfigPart {
  /** The keys that lead to it; for an item, to the list that it is in. */
  at: readonly string[];
  as: "property" | "item";
  /** What is to stand there; undefined for what must not, and goes where it is ours. */
  value: Json | undefined;
  /** True for what Tacit wrote there at any time, whatever installation it names. */
  isOurs(found: unknown, document: unknown): boolean;
  /** What should stand there instead of something of ours: the same, where it is up to date. What a person added stays. */
  renew(found: Json): Json | undefined;
  /** What of something of ours is somebody else's, and stays when ours is taken out; undefined where all of it is ours. */
  rest?(found: Json): Json | undefined;
}

/** What came of putting a part into a text. */
export type Put =
  /** Nothing had to be done: it is up to date, a person has written the same, or it is not to be there and is not. */
  | { kind: "there"; isOurs: boolean }
  /** Something that is not ours stands in its place, and was left alone. */
  | { kind: "foreign" }
  | {
      kind: "put";
      isNew: boolean;
      edits: Edit[];
      /** The paths of the objects and lists that had to be made for it, without any key where the document had to. */
      made: string[][];
      /** The object or list that had nothing in it but this, and has it no longer. */
      blank?: Held;
      /** What stood there and was not ours, as it was written. */
      replaced?: string;
    };

/** A piece of a text, and the keys that lead to it. */
export interface Held {
  at: string[];
  text: string;
}

/** What is known of a part that is to be taken out of a text that others have changed since. */
export interface Taking {
  /** What may go as well once it is empty. */
  made: readonly (readonly string[])[];
  /** What was in objects and lists that are empty again without it. */
  blanks: readonly Held[];
  /** What to put back in its place. */
  replaced?: string | undefined;
}
