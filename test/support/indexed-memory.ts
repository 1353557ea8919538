import { writeFiles } from "./git-repository.js";
import { openTestMemory } from "./open-memories.js";
import { temporaryFolder } from "./temporary-folder.js";

/** A memory whose folder has these files, and is indexed. */
export async function indexed(files: Record<string, string>, root = temporaryFolder()) {
  writeFiles(root, files);
  const memory = await openTestMemory({ directory: root });
  await memory.index();
  return memory;
}
