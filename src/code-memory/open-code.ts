import { MemoryError } from "../base/memory-error.js";
import type { Code, CodeImpact } from "./code.js";
import type { Impact } from "../codegraph/ask/impact.js";
import type { TreeState } from "../codegraph/indexing/tree-queries.js";
import type { Embedding } from "../embedding/embedding.js";
import { openIndexing } from "./open-indexing.js";
import type { FolderIdentity } from "../project/identify-folder.js";
import type { ProjectContext } from "../project/project-context.js";
import { openOwnTree } from "./current-tree.js";
import type { Reader } from "../storage/storage.js";

// The nearest of them: a file that everything imports has more dependents than anybody reads.
const maxAskedFor = 2000;

/** The code of a work tree. What is asked of it is answered from the files as they are now. */
export function openCode(
  context: ProjectContext,
  folder: FolderIdentity | undefined,
  embedding: () => Promise<Embedding>,
): Code {
  const { store, now } = context;
  const own = openOwnTree(context, folder);
  const { index, watch, catchUp } = openIndexing(context, own);

  const reach = async (
    walk: (reader: Reader, tree: TreeState, target: string | string[]) => Promise<Impact>,
    target: string,
    steps: number,
  ): Promise<CodeImpact> => {
    refuseNoText(target);
    const notes = await catchUp();
    const [wanted = ""] = own.fromRoot([target]);
    return own.ask(async (reader, tree, project) => {
      const { openImpactConcepts } = await import("./concepts/impact-concepts.js");
      const concepts = await openImpactConcepts(reader, project, wanted, now());
      const found = await walk(reader, tree, concepts.places ?? wanted);
      const nodes = [...found.target, ...found.dependents.map(({ node }) => node)];
      const linked = await (await joining()).listMemoriesOf(reader, project, nodes.slice(0, maxAskedFor), now());
      const mayGoOn = found.dependents.some(({ depth }) => depth === steps);
      return {
        ...found,
        ...(await concepts.join(found.target, linked)),
        mayGoOn,
        notes,
      };
    });
  };

  const neighbours = async (files: readonly string[]): Promise<Map<string, string[]>> => {
    const { neighbours: listNeighbours } = await import("../codegraph/ask/neighbours.js");
    return store.read(async (reader) => {
      const { tree } = await own.find(reader);
      return tree ? listNeighbours(reader, tree, files) : new Map<string, string[]>();
    });
  };

  const hanging = async (files: readonly string[]): Promise<string[]> =>
    (await import("./concepts/read-concepts.js")).listMembersAround(context, files);

  return {
    index,
    watch,
    impact: async (target, options) => {
      const { impact } = await import("../codegraph/ask/impact.js");
      return reach(async (reader, tree, wanted) => impact(reader, tree, wanted, options), target, options?.depth ?? 3);
    },
    dependencies: async (target, options) => {
      const { dependencies } = await import("../codegraph/ask/dependencies.js");
      return reach(
        async (reader, tree, wanted) => dependencies(reader, tree, wanted, options),
        target,
        options?.depth ?? 1,
      );
    },
    neighbours: async (files) => {
      if (!Array.isArray(files)) throw wrongInput("neighbours() takes a list of files.", 'For example: ["src/a.ts"].');
      await catchUp();
      return neighbours(own.fromRoot(files));
    },
    exportGraph: async function* exportOwnGraph(options) {
      if (!["json", "dot", "mermaid"].includes(options?.format ?? "json")) {
        throw wrongInput(`There is no format ${JSON.stringify(options?.format)}.`, "Formats: json, dot, mermaid.");
      }
      await catchUp();
      const { exportGraph } = await import("../codegraph/ask/export-graph.js");
      const { readConcepts } = await import("./concepts/read-concepts.js");
      yield* await own.ask(async (reader, tree, project) =>
        exportGraph(reader, tree, options, [...(await readConcepts(reader, project, now())).values()]),
      );
    },
    recall: async (question, { mode = "hybrid", ...rest } = {}) => {
      const notes = await catchUp();
      const options = { ...rest, ...(rest.files && { files: own.fromRoot(rest.files) }) };
      const [{ searchCode }, { readHit }] = await Promise.all([
        import("../codegraph/chunks/search-code.js"),
        import("../codegraph/chunks/read-hit.js"),
      ]);
      const meaning =
        mode === "words" || !(await own.ask(hasVectors)) ? undefined : await (await embedding()).embedQuery(question);
      if (meaning && "problem" in meaning) notes.push(meaning.problem);
      const found = await own.ask(async (reader, tree) =>
        searchCode(reader, tree, question, { ...options, ...(meaning && "vector" in meaning && { meaning }) }),
      );
      const texts = await Promise.all(found.map(async (hit) => readHit(own.folder().root, hit)));
      const hits = found.map((hit, at) => ({ ...hit, ...(texts[at] !== undefined && { text: texts[at] }) }));
      return { hits, notes };
    },
    embed: async (options) => {
      const { embedChunks } = await import("../codegraph/chunks/embed-chunks.js");
      await catchUp();
      const tree = await own.ask(async (_reader, found) => found);
      const held = await embedding();
      const embedder = await held.open();
      if (!embedder)
        return {
          embedded: 0,
          pending: 0,
          refused: 0,
          changed: 0,
          failure: "No embedding model is configured.",
          hint: "To choose the bundled one: tacit config set embeddingProvider bundled",
        };
      // A model counts in a store when its memories have their vectors, and only then is a question compared.
      await held.embedPending({ ...(options?.signal && { signal: options.signal }) });
      return embedChunks({ store, tree, embedder, now }, options);
    },
    link: async (which) => {
      if (typeof which === "object" && "ids" in which && which.ids.length === 0) return;
      try {
        const { tree } = await store.read(own.find);
        if (tree) await (await joining()).linkMemories(context, tree, which);
      } catch (error) {
        if (!(error instanceof MemoryError)) throw error;
      }
    },
    notes: catchUp,
    state: own.state,
    graph: { neighbours, hanging },
  };
}

function refuseNoText(target: string): void {
  if (typeof target === "string" && target.trim() !== "") return;
  throw wrongInput("What to look at is not named.", "Name a file, a folder or a symbol: src/store.ts#Store.read.");
}

function wrongInput(message: string, hint: string): MemoryError {
  return new MemoryError("invalid-input", message, hint);
}

async function hasVectors(reader: Reader, tree: TreeState): Promise<boolean> {
  return (await import("../codegraph/chunks/list-nearest-chunks.js")).hasVectors(reader, tree);
}

const joining = () => import("./links/follow-code.js");
