import { listRelatedFiles } from "../memory/read/read.js";
import { ignoringOf, isIgnoredProject } from "../project/ignore/ignore.js";
import { readProject, type ProjectContext } from "../project/project.js";
import type { Check } from "./check.js";

// So many are named in the command that forgets; the rest comes with the next look.
const maxNamed = 5;

/** Whether memories speak of what is ignored by now. They are the user's, and stay until somebody forgets them. */
export async function checkIgnored(context: ProjectContext): Promise<Check> {
  const name = "ignored";
  const { ignore } = await context.settings();
  if (isIgnoredProject(ignore.projects, await context.folder())) {
    const message = "this project is ignored: nothing of it is observed, indexed or injected";
    return { name, status: "ok", message, hint: "tacit config get ignore" };
  }
  const ignoring = await ignoringOf(context);
  if (ignoring.path(".") !== undefined) {
    const message = ".tacitignore cannot be read, so everything in this folder is ignored";
    return { name, status: "warning", message, hint: "It is a text file of at most 64 KiB and 2,000 patterns." };
  }
  const related = await readProject(context, [], listRelatedFiles);
  const about = related.filter(({ file }) => ignoring.path(file) !== undefined);
  if (about.length === 0) return { name, status: "ok", message: "no memory is about an ignored file" };
  const memories = new Set(about.map(({ key }) => key)).size;
  const files = [...new Set(about.map(({ file }) => file))];
  const flags = files.slice(0, maxNamed).map((file) => `--file ${JSON.stringify(file)}`);
  return {
    name,
    status: "warning",
    message: `${memories} ${memories === 1 ? "memory is" : "memories are"} about ${files.length} ignored ${files.length === 1 ? "file" : "files"}`,
    hint: `They stay until you forget them: tacit list ${flags.join(" ")}, then tacit forget with their ids.`,
  };
}
