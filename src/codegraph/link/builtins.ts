import type { BuiltinTypes } from "../languages/language-linking.js";
import { languages } from "../languages/languages.js";
import { containerResult, containersOf, handedByHolder } from "./containers.js";
import type { Type } from "./linking-context.js";

const [wrappers, lists, maps] = [namesOf("wrappers"), namesOf("lists"), namesOf("maps")];
const [records, results, instances] = [namesOf("records"), namesOf("results"), namesOf("instances")];

function namesOf(kind: keyof BuiltinTypes): ReadonlySet<string> {
  return new Set(languages.flatMap(({ linking }) => linking?.builtins?.[kind] ?? []));
}

interface TypeOperations {
  results: (types: readonly Type[]) => readonly Type[];
  made: (types: readonly Type[]) => readonly Type[];
}

/** What a type that the language brings is, with what it was given; undefined for one that leads nowhere. */
export function builtinType(
  name: string,
  args: readonly (readonly Type[])[],
  ways: TypeOperations,
): readonly Type[] | undefined {
  const [first = [], second = []] = args;
  // C# tells types of one name apart by how many others they take.
  if (name.includes("`")) return builtinType(name.slice(name.lastIndexOf(".") + 1, name.lastIndexOf("`")), args, ways);
  if (wrappers.has(name)) return first;
  if (lists.has(name)) return [{ is: "list", of: first }];
  if (maps.has(name)) return [{ is: "map", keys: first, values: second }];
  if (records.has(name)) return [{ is: "record", of: second }];
  if (results.has(name)) return ways.results(first);
  if (instances.has(name)) return ways.made(first);
  return undefined;
}

/** What an index of it gives, or going through it. */
export function builtinElements(type: Type): readonly Type[] {
  if (type.is === "list" || type.is === "record" || type.is === "holder") return type.of;
  if (type.is === "map") return [{ is: "pair", keys: type.keys, values: type.values }];
  // Which of both is meant shows in what is asked of it.
  return type.is === "pair" ? [...type.values, ...type.keys] : [];
}

const same = new Set(
  "filter slice concat reverse sort toSorted toReversed splice toSpliced with values add copy fill flat union intersection difference".split(
    " ",
  ),
);
const one = new Set("find findLast at pop shift next __getitem__".split(" "));

/** What a method that the language brings gives. */
export function builtinResult(type: Type, name: string, given: readonly (readonly Type[])[] = []): readonly Type[] {
  const containers = type.is === "holder" ? type.by : containersOf(type);
  if (containers) return containerResult(type, containers, name, given);
  if (type.is === "list") {
    if (same.has(name)) return [type];
    return one.has(name) ? type.of : [];
  }
  if (type.is === "map") {
    if (name === "get" || name === "pop" || name === "setdefault") return type.values;
    if (name === "values") return [{ is: "list", of: type.values }];
    if (name === "keys") return [{ is: "list", of: type.keys }];
    if (name === "entries" || name === "items")
      return [{ is: "list", of: [{ is: "pair", keys: type.keys, values: type.values }] }];
    return name === "set" || name === "copy" ? [type] : [];
  }
  if (type.is === "record") {
    if (name === "values") return [{ is: "list", of: type.of }];
    return name === "entries" ? [{ is: "list", of: [{ is: "pair", keys: [], values: type.of }] }] : [];
  }
  if (type.is === "callable" && name === "bind") return [type];
  // Of a promise, which is what it will be.
  return name === "catch" || name === "finally" ? [type] : [];
}

const oneByOne = new Set("map forEach filter find findIndex findLast findLastIndex some every flatMap".split(" "));

/** What a method that the language brings hands to a callback. */
export function givenByBuiltin(type: Type, name: string, argument: number, parameter: number): readonly Type[] {
  if (type.is === "holder") return handedByHolder(type, name, argument, parameter);
  if (name === "then") return argument === 0 && parameter === 0 ? [type] : [];
  if (argument !== 0) return [];
  if (type.is === "list") {
    if (oneByOne.has(name)) return parameter === 0 ? type.of : [];
    if (name === "reduce" || name === "reduceRight") return parameter === 1 ? type.of : [];
    return name === "sort" || name === "toSorted" ? type.of : [];
  }
  if (type.is === "map" && name === "forEach") {
    if (parameter === 0) return type.values;
    return parameter === 1 ? type.keys : [];
  }
  return [];
}
