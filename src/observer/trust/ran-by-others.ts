import type { UntrustedSource } from "../observer.js";
import type { Action } from "../scratchpad/session-view.js";

interface KnownScripts {
  judge: (path: string) => UntrustedSource | undefined;
  /** Whether git tracks a file, and nothing from elsewhere was written to it. */
  isProjects: (path: string) => boolean;
  /** Programs that this session has built from the project's code, and repositories that it has made. */
  built: ReadonlySet<string>;
  /** A path as the others have it. */
  plain: (path: string) => string;
  exists: (path: string) => boolean;
}

/**
 * The script or manifest by which an action ran what is not the project's, if it did and showed words. Whose words a script
 * prints is known of the project's own alone: one that an agent has just written may fetch them from anywhere. Of manifests
 * one is enough, and one that an agent wrote says no more than the agent.
 */
export function ranByOthers(
  { runs = [], ruledBy = [], wordless }: Action,
  { judge, isProjects, built, plain, exists }: KnownScripts,
): UntrustedSource | undefined {
  if (wordless) return undefined;
  const isBuilt = (path: string) => [...built].some((one) => path === one || path.startsWith(`${one}/`));
  const script = runs.find((path) => !isProjects(path) && !isBuilt(plain(path)));
  if (script !== undefined) return judge(script) ?? { from: "untracked", what: script.slice(0, 200) };
  for (const manifests of ruledBy) {
    const paths = manifests.split("|");
    // Where there is no manifest at all, none of a stranger has said what to run.
    const foreign = paths.find((path) => judge(path) !== undefined && exists(plain(path)));
    if (foreign !== undefined && paths.every((path) => judge(path) !== undefined)) return judge(foreign);
  }
  return undefined;
}
