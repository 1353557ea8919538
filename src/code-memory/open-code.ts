import type { MemoryContext } from "../memory/change/change.js";
import { MemoryError } from "../base/memory-error.js";
import type { StoreEmbedding } from "../embedding/store-embedding.js";
import type { FolderIdentity } from "../project/folder/identify-folder.js";
import { ignoringOf } from "../project/ignore/ignore.js";
import type { Code } from "./code-memory.js";
import { openIndexing } from "./indexing/open-indexing.js";
import { openCurrentTree } from "./tree/current-tree.js";

/** The code of a work tree. What is asked of it is answered from the files as they are now. */
export function openCode(
  context: MemoryContext,
  folder: FolderIdentity | undefined,
  embedding: () => Promise<StoreEmbedding>,
): Code {
  const { store, now } = context;
  const own = openCurrentTree(context, folder);
  const { index, watch, catchUp } = openIndexing(context, own);
  const asked = { tree: own, now, catchUp, ignoring: () => ignoringOf(context) };

  const neighbours = async (files: readonly string[]): Promise<Map<string, string[]>> => {
    const { neighbours: listNeighbours } = await import("../codegraph/ask/ask.js");
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
    impact: async (...args) => (await impacts()).readImpact(asked, ...args),
    dependencies: async (...args) => (await impacts()).readDependencies(asked, ...args),
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
      const { exportGraph } = await import("../codegraph/export/export.js");
      const { readConcepts } = await import("./concepts/read-concepts.js");
      yield* await own.ask(async (reader, tree, project) =>
        exportGraph(reader, tree, options, [...(await readConcepts(reader, project, now())).values()]),
      );
    },
    recall: async (question, options) =>
      (await import("./recall-code.js")).recallCode({ tree: own, embedding, catchUp }, question, options),
    embed: async (options) => {
      await catchUp();
      return (await import("./embed-code.js")).embedCode({ context, tree: own, embedding }, options);
    },
    links: {
      name: "links",
      ...(folder && {
        prepare: linking,
        within: async (writer, change) => (await linking()).linkChanges(writer, change, folder.root),
      }),
    },
    notes: catchUp,
    overview: async () => (await import("./read-overview.js")).readOverview(own),
    state: own.state,
    graph: { neighbours, hanging },
  };
}

function wrongInput(message: string, hint: string): MemoryError {
  return new MemoryError("invalid-input", message, hint);
}

const impacts = () => import("./read-impact.js");
const linking = () => import("./links/link-changes.js");
