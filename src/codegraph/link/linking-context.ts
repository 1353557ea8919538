import type { BindingFact, ExpressionFact, MemberFact, TypeBindingFact, TypeFact } from "../facts/facts.js";
import type { Containers } from "../languages/containers.js";
import type { LinkSources } from "./linked-file.js";
import type { Barrel } from "./passed-on.js";
import { sourceFileOf, type SourceFile } from "./source-file.js";

/** One linking of one file: what it asks, what it noted and what it found out so far. */
export interface FileLinking {
  sources: LinkSources;
  inference: TypeInference;
  sourceFiles: Map<string, SourceFile | undefined>;
  dependencies: Set<string>;
  /** What a definition was found to be; while that is being found out, nothing. */
  known: Map<object, { types: readonly Type[]; isVoted: boolean }>;
  /** What written types were found to mean where no type parameter stands for anything. */
  read: Map<TypeFact, Reading>;
  /** Who has the names that modules pass on. */
  barrels: Map<SourceFile, Barrel>;
  /** What imports led to, as a value and as a type. */
  imported: Record<"value" | "type", Map<BindingFact, TypeTarget | undefined>>;
  /** Whether what is being resolved went by the type of something … */
  isTyped: boolean;
  /** … and whether by a vote. */
  isVoted: boolean;
  /** So many steps are left for the file … */
  stepsLeft: number;
  /** … and when no more than these are, none for what is being resolved. */
  stopAt: number;
  /** How often something got no answer for now: it would have gone too far, or is just being found out. */
  refusals: number;
  /** Names of parameters are not asked about: the votes are being counted. */
  isCounting: boolean;
}

/** What a written type means, and how that was found. */
interface Reading {
  place: SourceFile;
  scope: number;
  types: readonly Type[];
  isTyped: boolean;
  isVoted: boolean;
}

/** How to find out what something is. Each way needs the others, and no file may import one that imports it. */
export interface TypeInference {
  typesOf(spot: Spot, expression: ExpressionFact, depth: number): readonly Type[];
  typesOfTarget(target: Target, depth: number): readonly Type[];
  membersOf(type: Type, name: string, depth: number): Target[];
  resultsOf(type: Type, depth: number): readonly Type[];
}

/** What stands for type parameters, by their binding, and for `this`. */
export interface Substitutions {
  variables?: ReadonlyMap<TypeBindingFact, readonly Type[]>;
  self?: Type;
}

/**
 * Somewhere in a file where names have a meaning. It always has all three: objects with and without one of them would be
 * of two kinds to the engine, which then throws away what it has compiled for one.
 */
export interface Spot {
  place: SourceFile;
  scope: number;
  around: Substitutions | undefined;
}

/** What a name or a member is, before it is asked what type that has. */
export type Target =
  | { is: "symbol"; place: SourceFile; symbol: number; around?: Substitutions | undefined }
  | { is: "module"; place: SourceFile }
  | SpaceTarget
  | { is: "binding"; spot: Spot; name: string; binding: BindingFact }
  | { is: "member"; spot: Spot; member: MemberFact }
  | { is: "expression"; spot: Spot; expression: ExpressionFact }
  | { is: "types"; types: readonly Type[] };

/** A space, as a file sees it. */
export interface SpaceTarget {
  is: "space";
  place: SourceFile;
  space: string;
}

export type Wanted = "value" | "type";

/** What a type name is. */
export type TypeTarget = { is: "type"; spot: Spot; binding: TypeBindingFact; name: string } | Target;

/** What an expression evaluates to, as far as that leads somewhere. */
export type Type =
  /** Something that has the members of a shape: made by a class, typed by an interface, written as an object. */
  | { is: "instance"; place: SourceFile; shape: number; around?: Substitutions | undefined }
  /** A class itself, an enum, a namespace. */
  | { is: "statics"; place: SourceFile; shape: number }
  | { is: "module"; place: SourceFile }
  | SpaceTarget
  | { is: "callable"; place: SourceFile; symbol: number; around?: Substitutions | undefined }
  | { is: "signature"; spot: Spot; returns: TypeFact | null; parameters: readonly (TypeFact | null)[] }
  | { is: "list"; of: readonly Type[] }
  /** What has to give out what it holds: an `Option`, a `Vec`, an iterator of Rust. */
  | { is: "holder"; of: readonly Type[]; by: Containers }
  | { is: "map"; keys: readonly Type[]; values: readonly Type[] }
  /** What going through a map gives. */
  | { is: "pair"; keys: readonly Type[]; values: readonly Type[] }
  /** A callback that is handed these. */
  | { is: "handing"; types: readonly Type[] }
  /** Whatever its member is called, it has this type. */
  | { is: "record"; of: readonly Type[] };

/** A file, where its facts are at hand. */
export function findSourceFile(linking: FileLinking, path: string): SourceFile | undefined {
  if (linking.sourceFiles.has(path)) return linking.sourceFiles.get(path);
  linking.dependencies.add(`file:${path}`);
  const facts = linking.sources.facts(path);
  const place = facts && sourceFileOf(path, facts);
  linking.sourceFiles.set(path, place);
  return place;
}

/** The module that a specifier leads to from a file. */
export function findModule(linking: FileLinking, from: SourceFile, specifier: string): SourceFile | undefined {
  const { file, stems } = linking.sources.modules.resolve(from.path, specifier);
  for (const stem of stems) linking.dependencies.add(`stem:${stem}`);
  return file === undefined ? undefined : findSourceFile(linking, file);
}

// Ordinary code needs a dozen steps for a call, and some thousands where types nest. What takes more gets no answer.
const patience = 4000;
/**
 * So many steps are gone for one file; what it uses after them is missed. The most that a file of hono, vite, zod or this
 * project took was 148,774, and a million take half a second.
 */
export const patienceWithFile = 1_500_000;
// Each link of a chain of calls takes three, and queries are built with chains of thirty.
const deepest = 120;

/** Resolves something by itself; the linking then tells how. */
export function resolving<T>(linking: FileLinking, resolve: () => T): T {
  linking.isTyped = false;
  linking.isVoted = false;
  linking.stopAt = Math.max(0, linking.stepsLeft - patience);
  return resolve();
}

/** Whether to go on: cycles and what was made to be deep must end. */
export function mayGoOn(linking: FileLinking, depth: number): boolean {
  linking.stepsLeft -= 1;
  if (depth < deepest && linking.stepsLeft > linking.stopAt) return true;
  linking.refusals += 1;
  return false;
}

// A union of more classes than this is a tree of nodes with a visitor, where every member would be an edge to each.
const maxTypes = 16;

export function capped(types: readonly Type[]): readonly Type[] {
  return types.length > maxTypes ? types.slice(0, maxTypes) : types;
}

/** What each of them gives, one after the other. In most places nothing does, and then nothing is made. */
export function gather<T, R>(list: readonly T[], give: (one: T) => readonly R[]): readonly R[] {
  let all: R[] | undefined;
  for (const one of list) {
    const given = give(one);
    if (given.length === 0) continue;
    if (list.length === 1) return given;
    all ??= [];
    for (const each of given) all.push(each);
  }
  return all ?? none;
}

export const none: readonly never[] = [];

export function some<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value];
}

/** What `new` of it, or in Python a call of it, gives. */
export function made(type: Type): Type[] {
  // A function on whose prototype something was hung is a class, too.
  const shape =
    type.is === "callable" ? type.place.shapeOf.get(type.symbol) : type.is === "statics" ? type.shape : undefined;
  return "place" in type && shape !== undefined ? [{ is: "instance", place: type.place, shape }] : [];
}
