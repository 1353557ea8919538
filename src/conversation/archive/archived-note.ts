import { archiveLine } from "./archive-line.js";
import type { ProjectContext } from "../../project/project.js";

/** The line that tells where a session is archived. Undefined where no archive of it is there. */
export async function archivedNote(context: ProjectContext, sessionId: string): Promise<string | undefined> {
  const { replay } = await import("./replay.js");
  const { marker, archive } = await replay(context, sessionId);
  return marker && archive && archiveLine(marker, archive);
}
