import type { BindingFact } from "../facts/facts.js";
import {
  findModule,
  type FileLinking,
  type Spot,
  type Target,
  type TypeTarget,
  type Wanted,
} from "./linking-context.js";
import { deepestPassing, firstOwner } from "./passed-on.js";
import { nameIn, typeIn, type SourceFile } from "./source-file.js";
import { findInSpace, followSpace } from "./spaces.js";

/** What a name means somewhere. Undefined where no scope knows it: it is global, or from outside. */
export function findName(linking: FileLinking, spot: Spot, name: string): Target | undefined {
  const { place, around } = spot;
  const isBound = place.bound.has(name);
  if (isBound || place.knowsMore) {
    for (let scope = spot.scope; scope >= 0; scope = parentOf(place, scope)) {
      const binding = isBound ? nameIn(place, scope, name) : undefined;
      if (binding) return targetOf(linking, { place, scope, around }, name, binding);
      const known = place.knowsMore ? findKnownIn(linking, { place, scope, around }, name, "value") : undefined;
      if (known) return known;
    }
  }
  return findPassedOn(linking, place, name, "value");
}

/** What a scope knows without saying so itself: the members of the class whose body it is, the names of spaces it opens. */
function findKnownIn(linking: FileLinking, spot: Spot, name: string, wanted: "value"): Target | undefined;
function findKnownIn(linking: FileLinking, spot: Spot, name: string, wanted: Wanted): TypeTarget | undefined;
function findKnownIn(linking: FileLinking, spot: Spot, name: string, wanted: Wanted): TypeTarget | undefined {
  const scope = spot.place.facts.scopes[spot.scope];
  // A class inside of another is bound in its body; what it inherits of them is not looked for, since whom it inherits from
  // is a type itself.
  if (wanted === "value" && scope?.isBody && scope.shape !== undefined) {
    const [member] = linking.inference.membersOf({ is: "instance", place: spot.place, shape: scope.shape }, name, 1);
    if (member) return member;
  }
  for (const space of scope?.opens ?? []) {
    const found = findInSpace(linking, spot.place, space, name, wanted);
    if (found) return found;
  }
  return undefined;
}

/** In Python, what a module takes with `*` is known in it too. */
function findPassedOn(linking: FileLinking, place: SourceFile, name: string, wanted: "value"): Target | undefined;
function findPassedOn(linking: FileLinking, place: SourceFile, name: string, wanted: Wanted): TypeTarget | undefined;
function findPassedOn(linking: FileLinking, place: SourceFile, name: string, wanted: Wanted): TypeTarget | undefined {
  const { isOpen, passedOn } = place.facts;
  return isOpen && passedOn.length > 0 ? findExported(linking, place, name, wanted) : undefined;
}

// A third of all types, and nobody can call something of their own like that.
const primitives = new Set("string number boolean any unknown void never null undefined symbol bigint".split(" "));

export function isPrimitive(name: string): boolean {
  return primitives.has(name);
}

/** What the name of a type means somewhere. */
export function findTypeName(linking: FileLinking, spot: Spot, name: string): TypeTarget | undefined {
  const { place, around } = spot;
  if (isPrimitive(name)) return undefined;
  const isBound = place.bound.has(name);
  if (isBound || place.knowsMore) {
    for (let scope = spot.scope; scope >= 0; scope = parentOf(place, scope)) {
      const type = isBound ? typeIn(place, scope, name) : undefined;
      if (type) return { is: "type", spot: { place, scope, around }, binding: type, name };
      const binding = isBound ? nameIn(place, scope, name) : undefined;
      if (binding?.[0] === "import") return findImported(linking, place, binding, "type");
      if (binding?.[0] === "space") return followSpace(linking, place, binding, "type");
      if (binding?.[0] === "value" && binding[2]?.[0] === "module") {
        const module = findModule(linking, place, binding[2][1]);
        return module && { is: "module", place: module };
      }
      if (binding?.[0] === "symbol" || (binding && place.facts.isOpen))
        return targetOf(linking, { place, scope, around }, name, binding);
      const known = place.knowsMore ? findKnownIn(linking, { place, scope, around }, name, "type") : undefined;
      if (known) return known;
    }
  }
  return findPassedOn(linking, place, name, "type");
}

function parentOf({ facts }: SourceFile, scope: number): number {
  return facts.scopes[scope]?.parent ?? -1;
}

function moduleSpot(place: SourceFile): Spot {
  return { place, scope: 0, around: undefined };
}

function targetOf(linking: FileLinking, spot: Spot, name: string, binding: BindingFact): Target | undefined {
  if (binding[0] === "symbol") return { is: "symbol", place: spot.place, symbol: binding[1], around: spot.around };
  if (binding[0] === "import") return findImported(linking, spot.place, binding, "value");
  if (binding[0] === "space") return followSpace(linking, spot.place, binding, "value");
  return { is: "binding", spot, name, binding };
}

