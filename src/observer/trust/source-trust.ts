import type { MemoryInput } from "../../memory/memory.js";
import type { ProjectContext } from "../../project/project.js";
import type { RememberOptions } from "../../memory/remember/remember.js";
import type { Observer } from "../watch/observer.js";
import type { ReadSession } from "../watch/read-session.js";
import type { DistrustCheck } from "./open-distrust-check.js";

type StatedTexts = readonly Pick<MemoryInput, "sessionId" | "content">[];

/** Whether what is to be remembered may be trusted. */
export interface SourceTrust {
  /**
   * For each text that is to be remembered why it is not to be trusted yet, undefined where nothing speaks against it. A
   * session that is watched here takes note of it, since what comes to light later may speak against it.
   */
  listDistrustReasons: (texts: StatedTexts) => Promise<(string | undefined)[]>;
  /** The same for what is only said: nobody asked to remember it. */
  listTaintReasons: (texts: StatedTexts) => Promise<(string | undefined)[]>;
  /**
   * The same for what an agent says without being watched here: what the sessions that hooks watch in this work tree have
   * read counts, and where its own is not among them, what it had read is not known.
   */
  judgeAgent: (texts: StatedTexts) => Promise<Pick<RememberOptions, "doubts" | "unverified">>;
}

interface WatchedSessions {
  root: string;
  /** Who watches sessions in this process, if anybody does. */
  watching: () => Promise<Observer | undefined>;
  notedOf: (sessionId: string) => Promise<Pick<ReadSession, "pads" | "outside">>;
  /** Ids of the sessions in this work tree that are watched, by whatever process. */
  underWay: () => Promise<ReadonlySet<string>>;
}

/** A session that goes on: what speaks against its words, and the marks of the texts that it asked to remember. */
interface CheckedSession {
  findReason: DistrustCheck;
  asked: ReadonlySet<string>;
}

export function openSourceTrust(context: ProjectContext, watched: WatchedSessions): SourceTrust {
  const { root, watching, notedOf, underWay } = watched;
  const checkSessions = async (sessionIds: Iterable<string>): Promise<Map<string, CheckedSession>> => {
    const { openDistrustCheck } = await import("./open-distrust-check.js");
    const checked = new Map<string, CheckedSession>();
    for (const sessionId of sessionIds) {
      const session = { sessionId, root, ...(await notedOf(sessionId)) };
      const asked = session.pads.flatMap(({ actions }) => actions.flatMap(({ remembers = [] }) => remembers));
      checked.set(sessionId, { findReason: await openDistrustCheck(context, session), asked: new Set(asked) });
    }
    return checked;
  };
  const trust: SourceTrust = {
    async listTaintReasons(texts) {
      const checked = await checkSessions(new Set(texts.flatMap((one) => one.sessionId ?? [])));
      return texts.map(({ sessionId, content }) => checked.get(sessionId ?? "")?.findReason(content));
    },
    async listDistrustReasons(texts) {
      if (!texts.some(({ sessionId }) => sessionId !== undefined)) return [];
      const observer = await watching();
      const here = new Set(observer?.sessions());
      for (const { sessionId, content } of texts) {
        if (sessionId !== undefined && here.has(sessionId)) observer?.observe({ sessionId, kind: "remember", content });
      }
      return trust.listTaintReasons(texts);
    },
    async judgeAgent(texts) {
      const running = await underWay();
      if (texts.every(({ sessionId }) => sessionId !== undefined && running.has(sessionId)))
        return { doubts: await trust.listDistrustReasons(texts) };
      const { memoryMark } = await import("../notes/memory-mark.js");
      const checked = [...(await checkSessions(running)).values()];
      const speakersOf = (content: string) => checked.filter(({ asked }) => asked.has(memoryMark(content)));
      const doubts = texts.map(({ content }) => {
        const speakers = speakersOf(content);
        // Where none was heard to say so, it may be any of them.
        return (speakers.length > 0 ? speakers : checked)
          .map(({ findReason }) => findReason(content))
          .find((reason) => reason !== undefined);
      });
      // The id that an agent gave its server at the start may be out of date: after /clear a session has another one. Its
      // hooks note what it asks for before it is asked for.
      if (texts.every(({ content }) => speakersOf(content).length > 0)) return { doubts };
      return { doubts, unverified: "No hooks watch the agent that wrote it, so nobody knows what it had read." };
    },
  };
  return trust;
}
