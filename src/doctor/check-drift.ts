import { readDrift } from "../code-memory/drift/verify-stale.js";
import type { Check } from "./check.js";
import type { ProjectContext } from "../project/project.js";

/** How many memories the code speaks against. That is no fault of the store, and nothing that hurries. */
export async function checkDrift(context: ProjectContext): Promise<Check> {
  const name = "drift";
  const { inDoubt: doubted, moved: elsewhere } = await readDrift(context);
  const [inDoubt, moved] = [doubted.length, elsewhere.length];
  if (inDoubt + moved === 0) return { name, status: "ok", message: "no memory is in doubt" };
  const parts = [
    ...(inDoubt === 0
      ? []
      : [`${inDoubt} ${inDoubt === 1 ? "memory is" : "memories are"} in doubt since the code changed`]),
    ...(moved === 0 ? [] : [`${moved} ${moved === 1 ? "speaks" : "speak"} of code that has moved`]),
  ];
  return {
    name,
    status: inDoubt === 0 ? "ok" : "warning",
    message: parts.join(", "),
    hint: "tacit verify --stale tells why.",
  };
}
