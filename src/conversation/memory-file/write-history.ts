import type { ProjectContext } from "../../project/project.js";
import { noteHistory } from "./note-history.js";

/** Writes every archive that is not in the HISTORY files yet. */
export async function writeHistory(context: ProjectContext, folder: string): Promise<void> {
  await noteHistory(context, folder, {
    raw: async ({ id, data }) => {
      const [{ listArchivedTurns }, { rawFallback }] = await Promise.all([
        import("../archive/replay.js"),
        import("../summary/raw-fallback.js"),
      ]);
      const problem = data?.["problem"];
      return rawFallback(await listArchivedTurns(context, id), typeof problem === "string" ? problem : "");
    },
  });
}
