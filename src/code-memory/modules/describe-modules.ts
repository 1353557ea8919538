import { MemoryError } from "../../base/memory-error.js";
import {
  type CodeDigest,
  describingPrompt,
  describingSystem,
  findModule,
  listOwnNodes,
  listRepliedIds,
  openDigesting,
  readByIds,
  readDescription,
  readDigest,
  readModules,
  storeDescription,
} from "../../codegraph/modules/modules.js";
import { askModel } from "../../language-model/ask-model.js";
import type { LanguageModel } from "../../language-model/language-model.js";
import { readProject, refuseWhenDisabled, writeProject } from "../../project/project.js";
import type { Models } from "../../retrieval/open-models.js";
import type { DescribedModules, DescribeModulesOptions } from "./module.js";
import type { ModulesSource } from "./read-module.js";
import { listMade, noteMade, weekOf } from "../../observer/synthesis/synthesis.js";
import { openCurrentTree } from "../tree/current-tree.js";

/** The same, and the model that is asked. */
export interface DescriptionSource extends ModulesSource {
  models: Models;
}

// As long as a synthesis waits for its model.
const timeoutMs = 30_000;
const maxOutputTokens = 800;
// By itself, in a week: a prompt has about 2,000 model tokens, so a large project costs no more than a small one.
const maxInAWeek = 10;

/** Has a language model say what modules are for, one call for each that has changed since it was last asked. */
export async function describeModules(
  of: DescriptionSource,
  { modules, force = false, signal }: DescribeModulesOptions = {},
): Promise<DescribedModules> {
  if (modules !== undefined && !(Array.isArray(modules) && modules.every((name) => typeof name === "string"))) {
    throw new MemoryError("invalid-input", "modules is a list of names.", 'For example { modules: ["memory"] }.');
  }
  await refuseWhenDisabled(of.context);
  const model = await of.models.ports.languageModel?.();
  if (!model) {
    throw new MemoryError(
      "invalid-input",
      "No language model is configured.",
      "Choose one: tacit config set languageModelProvider ollama. Without one, tacit module tells what is written.",
    );
  }
  await of.code.notes();
  const { due, unchanged } = await listDue(of, { modules, force });
  return { ...(await ask(of, model, due, signal)), unchanged };
}

/** Once a week in a project, where a model is configured and the code is indexed. Whoever is waiting waits for something else. */
export async function describeWeekly(of: DescriptionSource): Promise<void> {
  try {
    await describeIfDue(of);
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
  }
}

async function describeIfDue(of: DescriptionSource): Promise<void> {
  const { context } = of;
  const occasion = `modules ${weekOf(context.now())}`;
  const isMade = await readProject(context, true, async (reader, project) =>
    (await listMade(reader, project)).has(`*\n${occasion}`),
  );
  if (isMade || !(await context.settings()).enabled || !(await isIndexed(of))) return;
  const model = await of.models.ports.languageModel?.();
  if (!model) return;
  const isMine = await writeProject(context, (writer, project) =>
    noteMade(writer, project, { module: "*", occasion, memories: 0, now: context.now() }),
  );
  if (!isMine) return;
  await of.code.notes();
  await ask(of, model, (await listDue(of, { most: maxInAWeek })).due);
}

async function isIndexed({ context, here }: DescriptionSource): Promise<boolean> {
  return (await context.store.read(openCurrentTree(context, here).find)).tree?.completedAt !== undefined;
}

interface Due {
  modules?: readonly string[] | undefined;
  force?: boolean;
  most?: number;
}

