import { join } from "node:path";
import { expect, it } from "vitest";
import { commitFiles, git } from "../../../test/support/git-repository.js";
import { toldProject } from "../../../test/support/told-project.js";
import { toldSession, type ToldSession } from "../../../test/support/told-session.js";
import { observeOnce } from "../../hook/observe-once.js";

const file = "src/tax.ts";

it("[I13] unfinished work is of the branch that it was done on, whatever is checked out when it is learned of", async () => {
  const { root, db, memory, open } = await toldProject();
  commitFiles(root, { [file]: "export const tax = 1;\n" });
  const note = ({ events }: ToldSession) => observeOnce(events, { db, directory: root });

  git(root, "checkout", "--quiet", "-b", "killed");
  await note(leaves(toldSession("killed").starts(), root));
  git(root, "checkout", "--quiet", "main");
  await note(toldSession("moved").starts());
  git(root, "checkout", "--quiet", "-b", "moved");
  await note(leaves(toldSession("moved"), root).ends("failure"));
  const other = await open();
  for (const event of leaves(toldSession("stays", Date.parse("2026-11-03T09:00:00Z")), root).events)
    other.observe(event);
  await other.close();
  git(root, "checkout", "--quiet", "main");
  await note(leaves(toldSession("unsaid"), root));
  for (const id of ["killed", "moved", "stays", "unsaid"]) await memory.finishSession(id);

  const states = await memory.list({ types: ["work_state"], status: "any", includeSuperseded: true });
  const named = states.map(({ content }) => /on branch `(\w+)`/.exec(content)?.[1]);
  const branches = new Map(states.map(({ sessionId, branch }, index) => [sessionId, [branch, named[index]]]));
  expect(Object.fromEntries(branches)).toEqual({
    killed: ["killed", "killed"],
    moved: ["moved", "moved"],
    stays: ["moved", "moved"],
    // It never said that it began: the first note of a part says where.
    unsaid: ["main", "main"],
  });
});

/** Edits a file, after which a check fails. */
function leaves(session: ToldSession, root: string): ToldSession {
  return session
    .prompts(`Rework the palette of ${session.id}`)
    .edits(join(root, file), "1", "2")
    .runs("npm test", "Error: expected 1 to be 2", true);
}
