import type { ExpressionFact, MemberFact, SymbolFact, TypeFact } from "../facts/facts.js";
import { extensionName } from "../facts/extension-name.js";
import { definitionOf, type Definition } from "./definitions.js";
import { mayGoOn, type FileLinking, type Spot, type Target, type Type } from "./linking-context.js";
import { parentsOf } from "./members-of.js";
import { memberIn, staticIn, symbolIn } from "./source-file.js";
import { typesOfFact } from "./read-type.js";
import { listAdded } from "./spaces.js";
import { targetsOf, typesOf } from "./types-of.js";

type Given = readonly (ExpressionFact | null)[];

/**
 * Which of several methods of one name a call means: of those that take so many arguments, the one whose parameters fit
 * best, as far as the types of the arguments are known; where that does not tell, the first that does not call itself.
 */
export function overloadOf(linking: FileLinking, spot: Spot, target: Target, given: Given): Definition | undefined {
  const first = definitionOf(target);
  if (!first || target.is !== "member") return first;
  const { place } = first;
  const others = [...(target.member.overloads ?? []), ...besides(first, target.member)];
  // Each is looked at: a class that was made to have thousands of a name must not be looked through for every call of it.
  linking.stepsLeft -= others.length;
  if (linking.stepsLeft <= 0) return first;
  const all = [first.symbol, ...others.flatMap((symbol) => symbolIn(place, symbol) ?? [])];
  // A field may go by the name of a method.
  const methods = all.filter(({ kind }) => kind === "method");
  const fitting = methods.filter((symbol) => takes(symbol, given.length));
  const [only, ...more] = fitting;
  if (!only) return methods.length > 0 ? inheritedOverload(linking, spot, first, given) : first;
  if (more.length === 0) return { place, symbol: only };
  const known = given.map((one) => (one ? describe(linking, spot, one) : undefined));
  const caller = symbolIn(spot.place, spot.place.facts.scopes[spot.scope]?.symbol ?? -1);
  return bestOf(
    fitting.map((symbol) => ({ place, symbol })),
    (one) => (one.symbol === caller ? fitOf(linking, one, known) - 0.5 : fitOf(linking, one, known)),
  );
}

/** Methods of the same name on the other side: those that belong to the type itself, or those of what it makes. */
function besides({ place, symbol }: Definition, member: MemberFact): number[] {
  const shape = symbol.kind === "method" ? place.shapeOf.get(symbol.parent) : undefined;
  if (shape === undefined) return [];
  const both = [memberIn(place, shape, symbol.name), staticIn(place, shape, symbol.name)];
  if (!both.includes(member)) return [];
  return both.flatMap((one) => (one && one !== member ? [one.symbol ?? -1, ...(one.overloads ?? [])] : []));
}

/** None of a class takes so many arguments: then one that it inherits does. */
function inheritedOverload(
  linking: FileLinking,
  spot: Spot,
  { place, symbol }: Definition,
  given: Given,
): Definition | undefined {
  const shape = place.shapeOf.get(symbol.parent);
  if (shape === undefined || !mayGoOn(linking, 0)) return undefined;
  for (const parent of parentsOf(linking, { is: "instance", place, shape }, 1)) {
    for (const target of linking.inference.membersOf(parent, symbol.name, 1)) {
      const found = overloadOf(linking, spot, target, given);
      if (found) return found;
    }
  }
  return undefined;
}

/**
 * The method outside of a type that is called as if it were the type's own, as C# allows it: one that the file knows by its
 * name, and whose first parameter what is left of the dot fits for sure.
 */
export function extensionOf(
  linking: FileLinking,
  spot: Spot,
  expression: ExpressionFact,
  given: Given,
): Definition | undefined {
  if (expression[0] !== "member") return undefined;
  const [, object, name] = expression;
  const self = describe(linking, spot, object);
  if (!self) return undefined;
  const known = [self, ...given.map((one) => (one ? describe(linking, spot, one) : undefined))];
  const found = listKnown(linking, spot, extensionName(name)).filter(
    ({ place, symbol }) =>
      takes(symbol, known.length) && fitOf(linking, { place, symbol }, [self], known.length) >= surely,
  );
  const caller = symbolIn(spot.place, spot.place.facts.scopes[spot.scope]?.symbol ?? -1);
  return bestOf(found, (one) => fitOf(linking, one, known) - (one.symbol === caller ? 0.5 : 0));
}

// The same type or one above it; that anything fits is no evidence.
const surely = 2;

/** Everything that the spaces which are open here have under a name. */
function listKnown(linking: FileLinking, { place, scope }: Spot, name: string): Definition[] {
  const found: Definition[] = [];
  for (let at = scope; at >= 0; at = place.facts.scopes[at]?.parent ?? -1) {
    for (const space of place.facts.scopes[at]?.opens ?? []) {
      for (const added of listAdded(linking, place, space, name)) {
        if (!mayGoOn(linking, 0)) return found;
        const symbol = added.binding[0] === "symbol" ? symbolIn(added.place, added.binding[1]) : undefined;
        if (symbol) found.push({ place: added.place, symbol });
      }
    }
  }
  return found;
}

function bestOf(all: readonly Definition[], score: (one: Definition) => number): Definition | undefined {
  let best: { one: Definition; fit: number } | undefined;
  for (const one of all) {
    const fit = score(one);
    if (!best || fit > best.fit) best = { one, fit };
  }
  return best?.one;
}

