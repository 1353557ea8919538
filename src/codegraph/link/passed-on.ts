import { findModule, type FileLinking } from "./linking-context.js";
import type { SourceFile } from "./source-file.js";

/** So far is followed what modules pass on to each other. People write two or three, and recursion must end. */
export const deepestPassing = 200;

/** Who has which names of what a module passes on, as far as it was gone through. */
export interface Barrel {
  rest: Iterator<SourceFile, undefined>;
  owners: Map<string, SourceFile[]>;
}

/**
 * Asks those modules that export a name themselves among all that `export *` passes on, in order, until one answers. They
 * are gone through once and no further than needed: whoever finds a name early depends on nothing that comes after it.
 */
export function firstOwner<T>(
  linking: FileLinking,
  place: SourceFile,
  name: string,
  ask: (owner: SourceFile) => T | undefined,
): T | undefined {
  const barrel = barrelAt(linking, place);
  for (let at = 0; ;) {
    const owner = barrel.owners.get(name)?.[at];
    if (owner) {
      const answer = ask(owner);
      if (answer !== undefined) return answer;
      at += 1;
    } else if (!goOn(barrel)) {
      return undefined;
    }
  }
}

function barrelAt(linking: FileLinking, place: SourceFile): Barrel {
  const known = linking.barrels.get(place);
  if (known) return known;
  const barrel = { rest: passedOnFrom(linking, place), owners: new Map<string, SourceFile[]>() };
  linking.barrels.set(place, barrel);
  return barrel;
}

function goOn({ rest, owners }: Barrel): boolean {
  const { value } = rest.next();
  if (!value) return false;
  for (const name of value.exports.keys()) {
    const others = owners.get(name);
    if (others) others.push(value);
    else owners.set(name, [value]);
  }
  return true;
}

/** The modules that a module passes on, and those that they do: each once, in the order in which names are looked for. */
export function* passedOnFrom(linking: FileLinking, place: SourceFile): Generator<SourceFile, undefined> {
  const seen = new Set([place]);
  const path = [{ place, next: 0 }];
  for (let last = path.at(-1); last; last = path.at(-1)) {
    const specifier = last.place.facts.passedOn[last.next];
    last.next += 1;
    if (specifier === undefined) {
      path.pop();
      continue;
    }
    const module = findModule(linking, last.place, specifier);
    if (!module || seen.has(module)) continue;
    seen.add(module);
    yield module;
    if (path.length < deepestPassing) path.push({ place: module, next: 0 });
  }
  return undefined;
}
