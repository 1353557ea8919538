import { purposeOf, purposes } from "./command-purpose.js";
import type { Run } from "./command-runs.js";
import { filesRestored } from "./files-restored.js";
import type { Command } from "../observer.js";
import { plainLine } from "../../base/input/input.js";
import { relatedPath } from "./related-path.js";
import { withoutHeredoc } from "./shell-parts.js";
import { plainWords } from "./shell-program.js";

// So much of a line says what it was for.
const lineLength = 300;
const maxTargets = 20;

/**
 * A command line as it is kept. Of several programs the most telling one names it: `cd app && npm ci && npm test | tail`
 * is `npm test`.
 */
export function commandOf(line: string, runs: readonly Run[]): Command {
  const judged = runs
    .filter(({ program }) => !silent.has(program))
    .map((run) => ({ run, ...purposeOf(run.program, run.args), isFed: run.part.isFed }));
  const order = (one: (typeof judged)[number]) =>
    purposes.indexOf(one.purpose) + (one.isFed ? purposes.length : 0) + (preparing.test(one.name) ? 0.5 : 0);
  const best = judged.toSorted((a, b) => order(a) - order(b))[0];
  const targets = best?.purpose === "test" ? targetsOf(best.run) : [];
  const restored = [...new Set(runs.flatMap(filesRestored))].slice(0, 100);
  return {
    line: plainLine(withoutHeredoc(line), lineLength),
    name: plainLine(best?.name ?? runs[0]?.program ?? "", 80),
    purpose: best?.purpose ?? "other",
    ...(targets.length > 0 && { targets }),
    ...(restored.length > 0 && { restores: restored.includes(".") ? ["."] : restored }),
    ...(/(?:^|[^&])&\s*$/.test(line.slice(-20)) && { background: true }),
  };
}

// What goes before or behind what git is there for.
const preparing = /^git (?:add|status|diff|log|show|branch|fetch)$/;
const silent = new Set(["cd", "pushd", "popd", "echo", "printf", "export", "set", "unset", "source", ".", "true", ":"]);
const testOptions = (
  "-t -k -m -n -c -p -r -o -x --grep --testNamePattern --config --reporter --project --run --count --timeout --maxfail " +
  "--testTimeout --pool --root --dir --filter --manifest-path --rootdir --maxWorkers -w -j"
).split(" ");

/** The tests that a run names: its arguments that are paths or names of tests. */
function targetsOf({ program, args, place }: Run): string[] {
  const byName = ["cargo", "dotnet", "rails", "node"].includes(program);
  const words = plainWords(args, testOptions).filter((word) => !/^(?:test|run|nextest|t|run-script|watch)$/.test(word));
  const targets = words.flatMap((word) => {
    const [path = "", ...names] = word.replace(/\/\.\.\.$/, "").split("::");
    if (!/^[\w@./\\+:()[\]-]{1,200}$/.test(path) || path === "." || path === "") return [];
    if (!/[./\\]/.test(path)) return byName || folderOfTests.test(path) ? [word] : [];
    const related = relatedPath(path, place);
    return related === undefined || related === "." ? [] : [[related, ...names].join("::").slice(0, 200)];
  });
  return [...new Set(targets)].slice(0, maxTargets);
}

const folderOfTests = /^(?:tests?|specs?|e2e|__tests__|integration|unit)$/;
