import { MemoryError } from "../../base/memory-error.js";
import type { FolderIdentity } from "./identify-folder.js";

/** The folder of a project. Refuses where only the project's name is known. */
export function getFolder(folder: FolderIdentity | undefined): FolderIdentity {
  if (folder) return folder;
  throw new MemoryError(
    "invalid-input",
    "Which folder holds the code of this project is not known: it was only named.",
    "Run it inside the project, or open it with its directory.",
  );
}
