import type { Note } from "../observer.js";
import { needsRedaction, redactNote } from "../notes/redact-note.js";
import { appendAll, type OwnedNote } from "./append-all.js";
import { dropSecrets } from "./drop-secrets.js";
import type { SpoolPlace } from "./spool-place.js";

interface WaitingNote extends OwnedNote {
  /** Has no secret, as far as can be told. */
  isClean: boolean;
}

interface HeldNotes {
  readonly notes: WaitingNote[];
  readonly release: () => void;
  readonly isOver: Promise<void>;
}

// What a crash may cost, against a write for every note.
const delayMs = 50;
// Claiming a spool takes some milliseconds. Where it takes longer, what is held back is worth more on the disk.
const longestHoldMs = 250;
// How much a spool has grown is looked at with every write.
const maxInWrite = 1000;

/** Notes on their way to the spools of a process that stays open. They are written in the background, in order. */
export class SpoolQueue {
  readonly #place: SpoolPlace;
  readonly #onProblem: (error: unknown) => void;
  readonly #waiting: WaitingNote[] = [];
  /** By session. */
  readonly #held = new Map<string, HeldNotes>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;

  constructor(place: SpoolPlace, onProblem: (error: unknown) => void) {
    this.#place = place;
    this.#onProblem = onProblem;
  }

  /** Written 50 ms later at most; at once where a part of the work ends or something came from outside. */
  add(sessionId: string, agentId: string | undefined, note: Note): void {
    const waiting = { sessionId, agentId, note, isClean: !needsRedaction(note) };
    writeAtExit(this);
    const held = this.#held.get(sessionId);
    if (held) return void held.notes.push(waiting);
    this.#waiting.push(waiting);
    if (isUrgent(note)) queueMicrotask(() => this.#start());
    else this.#timer ??= setTimeout(() => this.#start(), delayMs).unref();
  }

  /** Resolves when everything is written; of what is held back, only that of a session where one is named. */
  async flush(sessionId?: string): Promise<void> {
    for (;;) {
      this.#start();
      const later = this.#writing ?? this.#heldBack(sessionId)?.isOver;
      if (!later) return;
      await later;
    }
  }

  /** Nothing waits to be written, but for what is held back. */
  get isIdle(): boolean {
    return this.#writing === undefined && this.#waiting.length === 0;
  }

  /**
   * Holds back what is noted of a session from now on, until the spool that it has was claimed: it belongs to the next one.
   * Not for long, whatever becomes of that. Gives what ends it.
   */
  hold(sessionId: string): () => void {
    this.#held.get(sessionId)?.release();
    let over = () => {};
    const release = () => {
      if (this.#held.get(sessionId) !== held) return;
      clearTimeout(timer);
      this.#held.delete(sessionId);
      this.#waiting.push(...held.notes);
      this.#start();
      over();
    };
    const held: HeldNotes = { notes: [], release, isOver: new Promise((done) => (over = done)) };
    const timer = setTimeout(release, longestHoldMs).unref();
    this.#held.set(sessionId, held);
    return release;
  }

  #heldBack(sessionId?: string): HeldNotes | undefined {
    const held = sessionId === undefined ? [...this.#held.values()] : [this.#held.get(sessionId)];
    return held.find((one) => one !== undefined && one.notes.length > 0);
  }

  /** Writes what waits without giving way. There is no time to redact: a text that may need it is left out. */
  writeNow(): void {
    const rest = [...this.#waiting.splice(0), ...[...this.#held.values()].flatMap(({ notes }) => notes.splice(0))];
    for (const one of rest) if (!one.isClean) one.note = dropSecrets(one.note);
    for (const written of appendAll(this.#place, rest, { sync: true, stays: true })) written.catch(() => {});
  }

  #start(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#waiting.length === 0) return;
    this.#writing ??= this.#write();
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const dirty = this.#waiting.findIndex(({ isClean }) => !isClean);
      // They stay among those that wait until they are redacted, so that the end of the process finds them.
      if (dirty === 0) await Promise.all(this.#waiting.map(redact));
      else await this.#append(this.#waiting.splice(0, Math.min(dirty < 0 ? Infinity : dirty, maxInWrite)));
    }
    // In the same breath as the last look: what is added next starts anew.
    this.#writing = undefined;
    if (!this.#heldBack()) unwritten.delete(this);
  }

  async #append(notes: readonly OwnedNote[]): Promise<void> {
    const appended = await Promise.allSettled(appendAll(this.#place, notes, { stays: true }));
    for (const one of appended) if (one.status === "rejected") this.#onProblem(one.reason);
  }
}

function isUrgent(note: Note): boolean {
  if (note.kind === "call" || note.kind === "result") return note.outside !== undefined;
  return note.kind === "unit" || note.kind === "end";
}

async function redact(waiting: WaitingNote): Promise<void> {
  if (waiting.isClean) return;
  const { note } = waiting;
  try {
    waiting.note = await redactNote(note);
  } catch {
    waiting.note = dropSecrets(note);
  }
  waiting.isClean = true;
}

const unwritten = new Set<SpoolQueue>();
let isExitWatched = false;

/** For a process that ends by itself before the time to write has come. */
function writeAtExit(queue: SpoolQueue): void {
  unwritten.add(queue);
  if (isExitWatched) return;
  isExitWatched = true;
  process.on("exit", () => {
    for (const each of unwritten) each.writeNow();
  });
}
