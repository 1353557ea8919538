import type { Conversing } from "../conversation/conversation-verbs.js";
import { openTranscriptImport } from "../conversation/import-session-transcript.js";
import { openBuilding, type Building } from "../injection/build/build.js";
import type { Memory } from "../memory/memory.js";
import type { Methodologies, PluginMemory } from "../methodology/methodology.js";
import type { ProjectContext } from "../project/project.js";
import type { Models } from "../retrieval/open-models.js";
import { openFinishing, type Finishing } from "../session/finishing/open-finishing.js";
import { openLearning } from "../session/finishing/open-learning.js";
import { openInjecting, type OpenInjecting } from "../session/injecting/open-injecting.js";
import type { WatchedSessions } from "../session/noting/open-watched-sessions.js";
import { openObserving, type OpenObserving } from "../session/observing/open-observing.js";

export interface SessionParts {
  context: ProjectContext;
  models: Models;
  watched: WatchedSessions;
  /** What was said in a session is imported into its conversation. */
  talking: Pick<Conversing, "conversation">;
  /** What follows a write: vectors, links to the code. */
  afterwards: (memories: Memory[]) => Promise<void>;
  /** How far the code is indexed; undefined where it never was. */
  codeState: () => Promise<{ isComplete: boolean } | undefined>;
  ways: () => Promise<Methodologies>;
  /** Whether the program brought methodologies of its own. */
  hasOwnWays: boolean;
}

export interface OpenSessions {
  catchUp: Finishing["catchUp"];
  /** What drives sessions, once there is a memory that a methodology may ask. */
  drive: (memory: PluginMemory) => { observing: OpenObserving; injecting: OpenInjecting; building: Building };
}

/**
 * Opens what a resident process holds for sessions, in the order in which one needs the other: their notes are open, and so
 * are conversations; learning comes next, and whoever asks a memory catches up with it; then what drives sessions.
 */
export function openSessions(parts: SessionParts): OpenSessions {
  const { context, models, watched, codeState, ways } = parts;
  const said = openTranscriptImport(context, (sessionId) => parts.talking.conversation(sessionId));
  const learning = openLearning(context, models, parts.afterwards);
  const finishing = openFinishing({ context, watching: watched.watching, learning, said });
  return {
    catchUp: finishing.catchUp,
    drive: (memory) => {
      const observing = openObserving({
        context,
        watched,
        learning,
        finishing,
        said,
        completeUnit: async (event) => {
          if (!parts.hasOwnWays) return;
          const { completeUnit } = await import("../methodology/complete-unit.js");
          await completeUnit(await ways(), event, memory);
        },
      });
      const observe = (event: Parameters<OpenObserving["observe"]>[0]) => observing.observe(event);
      const injecting = openInjecting({ context, models, codeState, watched, observe });
      const building = openBuilding(context, () => injecting.portsFor("prompt"), ways, watched.judgeAgent);
      return { observing, injecting, building };
    },
  };
}
