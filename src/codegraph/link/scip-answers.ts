import type { UseFact, TypeFact, ExpressionFact } from "../facts/facts.js";
import type { Definition } from "./definitions.js";
import type { EdgeList, EdgeStart } from "./edge-list.js";
import { findSourceFile, type FileLinking } from "./linking-context.js";
import type { SourceFile } from "./source-file.js";

/** A symbol of a file of the tree. */
export type ScipTarget = [file: string, path: string];

/** What a SCIP index says of one file, as it is kept: only for the text it was made of. */
export interface ScipAnswers {
  targets: ScipTarget[];
  /** In order. Numbers of targets; none where it leads outside of the tree. `runs`: 1 where the text goes on as a call does. */
  uses: [line: number, name: string, runs: 0 | 1, ...targets: number[]][];
  /** What a symbol of this file implements, extends or overrides, directly or not. */
  implemented: [path: string, ...targets: number[]][];
}

/** The uses of a file, as far as a SCIP index speaks of them. */
export interface ScipUses {
  /**
   * Adds the edges of a use to a list. True: nothing else is to be looked for. A list: it is one of these, of which none can
   * be called; what they hold may be. Undefined: the index does not say.
   */
  add(list: EdgeList, from: string, use: UseFact): true | readonly Definition[] | undefined;
}

export function openScipUses(linking: FileLinking, { path, facts }: SourceFile): ScipUses | undefined {
  const { scip } = linking.sources;
  if (!scip) return undefined;
  const find = openAnswers(linking, scip, facts.uses);
  const addAll = (list: EdgeList, start: EdgeStart, found: readonly Definition[]) => {
    for (const { place, symbol } of found) {
      const isSelf = symbol.path === start.from && place.path === path;
      if (!isSelf || start.kind === "calls") list.add(start, "precise", place.path, symbol);
    }
  };
  return {
    add: (list, from, use) => {
      const line = use[3];
      if (use[0] === "type") {
        const answers = namesOfType(use[1]).map((name) => find.mention(name, line));
        for (const found of answers) addAll(list, { from, kind: "references", line }, found ?? []);
        return answers.includes(undefined) ? undefined : true;
      }
      const name = lastNameOf(use[1], use[4]);
      if (use[0] === "reference") {
        const found = name === undefined ? undefined : find.mention(name, line);
        addAll(list, { from, kind: "references", line }, found ?? []);
        return found && true;
      }
      const found = name === undefined ? undefined : find.run(name, line);
      if (!found) return undefined;
      const run = found.filter(({ symbol }) => symbol.isCallable);
      addAll(list, { from, kind: run.length > 0 ? "calls" : "references", line }, run.length > 0 ? run : found);
      return run.length > 0 || found.length === 0 || found;
    },
  };
}

/** Answers what a name on a line leads to. No definitions: outside of the tree; undefined: the index does not say. */
interface Answers {
  run(name: string, line: number): Definition[] | undefined;
  mention(name: string, line: number): Definition[] | undefined;
}

function openAnswers(linking: FileLinking, scip: ScipAnswers, uses: readonly UseFact[]): Answers {
  const places = new Map<string, ScipAnswers["uses"]>();
  for (const use of scip.uses) {
    const key = `${use[0]} ${use[1]}`;
    const alike = places.get(key);
    if (alike) alike.push(use);
    else places.set(key, [use]);
  }
  /** How many runs of a name stand on a line, and how many of them were asked about. */
  let runs: Map<string, { all: number; asked: number }> | undefined;
  const answer = (found: ScipAnswers["uses"][number] | undefined) =>
    found && definitionsOf(linking, scip, found.slice(3) as number[]);
  return {
    run: (name, line) => {
      const key = `${line} ${name}`;
      const alike = places.get(key) ?? [];
      if (alike.length < 2 || isOneAnswer(alike)) return answer(alike[0]);
      const run = alike.filter((one) => one[2] === 1);
      if (run.length > 0 && isOneAnswer(run)) return answer(run[0]);
      // They lead elsewhere: then their order tells. What the facts leave out leads outside.
      runs ??= countRuns(uses);
      const count = runs.get(key) ?? { all: 0, asked: 0 };
      count.asked += 1;
      const inside = run.filter((one) => one.length > 3);
      const ordered = [run, inside].find(({ length }) => length === count.all);
      return answer(ordered?.[count.asked - 1]);
    },
    mention: (name, line) => {
      const alike = places.get(`${line} ${name}`) ?? [];
      return isOneAnswer(alike) ? answer(alike[0]) : undefined;
    },
  };
}

function isOneAnswer(uses: ScipAnswers["uses"]): boolean {
  const [first, ...others] = uses.map((use) => use.slice(3).join(" "));
  return others.every((other) => other === first);
}

function countRuns(uses: readonly UseFact[]): Map<string, { all: number; asked: number }> {
  const runs = new Map<string, { all: number; asked: number }>();
  for (const use of uses) {
    if (use[0] === "type" || use[0] === "reference") continue;
    const key = `${use[3]} ${lastNameOf(use[1], use[4]) ?? ""}`;
    const count = runs.get(key) ?? { all: 0, asked: 0 };
    count.all += 1;
    runs.set(key, count);
  }
  return runs;
}

/** Undefined where one of them is no longer there: then the index speaks of another state of that file. */
export function definitionsOf(
  linking: FileLinking,
  scip: ScipAnswers,
  numbers: readonly number[],
): Definition[] | undefined {
  const found: Definition[] = [];
  for (const number of numbers) {
    const [file = "", path = ""] = scip.targets[number] ?? [];
    const place = findSourceFile(linking, file);
    const symbol = place?.facts.symbols[place.symbolsByPath.get(path) ?? -1];
    if (!place || !symbol) return undefined;
    found.push({ place, symbol });
  }
  return found;
}

/** The name by which something is used: `read` of `store.read()`. */
export function lastNameOf(expression: ExpressionFact | null, name?: string): string | undefined {
  if (name !== undefined) return name;
  return expression?.[0] === "name" ? expression[1] : expression?.[0] === "member" ? expression[2] : undefined;
}

/** Every name that a written type mentions, without what it is qualified by. */
export function namesOfType(type: TypeFact): string[] {
  switch (type[0]) {
    case "name":
      return [type[1].slice(type[1].lastIndexOf(".") + 1), ...(type[2] ?? []).flatMap(namesOfType)];
    case "array":
    case "member":
      return namesOfType(type[1]);
    case "either":
      return type[1].flatMap(namesOfType);
    case "function":
      return [type[1], ...type[2]].flatMap((part) => (part ? namesOfType(part) : []));
    case "of": {
      const name = lastNameOf(type[1]);
      return name === undefined ? [] : [name];
    }
    case "module":
      return type[2] === null ? [] : [type[2]];
    case "shape":
  }
  return [];
}
