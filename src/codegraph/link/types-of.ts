import type { ExpressionFact, TypeFact } from "../facts.js";
import { builtinMember, builtinResult, builtinType, elementsOf, givenByBuiltin } from "./builtins.js";
import { findExported, findName, findTypeName } from "./find-names.js";
import { findModule, findPlace, mayGoOn, type Linking, type Spot, type Surroundings, type Target } from "./meanings.js";
import type { Type, TypeTarget } from "./meanings.js";
import { shapeIn, symbolIn, type Place } from "./places.js";
import { parseNodeId } from "../codegraph.js";

/** What definitions an expression names. More than one where what is left of the dot may be several things. */
export function targetsOf(linking: Linking, spot: Spot, expression: ExpressionFact, depth = 0): Target[] {
  if (!mayGoOn(linking, depth)) return [];
  if (expression[0] === "name") return some(findName(linking, spot, expression[1]));
  if (expression[0] === "member") {
    const [, object, name] = expression;
    return typesOf(linking, spot, object, depth + 1).flatMap((type) => membersOf(linking, type, name, depth + 1));
  }
  const types = typesOf(linking, spot, expression, depth + 1);
  return types.length === 0 ? [] : [{ is: "types", types }];
}

/** What an expression evaluates to. */
export function typesOf(linking: Linking, spot: Spot, expression: ExpressionFact, depth = 0): readonly Type[] {
  if (!mayGoOn(linking, depth)) return [];
  const inner = (part: ExpressionFact) => typesOf(linking, spot, part, depth + 1);
  switch (expression[0]) {
    case "name":
    case "member":
      return capped(
        targetsOf(linking, spot, expression, depth + 1).flatMap((it) => typesOfTarget(linking, it, depth + 1)),
      );
    case "this":
      return selfAt(spot);
    case "super":
      return selfAt(spot).flatMap((self) => parentsOf(linking, self, depth + 1));
    case "element":
      return elementsOf(inner(expression[1]));
    case "call":
      return typesOfCall(linking, spot, expression[1], depth + 1);
    case "new":
      return inner(expression[1]).flatMap((type) => made(type));
    case "module": {
      const module = findModule(linking, spot.place, expression[1]);
      return module ? [{ is: "module", place: module }] : [];
    }
    case "shape": {
      const isClass = shapeIn(spot.place, expression[1])?.kind === "class";
      if (isClass) return [{ is: "statics", place: spot.place, shape: expression[1] }];
      return [{ is: "instance", place: spot.place, shape: expression[1], around: spot.around }];
    }
    case "type":
      return typesOfFact(linking, spot, expression[1], depth + 1);
    case "either":
      return capped(expression[1].flatMap(inner));
    case "given":
      return typesGiven(linking, spot, expression, depth + 1);
  }
}

// A union of more classes than this is a tree of nodes with a visitor, where every member would be an edge to each.
const mostTypes = 16;

function capped(types: readonly Type[]): readonly Type[] {
  return types.length > mostTypes ? types.slice(0, mostTypes) : types;
}

function some<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value];
}

function selfAt({ place, scope, around }: Spot): readonly Type[] {
  if (around?.self) return [around.self];
  const shape = place.facts.scopes[scope]?.shape ?? -1;
  return shape < 0 ? [] : [{ is: "instance", place, shape, around }];
}

/** What `new` of it, or in Python a call of it, gives. */
function made(type: Type): Type[] {
  return type.is === "statics" ? [{ is: "instance", place: type.place, shape: type.shape }] : [];
}

function typesOfCall(linking: Linking, spot: Spot, callee: ExpressionFact, depth: number): readonly Type[] {
  if (callee[0] === "member") {
    const [, object, name] = callee;
    const objects = typesOf(linking, spot, object, depth + 1);
    const results = objects.flatMap((type) => {
      const targets = membersOf(linking, type, name, depth + 1);
      if (targets.length === 0) return builtinResult(type, name);
      return targets
        .flatMap((target) => typesOfTarget(linking, target, depth + 1))
        .flatMap((callable) => resultsOf(linking, callable, depth + 1));
    });
    return capped(results);
  }
  const results = typesOf(linking, spot, callee, depth + 1).flatMap((type) => resultsOf(linking, type, depth + 1));
  return capped(results);
}

