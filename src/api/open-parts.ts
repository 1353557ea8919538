import { realpath } from "node:fs/promises";
import { join, resolve } from "node:path";
import { homeFolder } from "../base/files/files.js";
import { openGrounding } from "../code-memory/drift/ground-changes.js";
import { openCode } from "../code-memory/open-code.js";
import { openContradictionCheck } from "../conversation/contradictions/contradictions.js";
import { openConversations } from "../conversation/open-conversations.js";
import { openSharing } from "../exchange/share/open-sharing.js";
import { methodologyLoader } from "../injection/build/build.js";
import { AccessCounter, pruneIfDue } from "../memory/retention/retention.js";
import { openAcceptance } from "../project/project.js";
import { identifyFolder } from "../project/folder/identify-folder.js";
import { openModels } from "../retrieval/open-models.js";
import { RecallCounter } from "../retrieval/recall-counter.js";
import { openWatchedSessions } from "../session/noting/open-watched-sessions.js";
import { rememberAll } from "./judged-verbs.js";
import { followAcceptance } from "./follow-acceptance.js";
import { followChanges } from "./follow-changes.js";
import { openContext } from "./open-context.js";
import type { OpenOptions } from "./open-options.js";
import { driveSessions, openFinishingSessions } from "./open-sessions.js";
import type { Parts } from "./parts.js";

// Often enough for something that is due once a day, in a process that was asleep at the time.
const upkeepMs = 3_600_000;

/** Opens the rooms in the order in which they need each other. Each loads next to nothing before it is asked. */
export async function openParts(options: OpenOptions): Promise<Parts> {
  const directory = resolve(options.directory ?? process.cwd());
  const folder = await identifyFolder(directory);
  const methodologies = {
    load: await methodologyLoader(options.methodologies),
    isOwn: options.methodologies !== undefined,
  };
  const db = options.db ?? join(homeFolder(), "memory.db");
  const { project } = options;
  const where = { home: homeFolder(), root: folder.root, db, ...(project !== undefined && { project }) };
  const { context, place } = await openContext(options, { db, directory, folder, where });
  // Which files a project that was only named speaks of, this folder does not tell.
  const isHere = options.project === undefined || options.directory !== undefined;
  const here = isHere ? folder : undefined;
  const models = openModels(context, options, here);
  const code = openCode(context, here, models.embedding);
  models.ports.codeGraph ??= code.graph;
  const watched = openWatchedSessions(context, where);
  const { languageModel } = models.ports;
  const isBrought = () => watched.bringsModel(Boolean(options.languageModel));
  // Only where what it says waits for a person: it would word, describe and judge what others have stored.
  models.ports.languageModel = async () => (isBrought() ? undefined : languageModel?.());
  const conversations = openConversations({
    context,
    languageModel,
    bringsModel: (hasOwn) => isBrought() || watched.bringsModel(hasOwn),
    listDistrustReasons: watched.listDistrustReasons,
    listTaintReasons: watched.listTaintReasons,
    judgeAgent: watched.judgeAgent,
    wasAnyTaintedSince: watched.wasAnyTaintedSince,
    place: { home: place.home, root: folder.root },
    remember: async (caller, input) => rememberAll({ context: { ...context, actor: caller }, trust: watched }, [input]),
  });
  const sharing = openSharing(context);
  const acceptance = openAcceptance();
  const finishing = openFinishingSessions({ context, models, watched, conversations });
  const opened = {
    context,
    directory: await realpath(directory).catch(() => directory),
    folder,
    here,
    place,
    models,
    code,
    trust: watched,
    watched,
    conversations,
    sharing,
    acceptance,
    grounding: openGrounding(context, here),
    contradictions: openContradictionCheck(context, models.ports.languageModel),
    recalls: new RecallCounter(context.store, context.project, context.now),
    accesses: new AccessCounter(context.store, context.now),
    methodologyNotes: async () => (methodologies.isOwn ? (await methodologies.load()).notes() : []),
    catchUp: async () => {
      await sharing.read();
      await conversations.memoryFiles.importEdits();
      await finishing.catchUp();
    },
    pruning: { isDone: false },
    upkeep: setInterval(() => void pruneIfDue(context), upkeepMs).unref(),
  };
  followChanges(context.changes, opened);
  followAcceptance(opened, finishing.finishing);
  return { ...opened, ...driveSessions(opened, finishing, methodologies) };
}
