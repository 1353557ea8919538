import type { Json } from "../base/base.js";
import type { Edit } from "./text-edit.js";

/** One thing of ours that stands in a configuration file. */
export interface Part {
  /** The keys that lead to it; for an item, to the list that it is in. */
  at: readonly string[];
  as: "property" | "item";
  value: Json;
  /** True for what Tacit wrote there at any time, whatever installation it names. */
  isOurs(found: unknown): boolean;
  /** What should stand there instead of something of ours: the same, where it is up to date. What a person added stays. */
  renew(found: Json): Json;
  /** What of something of ours is somebody else's, and stays when ours is taken out; undefined where all of it is ours. */
  rest?(found: Json): Json | undefined;
}

/** What came of putting a part into a text. */
export type Put =
  | { kind: "there" }
  /** Something that is not ours stands in its place, and was left alone. */
  | { kind: "foreign" }
  | {
      kind: "put";
      isNew: boolean;
      edits: Edit[];
      /** The paths of the objects and lists that had to be made for it. */
      made: string[][];
      /** What stood there and was not ours, as it was written. */
      replaced?: string;
    };

/** What is known of a part that is to be taken out of a text that others have changed since. */
export interface Taking {
  /** What may go as well once it is empty. */
  made: readonly (readonly string[])[];
  /** What to put back in its place. */
  replaced?: string | undefined;
}