/** What calling it gives. A promise is what it will be. */
export function resultsOf(linking: Linking, type: Type, depth: number): readonly Type[] {
  if (!mayGoOn(linking, depth)) return [];
  if (type.is === "signature") return type.returns ? typesOfFact(linking, type.spot, type.returns, depth + 1) : [];
  if (type.is === "statics") return made(type);
  if (type.is !== "callable") return [];
  const symbol = symbolIn(type.place, type.symbol);
  if (!symbol) return [];
  const { place, around } = type;
  if (symbol.returns)
    return typesOfFact(linking, { place, scope: symbol.scope ?? 0, around }, symbol.returns, depth + 1);
  const returned = symbol.returned ?? [];
  const find = () =>
    capped(
      returned.flatMap(([expression, scope]) => typesOf(linking, { place, scope, around }, expression, depth + 1)),
    );
  return around ? find() : remembered(linking, returned, find);
}

/** Finds out once what a definition is. One that is made of itself is nothing to itself. */
function remembered(linking: Linking, key: object, find: () => readonly Type[]): readonly Type[] {
  linking.isTyped = true;
  const known = linking.known.get(key);
  if (known) {
    linking.isVoted ||= known.isVoted;
    return known.types;
  }
  const wasVoted = linking.isVoted;
  linking.isVoted = false;
  linking.known.set(key, { types: [], isVoted: false });
  const types = find();
  linking.known.set(key, { types, isVoted: linking.isVoted });
  linking.isVoted ||= wasVoted;
  return types;
}

export function typesOfTarget(linking: Linking, target: Target, depth = 0): readonly Type[] {
  if (!mayGoOn(linking, depth)) return [];
  switch (target.is) {
    case "module":
      return [target];
    case "types":
      return target.types;
    case "expression":
      return typesOf(linking, target.spot, target.expression, depth + 1);
    case "symbol":
      return typesOfSymbol(linking, target, depth + 1);
    case "member":
      return typesOfMember(linking, target, depth + 1);
    case "binding":
      return remembered(linking, target.binding, () => typesOfBinding(linking, target, depth + 1));
  }
}

type SymbolTarget = Extract<Target, { is: "symbol" }>;
type MemberTarget = Extract<Target, { is: "member" }>;
type BindingTarget = Extract<Target, { is: "binding" }>;

function typesOfSymbol(linking: Linking, { place, symbol, around }: SymbolTarget, depth: number): readonly Type[] {
  const fact = symbolIn(place, symbol);
  if (!fact) return [];
  const shape = place.shapeOf.get(symbol);
  if (shape !== undefined && /^(?:class|enum|namespace)$/.test(fact.kind)) return [{ is: "statics", place, shape }];
  if (fact.kind === "function" || fact.kind === "method") return [{ is: "callable", place, symbol, around }];
  const spot = { place, scope: fact.scope ?? 0, around };
  const find = () => typesStated(linking, spot, fact.type, fact.init, depth);
  return around ? find() : remembered(linking, fact, find);
}

function typesOfMember(linking: Linking, { spot, member }: MemberTarget, depth: number): readonly Type[] {
  const { symbol } = member;
  const find = () => {
    const stated = typesStated(linking, spot, member.type, member.init, depth);
    if (stated.length > 0 || member.type || symbol === undefined) return stated;
    const { place, around } = spot;
    if (member.isGetter) return resultsOf(linking, { is: "callable", place, symbol, around }, depth + 1);
    return typesOfSymbol(linking, { is: "symbol", place, symbol, around }, depth + 1);
  };
  linking.isTyped = true;
  // What a method gives may depend on what it is called on.
  return spot.around ? find() : remembered(linking, member, find);
}

