import type { BindingFact } from "../facts/facts.js";
import {
  findSourceFile,
  mayGoOn,
  type FileLinking,
  type Target,
  type TypeTarget,
  type Wanted,
} from "./linking-context.js";
import { passedOnFrom } from "./passed-on.js";
import { addedKey, symbolIn, typeIn, type SourceFile } from "./source-file.js";

/** What a binding to a name of a space leads to. */
export function followSpace(
  linking: FileLinking,
  place: SourceFile,
  binding: Extract<BindingFact, ["space", ...unknown[]]>,
  wanted: "value",
): Target | undefined;
export function followSpace(
  linking: FileLinking,
  place: SourceFile,
  binding: Extract<BindingFact, ["space", ...unknown[]]>,
  wanted: Wanted,
): TypeTarget | undefined;
export function followSpace(
  linking: FileLinking,
  place: SourceFile,
  [, space, name]: Extract<BindingFact, ["space", ...unknown[]]>,
  wanted: Wanted,
): TypeTarget | undefined {
  if (name !== "*") return findInSpace(linking, place, space, name, wanted);
  return isOutsideSpace(linking, place, space) ? undefined : { is: "space", place, space };
}

// A name that one space has from another, which has it from a third. No program goes further on purpose.
const deepest = 12;

/** What a name means in a space as a file names it: what was added to it, or what the type that it is has. */
export function findInSpace(
  linking: FileLinking,
  from: SourceFile,
  space: string,
  name: string,
  wanted: "value",
  depth?: number,
): Target | undefined;
export function findInSpace(
  linking: FileLinking,
  from: SourceFile,
  space: string,
  name: string,
  wanted: Wanted,
  depth?: number,
): TypeTarget | undefined;
export function findInSpace(
  linking: FileLinking,
  from: SourceFile,
  space: string,
  name: string,
  wanted: Wanted,
  depth = 0,
): TypeTarget | undefined {
  if (depth > deepest || !mayGoOn(linking, depth)) return undefined;
  const here = findHere(linking, from, space, name, wanted, depth);
  return here ?? findPassedBy(linking, from, space, name, wanted, depth + 1);
}

function findHere(
  linking: FileLinking,
  from: SourceFile,
  space: string,
  name: string,
  wanted: Wanted,
  depth: number,
): TypeTarget | undefined {
  const added = findAdded(linking, from, space, name, wanted, depth);
  if (added) return added;
  // `import static com.example.Store.open`: the last name of the space may be that of a type.
  const { outer, last } = splitSpace(space);
  if (outer === undefined || !isOutsideSpace(linking, from, space) || isOutsideSpace(linking, from, outer))
    return undefined;
  const owner = findInSpace(linking, from, outer, last, "value", depth + 1);
  // Or that of a space which the outer one has from elsewhere: `pub use a::b` of Rust.
  if (owner?.is === "space") return findInSpace(linking, owner.place, owner.space, name, wanted, depth + 1);
  if (owner?.is !== "symbol") return undefined;
  const shape = owner.place.shapeOf.get(owner.symbol);
  if (shape === undefined) return undefined;
  return linking.inference.membersOf({ is: "statics", place: owner.place, shape }, name, depth + 1)[0];
}

// Modules of Rust that pass on all names of others do so over two or three steps; clap over four.
const maxPassed = 64;

/** What a space has from those whose names it passes on: `pub use a::*`. */
function findPassedBy(
  linking: FileLinking,
  from: SourceFile,
  space: string,
  name: string,
  wanted: Wanted,
  depth: number,
): TypeTarget | undefined {
  const { spaces } = linking.sources;
  const seen = new Set([spaces?.resolve(from.path, space)]);
  const queue = [...listAdded(linking, from, space, "<passes>")];
  for (const { place, binding } of queue) {
    const home = binding[0] === "space" ? spaces?.resolve(place.path, binding[1]) : undefined;
    if (home === undefined || seen.has(home) || seen.size > maxPassed || !mayGoOn(linking, depth)) continue;
    seen.add(home);
    const found = findHere(linking, place, home, name, wanted, depth + 1);
    if (found) return found;
    queue.push(...listAdded(linking, place, home, "<passes>"));
  }
  return undefined;
}

