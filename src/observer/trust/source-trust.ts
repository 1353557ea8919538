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
   * The same for what an agent says without being watched here: what the sessions that hooks watch have read counts, in
   * whatever folder of the store, and where its own is not among them, what it had read is not known.
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
  /** What speaks against the words of those that go on in other folders of the same store. */
  checksElsewhere: () => Promise<DistrustCheck[]>;
  /** Whether a session is one of this process or of an agent that started it; undefined where nobody can tell. */
  isProven: (sessionId: string) => boolean | undefined;
  /** For each text what the agents have read that started this process; undefined where none has. */
  listReasonsAbove: (texts: StatedTexts) => Promise<(string | undefined)[] | undefined>;
}

type Judged = Pick<RememberOptions, "doubts" | "unverified">;

/** A session that goes on: what speaks against its words, and the marks of the texts that it asked to remember. */
interface CheckedSession {
  findReason: DistrustCheck;
  asked: ReadonlySet<string>;
}

export function openSourceTrust(context: ProjectContext, watched: WatchedSessions): SourceTrust {
  const { root, watching, notedOf, underWay, isProven, listReasonsAbove, checksElsewhere } = watched;
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
      const { doubts = [], ...rest } = await judge(texts);
      const clone = texts.some(({ content }, index) => content !== "" && doubts[index] === undefined)
        ? await findCloneReason(context)
        : undefined;
      // A verb that words nothing is judged by the session alone.
      return {
        doubts: texts.map(({ content }, index) => doubts[index] ?? (content === "" ? undefined : clone)),
        ...rest,
      };
    },
  };
  return trust;

  async function judge(texts: StatedTexts): Promise<Judged> {
    const above = await listReasonsAbove(texts);
    const here = new Set((await watching())?.sessions());
    const isOwn = ({ sessionId }: StatedTexts[number]) => sessionId !== undefined && here.has(sessionId);
    if (!above) return judgeNamed(texts, here);
    // One agent that another has started has read what both have.
    if (!texts.every(isOwn)) return { doubts: above };
    const { doubts = [], ...own } = await judgeNamed(texts, here);
    return { ...own, doubts: above.map((reason, index) => reason ?? doubts[index]) };
  }

  /** An agent may name any session: one that it cannot prove to be its own makes it no more trusted than none. */
  async function judgeNamed(texts: StatedTexts, here: ReadonlySet<string>): Promise<Judged> {
    const running = await underWay();
    const isItsOwn = (id: string) => running.has(id) && (here.has(id) || (isProven(id) ?? true));
    if (texts.every(({ sessionId }) => sessionId !== undefined && isItsOwn(sessionId)))
      return { doubts: await trust.listDistrustReasons(texts) };
    const { memoryMark } = await import("../notes/memory-mark.js");
    const checked = [...(await checkSessions(running)).values()];
    const speakersOf = (content: string) => checked.filter(({ asked }) => asked.has(memoryMark(content)));
    const isHeard = texts.every(({ content }) => speakersOf(content).length > 0);
    // A server that a person started may be asked by a command of any agent, wherever that works.
    const elsewhere = isHeard ? [] : (await checksElsewhere()).map((findReason) => ({ findReason }));
    const doubts = texts.map(({ content }) => {
      const speakers = speakersOf(content);
      // Where none was heard to say so, it may be any of them.
      return (speakers.length > 0 ? speakers : [...checked, ...elsewhere])
        .map(({ findReason }) => findReason(content))
        .find((reason) => reason !== undefined);
    });
    // The id that an agent gave its server at the start may be out of date: after /clear a session has another one. Its
    // hooks note what it asks for before it is asked for.
    if (isHeard) return { doubts };
    return { doubts, unverified: "No hooks watch the agent that wrote it, so nobody knows what it had read." };
  }
}

async function findCloneReason(context: ProjectContext): Promise<string | undefined> {
  const { findUnacceptedClone } = await import("./foreign-work.js");
  const { describeUntrustedSource } = await import("../untrusted-sources/describe-untrusted-source.js");
  const clone = await findUnacceptedClone(context);
  return clone && describeUntrustedSource(clone);
}