function typesOfBinding(linking: Linking, { spot, name, binding }: BindingTarget, depth: number): readonly Type[] {
  if (binding[0] !== "value" && binding[0] !== "parameter") return [];
  const [, type, init] = binding;
  const types = typesStated(
    linking,
    { place: spot.place, scope: spot.scope },
    type ?? undefined,
    init ?? undefined,
    depth,
  );
  if (types.length > 0 || type || binding[0] === "value" || linking.isCounting) return types;
  linking.dependencies.add(`vote:${name}`);
  const winner = linking.sources.winner(name);
  const voted = winner === undefined ? [] : instanceOf(linking, winner);
  if (voted.length > 0) linking.isVoted = true;
  return voted;
}

function instanceOf(linking: Linking, id: string): Type[] {
  const { file, symbol } = parseNodeId(id);
  const place = findPlace(linking, file);
  const shape = place?.shapeOf.get(place.symbolsByPath.get(symbol) ?? -1);
  return place && shape !== undefined ? [{ is: "instance", place, shape }] : [];
}

/** What is stated counts; what it is made of, where nothing is stated. */
function typesStated(
  linking: Linking,
  spot: Spot,
  type: TypeFact | undefined,
  init: ExpressionFact | undefined,
  depth: number,
): readonly Type[] {
  if (type) return typesOfFact(linking, spot, type, depth + 1);
  return init ? typesOf(linking, spot, init, depth + 1) : [];
}

/** What a type has under a name. */
export function membersOf(linking: Linking, type: Type, name: string, depth: number): Target[] {
  if (!mayGoOn(linking, depth)) return [];
  if (type.is === "module") return some(findExported(linking, type.place, name, "value"));
  linking.isTyped = true;
  if (type.is === "record") return [{ is: "types", types: type.of }];
  if (type.is === "callable") {
    const fact = symbolIn(type.place, type.symbol);
    const symbol = type.place.symbolsByPath.get(`${fact?.path}.${name}`);
    if (symbol !== undefined) return [{ is: "symbol", place: type.place, symbol }];
    // What decorators made of it is no function any more, where it has such a member.
    const spot = { place: type.place, scope: fact?.scope ?? 0 };
    const decorated = fact?.init ? typesOf(linking, spot, fact.init, depth + 1) : [];
    return decorated.filter(({ is }) => is === "instance").flatMap((made) => membersOf(linking, made, name, depth + 1));
  }
  if (type.is !== "instance" && type.is !== "statics") return builtinMember(type, name);
  const own = ownMember(type, name);
  if (own) return [own];
  const inherited = parentsOf(linking, type, depth + 1).map((parent) =>
    membersOf(linking, withSelf(parent, type), name, depth + 1),
  );
  // Of several classes in Python, the first that has it.
  return type.place.facts.isOpen ? (inherited.find((found) => found.length > 0) ?? []) : inherited.flat();
}

/** What is inherited is run on the one that inherits. */
function withSelf(parent: Type, type: Type): Type {
  if (parent.is !== "instance" || type.is !== "instance") return parent;
  return { ...parent, around: { ...parent.around, self: type.around?.self ?? type } };
}

function ownMember(type: Extract<Type, { is: "instance" | "statics" }>, name: string): Target | undefined {
  const { place, shape } = type;
  const [members, statics] = [place.members(shape), place.statics(shape)];
  const member =
    type.is === "instance"
      ? (members.get(name) ?? statics.get(name))
      : (statics.get(name) ??
        (shapeIn(place, shape)?.kind === "class" && !place.facts.isOpen ? undefined : members.get(name)));
  if (!member) return undefined;
  const scope = member.scope ?? shapeIn(place, shape)?.scope ?? 0;
  const around = type.is === "instance" ? type.around : undefined;
  return { is: "member", spot: { place, scope, around }, member };
}

function parentsOf(linking: Linking, type: Type, depth: number): Type[] {
  if (type.is !== "instance" && type.is !== "statics") return [];
  const { place, shape } = type;
  const fact = shapeIn(place, shape);
  const around = type.is === "instance" ? type.around : undefined;
  const spot = {
    place,
    scope: fact?.scope ?? 0,
    around: around?.variables ? { variables: around.variables } : undefined,
  };
  return (fact?.extends ?? []).flatMap((expression) =>
    typesOf(linking, spot, expression, depth + 1).flatMap((parent): Type[] => {
      if (type.is === "instance") return parent.is === "statics" ? made(parent) : [parent];
      return parent.is === "instance" ? [{ is: "statics", place: parent.place, shape: parent.shape }] : [parent];
    }),
  );
}

