import type { Actor } from "../../base/actor.js";
import type { Project } from "../../project/project.js";
import type { Writer } from "../../storage/storage.js";
import type { MemoryRecord } from "../memory.js";

/** What happened to memories of one project in one transaction, and who did it. */
export interface Change {
  project: Project;
  by: Actor;
  at: Date;
  /** Each memory once, whatever happened to it. */
  memories: readonly ChangedMemory[];
  /** How many memories were removed for good. */
  purged: number;
}

export interface ChangedMemory {
  key: number;
  id: string;
  type: string;
  /** True where it names files of the project. */
  hasFiles: boolean;
  /** True for a memory that did not exist before. */
  isNew: boolean;
  /** True where a person has just found it true. */
  isVerified: boolean;
  /** The fields that have other values now; of a new memory none is listed. */
  fields: ReadonlySet<keyof MemoryRecord>;
}

/**
 * Writes rows of memories. Only `changeMemories` and `changeStore` hand one out, so that whatever is written through it reaches
 * those who follow changes.
 */
export interface MemoryWriter extends Writer {
  readonly changes: ChangeLog;
}

type WrittenRecord = Pick<MemoryRecord, "id" | "type" | "relatedFiles">;

/** What was done so far in a transaction. The functions that write rows note it, nobody else. */
export class ChangeLog {
  readonly #projects = new Map<number, { project: Project; memories: Map<number, ChangedMemory>; purged: number }>();

  created(project: Project, key: number, record: WrittenRecord): void {
    this.#note(project, key, record, { isNew: true });
  }

  changed(project: Project, key: number, record: WrittenRecord, fields: readonly string[]): void {
    const before = this.#of(project).memories.get(key)?.fields ?? [];
    this.#note(project, key, record, { fields: new Set([...before, ...(fields as (keyof MemoryRecord)[])]) });
  }

  /** Also where nothing of it changes: it may have been found true before, and the code have changed since. */
  verified(project: Project, key: number, record: WrittenRecord): void {
    this.#note(project, key, record, { isVerified: true });
  }

  removed(project: Project, keys: readonly number[]): void {
    const of = this.#of(project);
    for (const key of keys) of.memories.delete(key);
    of.purged += keys.length;
  }

  /** All that there was, so many memories. */
  emptied(project: Project, purged: number): void {
    this.#projects.set(project.number, { project, memories: new Map(), purged });
  }

  /** One change for each project that something was done to. */
  toChanges(by: Actor, at: Date): Change[] {
    return [...this.#projects.values()]
      .map(({ project, memories, purged }) => ({ project, by, at, memories: [...memories.values()], purged }))
      .filter(({ memories, purged }) => memories.length + purged > 0);
  }

  #note(project: Project, key: number, record: WrittenRecord, what: Partial<ChangedMemory>): void {
    const { memories } = this.#of(project);
    const known = memories.get(key) ?? { isNew: false, isVerified: false, fields: new Set() };
    // Of an import there may be a hundred thousand: no more is held of each than those who follow ask for.
    const { id, type, relatedFiles } = record;
    memories.set(key, { ...known, key, id, type, hasFiles: relatedFiles.length > 0, ...what });
  }

  #of(project: Project) {
    const known = this.#projects.get(project.number) ?? { project, memories: new Map(), purged: 0 };
    this.#projects.set(project.number, known);
    return known;
  }
}