/** What files have added to a space under a name. */
export function findAdded(
  linking: FileLinking,
  from: SourceFile,
  space: string,
  name: string,
  wanted: "value",
  depth?: number,
): Target | undefined;
export function findAdded(
  linking: FileLinking,
  from: SourceFile,
  space: string,
  name: string,
  wanted: Wanted,
  depth?: number,
): TypeTarget | undefined;
export function findAdded(
  linking: FileLinking,
  from: SourceFile,
  space: string,
  name: string,
  wanted: Wanted,
  depth = 0,
): TypeTarget | undefined {
  const all: TypeTarget[] = [];
  for (const { place, binding, scope } of listAdded(linking, from, space, name)) {
    const found = targetOfAdded(linking, place, name, binding, scope, wanted, depth);
    if (found && !isLinked(from) && !isPart(place, binding)) return found;
    // What a file includes decides, wherever it says what a namespace is.
    if (found?.is === "space") return { ...found, place: from };
    if (found) all.push(found);
  }
  return all.length === 0 || !isLinked(from) ? all[0] : onlyOne(linking, from, all, wanted);
}

/** Whether what is bound only adds to a class, so that another file may be meant. */
function isPart({ shapeOf, facts }: SourceFile, binding: BindingFact): boolean {
  const shape = binding[0] === "symbol" ? facts.shapes[shapeOf.get(binding[1]) ?? -1] : undefined;
  return shape?.isPart === true;
}

/** Whether it is for a linker to say which definition of a name is meant, as in C. */
function isLinked({ language }: SourceFile): boolean {
  return language.isIncludable !== undefined;
}

/**
 * Of several definitions that of the file that asks, then that of a file that it includes, then that of one that nobody
 * includes, and that is linked. Of two nothing says which is meant. A type may share its name with a function.
 */
function onlyOne(
  linking: FileLinking,
  from: SourceFile,
  all: readonly TypeTarget[],
  wanted: Wanted,
): TypeTarget | undefined {
  const own = all.filter((one) => placeOfTarget(one) === from);
  const others = own.length > 0 ? own : reachable(linking, from, all);
  const fitting = others.filter((one) => isTypeTarget(one) === (wanted === "type"));
  const [first, second] = fitting.length > 0 ? fitting : others;
  return second ? undefined : first;
}

function reachable(linking: FileLinking, from: SourceFile, all: readonly TypeTarget[]): readonly TypeTarget[] {
  const { isIncludable = () => true } = from.language;
  const isOfHeader = (one: TypeTarget) => isIncludable(placeOfTarget(one)?.path ?? "");
  if (!all.some(isOfHeader)) return all;
  const included = includedIn(linking, from);
  const near = all.filter((one) => included.has(placeOfTarget(one) as SourceFile));
  const linked = all.filter((one) => !isOfHeader(one));
  // A macro that goes by the name of a function leads to it, if it is there at all: others compile without it.
  if (linked.length === 1 && near.every(isMacro)) return linked;
  if (near.length > 0) return near;
  // A header says of most types only that there is one, and whoever includes it includes these, too.
  const isToBe = (one: TypeTarget) => isIncludable(from.path) && isTypeTarget(one);
  return all.filter((one) => !isOfHeader(one) || isToBe(one));
}

const included = new WeakMap<FileLinking, Map<SourceFile, ReadonlySet<SourceFile>>>();

/** All that a file includes, and what that does. */
function includedIn(linking: FileLinking, from: SourceFile): ReadonlySet<SourceFile> {
  const known = included.get(linking) ?? new Map<SourceFile, ReadonlySet<SourceFile>>();
  included.set(linking, known);
  const all = known.get(from) ?? new Set(passedOnFrom(linking, from));
  known.set(from, all);
  return all;
}