type Import = Extract<BindingFact, ["import", ...unknown[]]>;

function findImported(linking: FileLinking, place: SourceFile, binding: Import, wanted: "value"): Target | undefined;
function findImported(linking: FileLinking, place: SourceFile, binding: Import, wanted: Wanted): TypeTarget | undefined;
function findImported(
  linking: FileLinking,
  place: SourceFile,
  binding: Import,
  wanted: Wanted,
): TypeTarget | undefined {
  const imported = linking.imported[wanted];
  if (imported.has(binding)) return imported.get(binding);
  const found = follow(linking, place, binding, wanted);
  imported.set(binding, found);
  return found;
}

function follow(
  linking: FileLinking,
  place: SourceFile,
  [, specifier, name]: Import,
  wanted: Wanted,
): TypeTarget | undefined {
  const module = findModule(linking, place, specifier);
  if (name === "*") return module && { is: "module", place: module };
  const found = module && findExported(linking, module, name, wanted);
  if (found) return found;
  if (!place.facts.isOpen) return module?.exports.has("default") ? partOfAssigned(place, specifier, name) : undefined;
  return findSubmodule(linking, place, specifier, name);
}

/** What CommonJS assigned to the whole of a module has its members taken by name, too. */
function partOfAssigned(from: SourceFile, specifier: string, name: string): Target {
  return { is: "expression", spot: moduleSpot(from), expression: ["member", ["module", specifier], name] };
}

/** The module of a name that lies in a package, where packages have their modules as members. */
function findSubmodule(linking: FileLinking, from: SourceFile, specifier: string, name: string): Target | undefined {
  const inner = from.language.packages?.submodule(specifier, name);
  const module = inner === undefined ? undefined : findModule(linking, from, inner);
  return module && { is: "module", place: module };
}

/** What a module lets others have under a name, wherever it has it from. */
export function findExported(
  linking: FileLinking,
  place: SourceFile,
  name: string,
  wanted: "value",
): Target | undefined;
export function findExported(
  linking: FileLinking,
  place: SourceFile,
  name: string,
  wanted: Wanted,
): TypeTarget | undefined;
export function findExported(
  linking: FileLinking,
  place: SourceFile,
  name: string,
  wanted: Wanted,
): TypeTarget | undefined {
  const seen = new Set<string>();
  return search(place, name, 0);

  function search(at: SourceFile, wantedName: string, depth: number): TypeTarget | undefined {
    const key = `${at.path}\n${wantedName}`;
    if (depth > deepestPassing || seen.has(key)) return undefined;
    seen.add(key);
    // What an open module lists it may have from elsewhere, and it gives what it does not list.
    const fact = at.facts.isOpen ? undefined : at.exports.get(wantedName);
    if (fact?.[0] === "local") return findLocal(at, fact[1], depth);
    if (fact?.[0] === "value") return { is: "expression", spot: moduleSpot(at), expression: fact[1] };
    if (fact) return passOn(at, fact[1], fact[2], depth);
    const open = at.facts.isOpen && findLocal(at, wantedName, depth);
    if (open) return open;
    if (wantedName === "default") return undefined;
    if (!at.facts.isOpen) {
      if (at.facts.passedOn.length === 0) return undefined;
      return firstOwner(linking, at, wantedName, (owner) => search(owner, wantedName, depth + 1));
    }
    for (const specifier of at.facts.passedOn) {
      if (isKept(findModule(linking, at, specifier), wantedName)) continue;
      const found = passOn(at, specifier, wantedName, depth);
      if (found) return found;
    }
    return at.language.packages?.isPackage(at.path) ? findSubmodule(linking, at, ".", wantedName) : undefined;
  }

  function passOn(at: SourceFile, specifier: string, wantedName: string, depth: number): TypeTarget | undefined {
    const module = findModule(linking, at, specifier);
    if (module && wantedName === "*") return { is: "module", place: module };
    const found = module && search(module, wantedName, depth + 1);
    if (found || !at.facts.isOpen || wantedName === "*") return found;
    return findSubmodule(linking, at, specifier, wantedName);
  }

  function findLocal(at: SourceFile, local: string, depth: number): TypeTarget | undefined {
    const type = wanted === "type" ? typeIn(at, 0, local) : undefined;
    if (type) return { is: "type", spot: moduleSpot(at), binding: type, name: local };
    const binding = nameIn(at, 0, local);
    if (binding?.[0] === "import") return passOn(at, binding[1], binding[2], depth);
    if (binding) return targetOf(linking, moduleSpot(at), local, binding);
    return undefined;
  }
}

/** In Python, `*` takes what `__all__` lists, and without it what does not begin with an underscore. */
function isKept(module: SourceFile | undefined, name: string): boolean {
  if (!module) return false;
  return module.exports.size > 0 ? !module.exports.has(name) : name.startsWith("_");
}
