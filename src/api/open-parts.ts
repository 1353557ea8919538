import { realpath } from "node:fs/promises";
import { join, resolve } from "node:path";
import { homeFolder } from "../base/files/files.js";
import { openGrounding } from "../code-memory/drift/ground-changes.js";
import { openCode } from "../code-memory/open-code.js";
import { openContradictionCheck } from "../conversation/contradictions/contradictions.js";
import { openTranscriptImport } from "../conversation/import-session-transcript.js";
import { openConversations } from "../conversation/open-conversations.js";
import { openSharing } from "../exchange/share/open-sharing.js";
import { methodologyLoader, openBuilds } from "../injection/build/build.js";
import { AccessCounter, pruneIfDue } from "../memory/retention/retention.js";
import { identifyFolder } from "../project/folder/identify-folder.js";
import { openModels } from "../retrieval/open-models.js";
import { RecallCounter } from "../retrieval/recall-counter.js";
import { openInjecting } from "../session/injecting/open-injecting.js";
import { openObserving } from "../session/observing/open-observing.js";
import { bindMemory } from "./bind-memory.js";
import { rememberAll } from "./change-memories.js";
import { followChanges } from "./follow-changes.js";
import { openContext } from "./open-context.js";
import type { OpenOptions } from "./open-options.js";
import { partsFor, type Parts } from "./parts.js";

// Often enough for something that is due once a day, in a process that was asleep at the time.
const upkeepMs = 3_600_000;

/** Opens the rooms in the order in which they need each other. Each loads next to nothing before it is asked. */
export async function openParts(options: OpenOptions): Promise<Parts> {
  const directory = resolve(options.directory ?? process.cwd());
  const folder = await identifyFolder(directory);
  const ways = await methodologyLoader(options.methodologies);
  const db = options.db ?? join(homeFolder(), "memory.db");
  const { context, place } = await openContext(options, { db, directory, folder });
  // Which files a project that was only named speaks of, this folder does not tell.
  const isHere = options.project === undefined || options.directory !== undefined;
  const here = isHere ? folder : undefined;
  const models = openModels(context, options, here);
  const code = openCode(context, here, models.embedding);
  models.ports.codeGraph ??= code.graph;
  const grounding = openGrounding(context, here);
  const sharing = openSharing(context);
  const observing = openObserving(
    context,
    models,
    { home: place.home, root: folder.root, db, ...(options.project !== undefined && { project: options.project }) },
    async () => undefined,
    async (event) => {
      if (options.methodologies === undefined) return;
      const { completeUnit } = await import("../methodology/complete-unit.js");
      await completeUnit(await ways(), event, bindMemory(parts, { kind: "program" }));
    },
    openTranscriptImport(context, (sessionId) => conversations.conversationFor({ kind: "program" })(sessionId)),
  );
  const injecting = openInjecting(context, models, code.state, observing);
  const { listDistrustReasons, listTaintReasons, judgeAgent } = observing;
  const conversations = openConversations({
    context,
    languageModel: models.ports.languageModel,
    listDistrustReasons,
    listTaintReasons,
    judgeAgent,
    place: { home: place.home, root: folder.root },
    remember: async (caller, input) => rememberAll(partsFor(parts, caller), [input]),
  });
  const parts: Parts = {
    context,
    directory: await realpath(directory).catch(() => directory),
    folder,
    here,
    place,
    models,
    code,
    trust: { listDistrustReasons, listTaintReasons, judgeAgent },
    observing,
    injecting,
    builds: openBuilds(context, () => injecting.portsFor("prompt"), ways, judgeAgent),
    conversations,
    sharing,
    grounding,
    contradictions: openContradictionCheck(context, models.ports.languageModel),
    recalls: new RecallCounter(context.store, context.project, context.now),
    accesses: new AccessCounter(context.store, context.now),
    methodologyNotes: async () => (options.methodologies === undefined ? [] : (await ways()).notes()),
    catchUp: async () => {
      await sharing.read();
      await conversations.memoryFiles.importEdits();
      await observing.catchUp();
    },
    pruning: { isDone: false },
    upkeep: setInterval(() => void pruneIfDue(context), upkeepMs).unref(),
  };
  followChanges(context.changes, parts);
  return parts;
}