/** How well arguments fit the parameters of a method. */
function fitOf(
  linking: FileLinking,
  { place, symbol }: Definition,
  known: readonly (Argument | undefined)[],
  count = known.length,
): number {
  const at = { place, scope: symbol.scope ?? 0, around: undefined };
  // One that takes any number is chosen last, and of several that with more parameters.
  let fit = symbol.arity?.[1] === -1 ? (symbol.parameters?.length ?? 0) / 100 - 1 : 0;
  known.forEach((argument, n) => {
    const parameter = parameterAt(symbol, n, count);
    if (argument && parameter) fit += likeness(linking, at, parameter, argument);
  });
  return fit;
}

function takes({ parameters = [], arity }: SymbolFact, count: number): boolean {
  const [least, most] = arity ?? [parameters.length, parameters.length];
  return count >= least && (most < 0 || count <= most);
}

/** The nth parameter. What takes whatever is left is written as a list, and given one by one. */
function parameterAt({ parameters = [], arity }: SymbolFact, n: number, count: number): TypeFact | null | undefined {
  const last = parameters.at(-1);
  if (arity?.[1] !== -1 || n < parameters.length - 1 || last?.[0] !== "array") return parameters[n];
  return count === parameters.length ? ["either", [last, last[1]]] : last[1];
}

/** What is known of an argument: the type that is written for it, and what that is in the tree. */
interface Argument {
  written?: string;
  types: readonly Type[];
}

function describe(linking: FileLinking, spot: Spot, expression: ExpressionFact): Argument | undefined {
  const types = typesOf(linking, spot, expression).filter(({ is }) => is === "instance");
  const stated = statedType(linking, spot, expression);
  const written = stated && writtenAs(stated);
  return written === undefined && types.length === 0 ? undefined : { types, ...(written !== undefined && { written }) };
}

/** The type that is written for what an expression names, be it one from outside. */
function statedType(linking: FileLinking, spot: Spot, expression: ExpressionFact): TypeFact | undefined {
  if (expression[0] === "type") return expression[1];
  const isCall = expression[0] === "call";
  if (expression[0] === "element" || expression[0] === "index") {
    const list = statedType(linking, spot, expression[1]);
    return list?.[0] === "array" ? list[1] : undefined;
  }
  if (!isCall && expression[0] !== "name" && expression[0] !== "member") return undefined;
  const [target] = targetsOf(linking, spot, isCall ? expression[1] : expression);
  if (!target) return undefined;
  if (isCall) return definitionOf(target)?.symbol.returns;
  if (target.is === "member") return target.member.type;
  if (target.is !== "binding") return definitionOf(target)?.symbol.type;
  const { binding } = target;
  if (binding[0] !== "value" && binding[0] !== "parameter") return undefined;
  return (
    binding[1] ?? (binding[2] && binding[2] !== expression ? statedType(linking, target.spot, binding[2]) : undefined)
  );
}

/** `int[]`, `String`: a type without what it takes. */
function writtenAs(type: TypeFact): string | undefined {
  if (type[0] === "name") return type[1];
  const inner = type[0] === "array" ? writtenAs(type[1]) : undefined;
  return inner === undefined ? undefined : `${inner}[]`;
}

// The same type fits best, one above it less, anything at all least; another one does not.
function likeness(linking: FileLinking, spot: Spot, parameter: TypeFact, argument: Argument): number {
  if (parameter[0] === "either") return Math.max(...parameter[1].map((one) => likeness(linking, spot, one, argument)));
  const { written, types } = argument;
  const shapes = typesOfFact(linking, spot, parameter).filter(({ is }) => is === "instance");
  if (shapes.length > 0 && types.length > 0) {
    const isOne = (all: readonly Type[]) => all.some((type) => shapes.some((shape) => isSame(shape, type)));
    if (isOne(types)) return 4;
    let above = types.flatMap((type) => parentsOf(linking, type, 0));
    for (let step = 0; step < 4 && above.length > 0; step += 1) {
      if (isOne(above)) return 3 - step / 2;
      above = above.flatMap((type) => parentsOf(linking, type, 0));
    }
    return -4;
  }
  const wanted = writtenAs(parameter);
  if (wanted === undefined || written === undefined) return anything.test(wanted ?? "") ? 0.5 : 0;
  return likenessOfNames(wanted, written);
}

const anything = /^(?:Object|object|dynamic|[A-Z]|T[A-Z]\w*)$/;
const widening = "byte short char int long float double".split(" ");
const boxes: Record<string, string> = { Integer: "int", Character: "char", Long: "long", Byte: "byte", Short: "short" };

function likenessOfNames(wanted: string, written: string): number {
  if (wanted === written) return 4;
  const [boxed, unboxed] = [boxOf(wanted), boxOf(written)];
  if (wanted.endsWith("[]") !== written.endsWith("[]")) return anything.test(wanted) ? 0.5 : -4;
  if (wanted.endsWith("[]")) {
    const [inner, given] = [wanted.slice(0, -2), written.slice(0, -2)];
    return anything.test(inner) && !isPrimitive(given) ? 1 : inner.endsWith("[]") ? likenessOfNames(inner, given) : -4;
  }
  const [from, to] = [widening.indexOf(written), widening.indexOf(wanted)];
  if (from >= 0 && to > from) return 3 - (to - from) / 10;
  // An object is taken out of its box only where nothing takes objects.
  if (boxed === unboxed) return isPrimitive(wanted) && !isPrimitive(written) ? 0.25 : 2;
  if (anything.test(wanted)) return 0.5;
  return wanted === "CharSequence" && written === "String" ? 2 : -4;
}

function boxOf(name: string): string {
  return boxes[name] ?? name.toLowerCase();
}

function isPrimitive(name: string): boolean {
  return widening.includes(name) || /^(?:boolean|bool)$/.test(name);
}

function isSame(one: Type, other: Type): boolean {
  return one.is === "instance" && other.is === "instance" && one.place === other.place && one.shape === other.shape;
}