/** What a written type means. */
export function typesOfFact(linking: Linking, spot: Spot, fact: TypeFact, depth = 0): readonly Type[] {
  if (!mayGoOn(linking, depth)) return [];
  const inner = (part: TypeFact) => typesOfFact(linking, spot, part, depth + 1);
  switch (fact[0]) {
    case "name":
      return typesOfName(linking, spot, fact[1], fact[2] ?? [], depth + 1);
    case "array":
      return [{ is: "list", of: inner(fact[1]) }];
    case "shape":
      return [{ is: "instance", place: spot.place, shape: fact[1], around: spot.around }];
    case "either":
      return capped(fact[1].flatMap(inner));
    case "function":
      return [{ is: "signature", spot, returns: fact[1], parameters: fact[2] }];
    case "of":
      return typesOf(linking, spot, fact[1], depth + 1);
    case "module": {
      const module = findModule(linking, spot.place, fact[1]);
      if (!module) return [];
      if (fact[2] === null) return [{ is: "module", place: module }];
      const target = findTypeIn(linking, module, fact[2].split("."), depth + 1);
      return target ? typesOfTypeTarget(linking, target, [], depth + 1) : [];
    }
    case "member":
      return inner(fact[1])
        .flatMap((type) => membersOf(linking, type, fact[2], depth + 1))
        .flatMap((target) => typesOfTarget(linking, target, depth + 1));
  }
}

function typesOfName(
  linking: Linking,
  spot: Spot,
  name: string,
  args: readonly TypeFact[],
  depth: number,
): readonly Type[] {
  if (name === "this") return selfAt(spot);
  const given = args.map((arg) => typesOfFact(linking, spot, arg, depth + 1));
  const target = targetOfTypeName(linking, spot, name, depth + 1);
  if (target) return typesOfTypeTarget(linking, target, given, depth + 1);
  const results = (types: readonly Type[]) => types.flatMap((type) => resultsOf(linking, type, depth + 1));
  return builtinType(name, given, { results, made: (types) => types.flatMap((type) => made(type)) }) ?? [];
}

/** What a type name leads to, `ns.Name` included. */
export function targetOfTypeName(linking: Linking, spot: Spot, name: string, depth = 0): TypeTarget | undefined {
  if (!name.includes(".")) return findTypeName(linking, spot, name);
  const [first = "", ...rest] = name.split(".");
  const target = findTypeName(linking, spot, first);
  if (!target || rest.length === 0) return target;
  if (target.is === "module") return findTypeIn(linking, target.place, rest, depth + 1);
  return findInNamespace(linking, target, rest, depth + 1);
}

function findTypeIn(
  linking: Linking,
  module: Place,
  [name = "", ...rest]: string[],
  depth: number,
): TypeTarget | undefined {
  const target = findExported(linking, module, name, "type");
  if (!target || rest.length === 0) return target;
  if (target.is === "module") return findTypeIn(linking, target.place, rest, depth + 1);
  return findInNamespace(linking, target, rest, depth + 1);
}

function findInNamespace(
  linking: Linking,
  target: TypeTarget,
  [name = "", ...rest]: string[],
  depth: number,
): TypeTarget | undefined {
  if (!mayGoOn(linking, depth)) return undefined;
  const types = target.is === "type" ? [] : typesOfTarget(linking, target, depth + 1);
  for (const type of types) {
    if (type.is !== "statics" && type.is !== "instance") continue;
    const found = membersOf(linking, type, name, depth + 1)[0];
    if (!found) continue;
    return rest.length === 0 ? found : findInNamespace(linking, found, rest, depth + 1);
  }
  return undefined;
}

