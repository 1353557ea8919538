import { realpathSync } from "node:fs";
import { join } from "node:path";
import { commitFiles, git } from "./git-repository.js";
import { runTacit } from "./run-tacit.js";
import { temporaryFolder } from "./temporary-folder.js";

export const shop = {
  "src/store.ts":
    "export class Store {\n  read(key: string): string {\n    return key;\n  }\n}\n\nexport const limit = 3;\n",
  "src/cart/total.ts":
    'import { Store } from "../store.js";\nexport const total = (store: Store) => store.read("total").length;\n',
  "test/total.test.ts": 'import { total } from "../src/cart/total.js";\ntotal(null);\n',
  "README.md": "# A shop\n",
};

/** A repository and a store of the running test's own. */
export function freshProject(files: Record<string, string>) {
  const folder = realpathSync(temporaryFolder());
  const fresh = join(folder, "project");
  git(folder, "-c", "init.defaultBranch=main", "init", "--quiet", "project");
  commitFiles(fresh, files);
  const env: NodeJS.ProcessEnv = { ...environment(), TACIT_HOME: join(folder, "home") };
  return {
    fresh,
    env,
    run: async (...args: string[]) => runTacit(args, { cwd: fresh, env: { TACIT_HOME: join(folder, "home") } }),
  };
}

function environment(): NodeJS.ProcessEnv {
  const { FORCE_COLOR: _, ...rest } = process.env;
  return { ...rest, NO_COLOR: "1" };
}
