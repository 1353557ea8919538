import type { AgentEvent } from "../../observer/observer.js";
import type { SpoolPlace } from "../../observer/spool/spool.js";
import type { Observer } from "../../observer/watch/watch.js";
import type { FolderIdentity } from "../../project/folder/identify-folder.js";
import { type Ignoring, type IgnoreSetting, openIgnoring } from "../../project/ignore/ignore.js";
import type { ProjectContext } from "../../project/project.js";
import { openSessionStates, type SessionStates } from "../machine/machine.js";

/** Whose sessions are watched, and for which store. */
export interface SessionPlace {
  home: string;
  root: string;
  db: string;
  project?: string;
}

/** The observer of a process that stays, which is loaded with its first event. */
export interface Watching {
  where: SessionPlace;
  /** Where each session stands. */
  states: SessionStates;
  /** Undefined for a store in memory. */
  place: () => Promise<SpoolPlace | undefined>;
  /** Waits for it to be loaded; undefined where no event has come. */
  opened: () => Promise<Observer | undefined>;
  open: () => Promise<Observer>;
  /** Does something with it, at once where it is loaded, else as soon as it is, in order. Never throws. */
  use: (work: (observer: Observer) => void) => void;
  /** Ids of the sessions that are watched here now. */
  sessions: () => string[];
  /** Whether memory is switched on, as far as was asked. */
  isOn: () => boolean;
  /** Asks again what an event of this kind may have changed. No event waits for the answer. */
  lookAround: (kind: AgentEvent["kind"]) => void;
  /** Notes what git has, where it has anything. */
  begin: (observer: Observer, event: AgentEvent) => void;
  /** What the disk said when it refused a note. */
  refusal: () => NodeJS.ErrnoException | undefined;
  close: () => Promise<void>;
}

// After these an agent may have gone to another branch. Not after each: `context.folder` reads it once a second at most.
const headMoves: ReadonlySet<string> = new Set(["start", "prompt", "step", "result", "end"]);

export function openWatching(context: ProjectContext, where: SessionPlace): Watching {
  let opening: Promise<Observer> | undefined;
  let opened: Observer | undefined;
  // Until the room is loaded, events wait here in their order.
  const early: ((observer: Observer) => void)[] = [];
  let refusal: NodeJS.ErrnoException | undefined;
  let isOn = false;
  let ignore: IgnoreSetting | undefined;
  let ignoring = openIgnoring({ root: where.root });
  let head: Pick<FolderIdentity, "commit" | "branch"> = {};

  const askWhetherOn = async (): Promise<void> => {
    // Settings that cannot be read may say no.
    const settings = await context.settings().catch(() => undefined);
    isOn = settings?.enabled ?? false;
    // Compared by its text: what is known of its files stays good.
    if (JSON.stringify(settings?.ignore) === JSON.stringify(ignore)) return;
    ignore = settings?.ignore;
    ignoring = openIgnoring({ root: where.root, ignore });
  };
  /** Of a process that stays open the head moves on; no event waits for it, so it is read before it is asked for. */
  const readHead = (): void => {
    void context.folder().then(
      (folder) => (head = folder),
      () => undefined,
    );
  };
  const place = async () => (await import("../../observer/spool/spool.js")).openSpoolPlace(where);
  const load = async (): Promise<Observer> => {
    const loading = [import("../../observer/watch/watch.js"), place(), askWhetherOn()] as const;
    const [{ Observer: Room }, spools] = await Promise.all(loading);
    head = await context.folder();
    const onProblem = (error: unknown) => {
      if (error instanceof Error && "syscall" in error) refusal ??= error as NodeJS.ErrnoException;
    };
    const [commit, branch] = [() => head.commit, () => head.branch];
    const followed: Ignoring = {
      path: (path, options) => ignoring.path(path, options),
      command: (lines) => ignoring.command(lines),
      hasRules: () => ignoring.hasRules(),
    };
    opened = new Room({
      place: spools,
      root: where.root,
      now: context.now,
      commit,
      branch,
      ignoring: followed,
      onProblem,
    });
    for (const work of early.splice(0)) attempt(work, opened);
    return opened;
  };
  const open = () => (opening ??= load());

  return {
    where,
    states: openSessionStates(),
    place,
    opened: async () => opening,
    open,
    use: (work) => {
      if (opened) return attempt(work, opened);
      early.push(work);
      open().catch(() => undefined);
    },
    sessions: () => opened?.sessions() ?? [],
    isOn: () => isOn,
    lookAround: (kind) => {
      if (kind === "start" || kind === "prompt") void askWhetherOn();
      if (headMoves.has(kind)) readHead();
    },
    begin: (observer, { sessionId, at }) => {
      // What git had when it began is known now and not at its end.
      if (head.commit === undefined) return;
      observer.observe({ sessionId, kind: "start", ...(at !== undefined && { at }) });
    },
    refusal: () => refusal,
    close: async () => (await opening)?.close(),
  };
}

/** An agent must not break because of its memory, whatever it hands over. */
function attempt(work: (observer: Observer) => void, observer: Observer): void {
  try {
    work(observer);
  } catch {
    // Nor does it hear of it.
  }
}
