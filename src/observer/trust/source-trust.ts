import type { MemoryInput } from "../../memory/memory.js";
import type { ProjectContext } from "../../project/project-context.js";
import type { RememberOptions } from "../../memory/remember.js";
import type { Observer } from "../observe.js";
import type { ReadSession } from "../watch/read-session.js";
import type { Doubter } from "./open-doubter.js";

type Told = readonly Pick<MemoryInput, "sessionId" | "content">[];

/** Whether what is to be remembered may be trusted. */
export interface Doubting {
  /**
   * For each text that is to be remembered why it is not to be trusted yet, undefined where nothing speaks against it. A
   * session that is watched here takes note of it, since what comes to light later may speak against it.
   */
  listDoubts: (told: Told) => Promise<(string | undefined)[]>;
  /** The same for what is only said: nobody asked to remember it. */
  listTaints: (told: Told) => Promise<(string | undefined)[]>;
  /**
   * The same for what an agent says without being watched here: what the sessions that hooks watch in this work tree have
   * read counts, and where its own is not among them, what it had read is not known.
   */
  judgeAgent: (told: Told) => Promise<Pick<RememberOptions, "doubts" | "unverified">>;
}

interface Watched {
  root: string;
  /** Who watches sessions in this process, if anybody does. */
  watching: () => Promise<Observer | undefined>;
  notedOf: (sessionId: string) => Promise<Pick<ReadSession, "pads" | "outside">>;
  /** Ids of the sessions in this work tree that are watched, by whatever process. */
  underWay: () => Promise<ReadonlySet<string>>;
}

/** A session that goes on: what speaks against its words, and the marks of the texts that it asked to remember. */
interface Heard {
  doubt: Doubter;
  asked: ReadonlySet<string>;
}

export function openDoubting(context: ProjectContext, { root, watching, notedOf, underWay }: Watched): Doubting {
  const openDoubters = async (sessionIds: Iterable<string>): Promise<Map<string, Heard>> => {
    const { openDoubter } = await import("./open-doubter.js");
    const doubters = new Map<string, Heard>();
    for (const sessionId of sessionIds) {
      const session = { sessionId, root, ...(await notedOf(sessionId)) };
      const asked = session.pads.flatMap(({ actions }) => actions.flatMap(({ remembers = [] }) => remembers));
      doubters.set(sessionId, { doubt: await openDoubter(context, session), asked: new Set(asked) });
    }
    return doubters;
  };
  const listTaints = async (told: Told): Promise<(string | undefined)[]> => {
    const doubters = await openDoubters(new Set(told.flatMap((one) => one.sessionId ?? [])));
    return told.map(({ sessionId, content }) => doubters.get(sessionId ?? "")?.doubt(content));
  };
  const listDoubts = async (told: Told): Promise<(string | undefined)[]> => {
    if (!told.some(({ sessionId }) => sessionId !== undefined)) return [];
    const observer = await watching();
    const watched = new Set(observer?.sessions());
    for (const { sessionId, content } of told) {
      if (sessionId !== undefined && watched.has(sessionId))
        observer?.observe({ sessionId, kind: "remember", content });
    }
    return listTaints(told);
  };
  return {
    listDoubts,
    listTaints,
    judgeAgent: async (told) => {
      const running = await underWay();
      if (told.every(({ sessionId }) => sessionId !== undefined && running.has(sessionId)))
        return { doubts: await listDoubts(told) };
      const { memoryMark } = await import("../notes/memory-mark.js");
      const heard = [...(await openDoubters(running)).values()];
      const speakersOf = (content: string) => heard.filter(({ asked }) => asked.has(memoryMark(content)));
      const doubts = told.map(({ content }) => {
        const speakers = speakersOf(content);
        // Where none was heard to say so, it may be any of them.
        return (speakers.length > 0 ? speakers : heard)
          .map(({ doubt }) => doubt(content))
          .find((one) => one !== undefined);
      });
      // The id that an agent gave its server at the start may be out of date: after /clear a session has another one. Its
      // hooks note what it asks for before it is asked for.
      if (told.every(({ content }) => speakersOf(content).length > 0)) return { doubts };
      return { doubts, unverified: "No hooks watch the agent that wrote it, so nobody knows what it had read." };
    },
  };
}