function typesOfTypeTarget(
  linking: Linking,
  target: TypeTarget,
  args: readonly (readonly Type[])[],
  depth: number,
): readonly Type[] {
  if (!mayGoOn(linking, depth)) return [];
  if (target.is === "type") {
    const { spot, binding } = target;
    if (binding[0] === "variable") {
      const given = spot.around?.variables?.get(binding);
      if (given) return given;
      return binding[1] ? typesOfFact(linking, { ...spot, around: undefined }, binding[1], depth + 1) : [];
    }
    if (binding[0] === "shape") return [instanceWith(spot.place, binding[1], args)];
    if (!binding[1]) return [];
    const scope = symbolIn(spot.place, binding[2])?.scope ?? spot.scope;
    const around = surroundingsOf(spot.place, scope, args);
    return typesOfFact(linking, { place: spot.place, scope, around }, binding[1], depth + 1);
  }
  if (target.is === "symbol" || target.is === "member") {
    const place = target.is === "symbol" ? target.place : target.spot.place;
    const symbol = target.is === "symbol" ? target.symbol : (target.member.symbol ?? -1);
    const shape = place.shapeOf.get(symbol);
    if (shape !== undefined) return [instanceWith(place, shape, args)];
  }
  return typesOfTarget(linking, target, depth + 1).flatMap((type) => (type.is === "statics" ? made(type) : []));
}

function instanceWith(place: Place, shape: number, args: readonly (readonly Type[])[]): Type {
  const around = surroundingsOf(place, shapeIn(place, shape)?.scope ?? 0, args);
  return { is: "instance", place, shape, around };
}

function surroundingsOf(place: Place, scope: number, args: readonly (readonly Type[])[]): Surroundings | undefined {
  if (args.every((types) => types.length === 0)) return undefined;
  const own = [...place.types(scope).values()].filter((binding) => binding[0] === "variable");
  const variables = new Map(own.flatMap((binding, i) => (args[i] ? [[binding, args[i]]] : [])));
  return variables.size === 0 ? undefined : { variables };
}

/** What a callback gets, by the type of the function that it is given to. */
function typesGiven(
  linking: Linking,
  inside: Spot,
  [, callee, argument, parameter]: Extract<ExpressionFact, ["given", ...unknown[]]>,
  depth: number,
): readonly Type[] {
  if (!mayGoOn(linking, depth)) return [];
  // Who is called is seen from outside of the callback, whose parameter may have the same name.
  const spot = { ...inside, scope: inside.place.facts.scopes[inside.scope]?.parent ?? inside.scope };
  let takers: readonly Type[];
  if (callee[0] === "member") {
    const [, object, name] = callee;
    const objects = typesOf(linking, spot, object, depth + 1);
    const targets = objects.flatMap((type) => membersOf(linking, type, name, depth + 1));
    if (targets.length === 0) return objects.flatMap((type) => givenByBuiltin(type, name, argument, parameter));
    takers = targets.flatMap((target) => typesOfTarget(linking, target, depth + 1));
  } else {
    takers = typesOf(linking, spot, callee, depth + 1);
  }
  const callbacks = takers.flatMap((type) => parameterTypes(linking, type, argument, depth + 1));
  return capped(callbacks.flatMap((type) => parameterTypes(linking, type, parameter, depth + 1)));
}

function parameterTypes(linking: Linking, type: Type, index: number, depth: number): readonly Type[] {
  if (!mayGoOn(linking, depth)) return [];
  if (type.is === "signature") {
    const fact = type.parameters[index];
    return fact ? typesOfFact(linking, type.spot, fact, depth + 1) : [];
  }
  if (type.is !== "callable" && type.is !== "statics") return [];
  const { place } = type;
  const symbol = symbolIn(place, type.is === "callable" ? type.symbol : (shapeIn(place, type.shape)?.symbol ?? -1));
  const fact = symbol?.parameters?.[index];
  if (!symbol || !fact) return [];
  const around = type.is === "callable" ? type.around : undefined;
  return typesOfFact(linking, { place, scope: symbol.scope ?? 0, around }, fact, depth + 1);
}