function placeOfTarget(target: TypeTarget): SourceFile | undefined {
  if (target.is === "type") return target.spot.place;
  return target.is === "symbol" ? target.place : undefined;
}

function isMacro(target: TypeTarget): boolean {
  const symbol = target.is === "symbol" ? symbolIn(target.place, target.symbol) : undefined;
  return symbol?.kind === "function" && symbol.parameters === undefined;
}

function isTypeTarget(target: TypeTarget): boolean {
  if (target.is !== "symbol") return target.is === "type";
  return /^(?:class|enum|type)$/.test(symbolIn(target.place, target.symbol)?.kind ?? "");
}

function targetOfAdded(
  linking: FileLinking,
  place: SourceFile,
  name: string,
  binding: BindingFact,
  scope: number,
  wanted: Wanted,
  depth: number,
): TypeTarget | undefined {
  if (binding[0] === "space") {
    const [, space, inner] = binding;
    if (inner === "*") return { is: "space", place, space };
    return findInSpace(linking, place, space, inner, wanted, depth + 1);
  }
  const spot = { place, scope, around: undefined };
  const type = wanted === "type" ? typeIn(place, scope, name) : undefined;
  if (type) return { is: "type", spot, binding: type, name };
  if (binding[0] === "symbol") return { is: "symbol", place, symbol: binding[1], around: undefined };
  return wanted === "value" ? { is: "binding", spot, name, binding } : undefined;
}

interface Added {
  place: SourceFile;
  binding: BindingFact;
  scope: number;
}

/**
 * Everything that files say of a name of a space, what the asking file says itself first. One after the other: every file
 * of a package says that there is one, and the first is enough.
 */
export function* listAdded(linking: FileLinking, from: SourceFile, space: string, name: string): Generator<Added> {
  const { spaces } = linking.sources;
  const home = spaces?.resolve(from.path, space);
  if (!spaces || home === undefined) return;
  linking.dependencies.add(nameKey(home, name));
  const key = addedKey(home, name);
  yield* addedBy(from, key);
  for (const file of spaces.declaring(home, name)) {
    const place = file === from.path ? undefined : findSourceFile(linking, file);
    if (place) yield* addedBy(place, key);
  }
}

function* addedBy(place: SourceFile, key: string): Generator<Added> {
  for (const [, binding, scope] of place.added.get(key) ?? []) yield { place, binding, scope };
}

/** Whether no file belongs to a space, nor adds to it. */
export function isOutsideSpace(linking: FileLinking, from: SourceFile, space: string): boolean {
  return filesOfSpace(linking, from, space).length === 0;
}

/** Whether a space is the one that all others of its language lie in: what it lacks, the language itself may have. */
export function isRoot(space: string): boolean {
  return space.endsWith(":");
}

/** The files that belong to a space. */
export function filesOfSpace(linking: FileLinking, from: SourceFile, space: string): readonly string[] {
  const { spaces } = linking.sources;
  const home = spaces?.resolve(from.path, space);
  if (!spaces || home === undefined) return [];
  linking.dependencies.add(nameKey(home, "*"));
  return spaces.declaring(home, "*");
}

/**
 * What whoever looked for a name depends on: that it is added somewhere, or no longer. Not by the space, since a name is
 * looked for in every space that is open. Of `*`, which every file has, the space counts.
 */
export function nameKey(space: string, name: string): string {
  return name === "*" ? `space:${space}` : `name:${space.slice(0, space.indexOf(":"))}:${name}`;
}

/** `java:com.example.Store` is `Store` in `java:com.example`. */
function splitSpace(space: string): { outer?: string; last: string } {
  const end = space.lastIndexOf(".");
  return end < 0 ? { last: space } : { outer: space.slice(0, end), last: space.slice(end + 1) };
}
