import type { Concepts } from "./concept.js";
import type { ExportReport } from "../../exchange/exchange.js";
import type { FolderIdentity } from "../../project/folder/identify-folder.js";
import type { MemoryInput } from "../../memory/memory.js";
import type { ProjectContext } from "../../project/project.js";

interface Parts {
  context: ProjectContext;
  /** The project's folder; undefined where only the project's name is known. */
  here: FolderIdentity | undefined;
  remember: (input: MemoryInput) => Promise<unknown>;
  /** Takes in what others left in the work tree, before anybody looks. */
  takeUp: () => Promise<void>;
}

/** The verbs of patterns and decisions, loaded with the first of them, and what an export leaves behind. */
export function bindConcepts({ context, here, remember, takeUp }: Parts): {
  verbs: Concepts;
  noteStated: (report: ExportReport) => Promise<ExportReport>;
} {
  const loading = () => import("./open-concepts.js");
  const open = async () => (await loading()).openConcepts(context, here, remember);
  return {
    verbs: {
      concepts: async (options) => {
        await takeUp();
        return (await open()).concepts(options);
      },
      concept: async (id) => {
        await takeUp();
        return (await open()).concept(id);
      },
      stateConcept: async (...args) => (await open()).stateConcept(...args),
      unstateConcept: async (...args) => (await open()).unstateConcept(...args),
    },
    noteStated: async (report) => (await loading()).noteStated(context, report),
  };
}
