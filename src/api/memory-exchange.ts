import type {
  ChromaExportOptions,
  ChromaExportReport,
  ChromaImportOptions,
  ChromaImportReport,
} from "../exchange/chroma/chroma-options.js";
import type {
  ExportOptions,
  ExportReport,
  ImportOptions,
  ImportReport,
  ShareOptions,
  ShareReport,
} from "../exchange/exchange.js";
import { callerOf } from "../base/actor.js";
import { conceptsOf } from "./judged-verbs.js";
import { judgeChange, refuseTainted } from "./judge-caller.js";
import type { Parts } from "./parts.js";

/** Memories in and out. */
export interface MemoryExchange {
  /** Imports memories from a file, a folder or a stream, in whichever of its formats: all of them or none. */
  import(source: string | AsyncIterable<Uint8Array>, options?: ImportOptions): Promise<ImportReport>;
  /** Writes memories out as JSON Lines, as Markdown files, or as a section for CLAUDE.md. */
  export(options: ExportOptions): Promise<ExportReport>;
  /** Imports a collection of a Chroma server, such as `http://127.0.0.1:8000?collection=memories`: all of it or nothing. */
  importChroma(address: string, options?: ChromaImportOptions): Promise<ChromaImportReport>;
  /** Puts the active memories into such a collection, with vectors of all-MiniLM-L6-v2. A second time, it changes nothing. */
  exportChroma(address: string, options?: ChromaExportOptions): Promise<ChromaExportReport>;
  /** Every memory of this project in a new folder: its own database with their vectors, JSON Lines and Markdown. */
  archive(folder: string): Promise<ExportReport>;
  /** Brings the shared files of the work tree and the memories of the project into step, both ways. */
  share(options?: ShareOptions): Promise<ShareReport>;
}

/** @internal */
export function bindExchange(parts: Parts): MemoryExchange {
  const { context, models, sharing } = parts;
  const { noteStated } = conceptsOf(parts);
  return {
    import: async (source, options) => {
      const judged = callerOf(context.actor).kind === "agent" ? await judgeImport(parts) : {};
      const { importMemories } = await import("../exchange/import/import-memories.js");
      return importMemories(context, source, options, judged);
    },
    export: async (options) =>
      noteStated(await (await import("../exchange/export/export-memories.js")).exportMemories(context, options)),
    importChroma: async (...args) => {
      await refuseTainted(parts, "What is known", ["import", "--chroma", args[0]]);
      return (await import("../exchange/chroma/import-from-chroma.js")).importFromChroma(context, ...args);
    },
    exportChroma: async (...args) =>
      (await import("../exchange/chroma/export-chroma.js")).exportChroma(context, await models.embedding(), ...args),
    archive: async (output) => {
      const { archiveProject } = await import("../exchange/export/archive-project.js");
      const { copyVectors } = await import("../embedding/vectors/vectors.js");
      return noteStated(await archiveProject(context, output, copyVectors));
    },
    share: async (options) => {
      await refuseTainted(parts, "What is shared", ["share", ...shareWords(options)]);
      return sharing.share(context, options);
    },
  };
}

/** What is shared, as the command line takes it. A caller may hand over anything; what does not fit is refused by the room. */
function shareWords(options: unknown): unknown[] {
  const { references, trust, distrust, prefer, missing } = Object(options) as Record<keyof ShareOptions, unknown>;
  const each = (list: unknown, flag: string[] = []): unknown[] =>
    Array.isArray(list) ? list.flatMap((one: unknown) => [...flag, one]) : [];
  const one = (value: unknown, flag: string) => (value === undefined ? [] : [flag, value]);
  return [
    ...each(references),
    ...one(prefer, "--prefer"),
    ...one(missing, "--missing"),
    ...each(trust, ["--trust"]),
    ...each(distrust, ["--distrust"]),
  ];
}

/** A file that an agent hands over may be anybody's, also where the agent itself has read nothing untrusted. */
async function judgeImport(parts: Parts): ReturnType<typeof judgeChange> {
  const { doubt, unverified } = await judgeChange(parts);
  return { doubt: doubt ?? (unverified === undefined ? importedReason : undefined), unverified };
}

const importedReason = "An agent imported it, and nobody knows who worded it.";
