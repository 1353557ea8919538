import { openTranscriptImport, type TranscriptImport } from "../conversation/import-session-transcript.js";
import { openBuilds } from "../injection/build/build.js";
import type { RememberedMemory } from "../memory/memory.js";
import type { Methodologies, PluginMemory } from "../methodology/methodology.js";
import { openFinishing, type Finishing } from "../session/finishing/open-finishing.js";
import { openLearning, type Learning } from "../session/finishing/open-learning.js";
import { openInjecting } from "../session/injecting/open-injecting.js";
import { openObserving, type OpenObserving } from "../session/observing/open-observing.js";
import { rememberAll } from "./judged-verbs.js";
import type { Parts } from "./parts.js";
import { listMemories, reportRecall } from "./read-memories.js";

/** How sessions end: what is learned from them, and what was said in them. */
export interface FinishingSessions extends Pick<Finishing, "catchUp"> {
  learning: Learning;
  finishing: Finishing;
  said: TranscriptImport;
}

/** Everything but what drives sessions, which asks it. */
type Opened = Omit<Parts, "observing" | "injecting" | "builds">;

/** Opens what ends sessions. Their notes are open by then, and so are conversations, which what was said goes into. */
export function openFinishingSessions({
  context,
  models,
  watched,
  conversations,
}: Pick<Opened, "context" | "models" | "watched" | "conversations">): FinishingSessions {
  const said = openTranscriptImport(context, conversations.conversationFor({ kind: "program" }));
  const learning = openLearning(context, models);
  const finishing = openFinishing({
    context,
    watching: watched.watching,
    mayHaveMerged: watched.mayHaveMerged,
    learning,
    said,
    afterLearning: () => conversations.memoryFiles.lookAgain(),
  });
  return { learning, finishing, said, catchUp: finishing.catchUp };
}

/** Opens what drives sessions in a process that stays: observing, injecting, and what the roles of a build are given. */
export function driveSessions(
  parts: Opened,
  { learning, finishing, said }: FinishingSessions,
  methodologies: { load: () => Promise<Methodologies>; isOwn: boolean },
): Pick<Parts, "observing" | "injecting" | "builds"> {
  const { context, models, watched, code } = parts;
  const memory = pluginMemory(parts);
  const observing = openObserving({
    context,
    watched,
    learning,
    finishing,
    said,
    completeUnit: async (event) => {
      if (!methodologies.isOwn) return;
      const { completeUnit } = await import("../methodology/complete-unit.js");
      await completeUnit(await methodologies.load(), event, memory);
    },
  });
  const observe = (event: Parameters<OpenObserving["observe"]>[0]) => observing.observe(event);
  const injecting = openInjecting({ context, models, codeState: code.state, watched, observe });
  const builds = openBuilds(context, () => injecting.portsFor("prompt"), methodologies.load, watched.judgeAgent);
  return { observing, injecting, builds };
}

/** What a methodology may ask of the memory: it is a program. */
function pluginMemory(parts: Opened): PluginMemory {
  return {
    remember: async (input) => (await rememberAll(parts, [input]))[0] as RememberedMemory,
    list: (query) => listMemories(parts, query),
    recall: async (question, options) => (await reportRecall(parts, question, options)).results,
  };
}