/** The modules to ask about: those never described first, then the largest. */
async function listDue(
  { context, here }: DescriptionSource,
  { modules: wanted, force = false, most = Infinity }: Due,
): Promise<{ due: CodeDigest[]; unchanged: string[] }> {
  return openCurrentTree(context, here).ask(async (reader, tree, project) => {
    const modules = await readModules(reader, tree);
    const digesting = await openDigesting(reader, project.number, modules);
    const names = wanted ?? modules.list.filter(({ files }) => files.length > 0).map(({ name }) => name);
    // A name stands for all that it begins the names of, here as in the digest that is shown.
    const found = names.map((name) => findModule(modules, name));
    const asked = [...new Map(found.map((module) => [module.name, module])).values()];
    const [due, unchanged]: [(typeof asked)[number][], string[]] = [[], []];
    for (const module of asked) {
      const kept = digesting.purposes.get(module.name.toLowerCase());
      const { state } = await listOwnNodes(digesting, module);
      if (kept?.madeFrom === state && !force) unchanged.push(module.name);
      else due.push(module);
    }
    const isNew = ({ name }: { name: string }) => !digesting.purposes.has(name.toLowerCase());
    const sorted = due.toSorted((a, b) => Number(isNew(b)) - Number(isNew(a)) || b.files.length - a.files.length);
    const digests: CodeDigest[] = [];
    for (const { name } of sorted.slice(0, most)) digests.push(await readDigest(digesting, name));
    return { due: digests, unchanged };
  });
}

type Asked = Omit<DescribedModules, "unchanged">;

async function ask(
  of: DescriptionSource,
  model: LanguageModel,
  digests: readonly CodeDigest[],
  signal?: AbortSignal,
): Promise<Asked> {
  const report: Asked = { described: [], failed: [], left: [] };
  for (const [at, digest] of digests.entries()) {
    const outcome = await describeOne(of, model, digest, signal);
    if ("purpose" in outcome) report.described.push({ module: digest.name, ...outcome });
    else report.failed.push({ module: digest.name, problem: outcome.problem });
    // One that does not answer, or may not be asked any more, will not answer for the next module either.
    if (signal?.aborted || ("isSilent" in outcome && outcome.isSilent)) {
      report.left = digests.slice(at + 1).map(({ name }) => name);
      break;
    }
  }
  return report;
}

async function describeOne(
  { context, here }: DescriptionSource,
  model: LanguageModel,
  digest: CodeDigest,
  signal?: AbortSignal,
): Promise<{ purpose: string; edges: number } | { problem: string; isSilent?: true }> {
  const own = openCurrentTree(context, here);
  const prompt = await describingPrompt(own.folder().root, withoutTold(digest));
  let [reply, problem]: [string | undefined, string | undefined] = [undefined, undefined];
  try {
    reply = await askModel({ who: model.modelId, timeoutMs, ...(signal && { signal }) }, (ending) =>
      model.generate({
        purpose: "describe",
        system: describingSystem,
        prompt,
        maxOutputTokens,
        timeoutMs,
        signal: ending,
      }),
    );
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    problem = error.message;
  }
  if (reply === undefined) {
    return { problem: problem ?? model.lastProblem ?? `${model.modelId} did not answer.`, isSilent: true };
  }
  const ids = listRepliedIds(reply);
  const known = await own.ask(async (reader, tree) => readByIds(reader, tree, ids));
  const said = await readDescription(reply, digest, (id) => known.has(id));
  if (!said) return { problem: "Its reply could not be used." };
  const { name, parts, state } = digest;
  // What was said of its parts is not taken away: each of them has its own flows.
  const isWhole = parts.length > 0;
  const description = isWhole ? { ...said, edges: said.edges.filter(({ kind }) => kind !== "flows_to") } : said;
  const files = isWhole ? [] : digest.files;
  await writeProject(context, (writer, project) =>
    storeDescription(writer, project.number, { name, files }, description, { from: state, at: context.now() }),
  );
  return { purpose: description.purpose, edges: description.edges.length };
}

/** What the model said before is not shown to it as known: it would leave it out, and that is taken back with the rest. */
function withoutTold(digest: CodeDigest): CodeDigest {
  return {
    ...digest,
    entryPoints: digest.entryPoints.filter(({ source }) => source !== "llm"),
    flows: digest.flows.filter(({ source }) => source !== "llm"),
  };
}
