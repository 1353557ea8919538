import { shapeIn, type SourceFile } from "./source-file.js";
import type { SymbolFact, TypeFact, ExpressionFact } from "../facts/facts.js";
import { findExported } from "./find-names.js";
import { findModule, type FileLinking, type Spot, type Type, type TypeTarget } from "./linking-context.js";
import { valuesOf } from "./module-values.js";
import { targetOfTypeName } from "./read-type.js";
import { targetsOf, typesOf } from "./types-of.js";

/** A symbol as the end of an edge. */
export interface Definition {
  place: SourceFile;
  symbol: SymbolFact;
}

function definitionAt(place: SourceFile, symbol: number | undefined): Definition | undefined {
  const fact = symbol === undefined ? undefined : place.facts.symbols[symbol];
  return fact && { place, symbol: fact };
}

/** What a target is called, where it is a symbol. */
export function definitionOf(target: TypeTarget): Definition | undefined {
  if (target.is === "symbol") return definitionAt(target.place, target.symbol);
  if (target.is === "member") return definitionAt(target.spot.place, target.member.symbol);
  if (target.is !== "type" || target.binding[0] === "variable") return undefined;
  return definitionAt(target.spot.place, target.binding[2]);
}

/** The class or the function that a value is. */
export function ownerOf(type: Type): Definition | undefined {
  if (type.is === "callable") return definitionAt(type.place, type.symbol);
  if (type.is === "statics") return definitionAt(type.place, shapeIn(type.place, type.shape)?.symbol);
  return undefined;
}

/** What a class or an interface says that it extends. */
export function parentsIn(linking: FileLinking, spot: Spot, expression: ExpressionFact): Definition[] {
  if (expression[0] === "type") return typeDefinitions(linking, spot, expression[1], false);
  const direct = targetsOf(linking, spot, expression).flatMap((target) => definitionOf(target) ?? []);
  if (direct.some(({ symbol: { kind } }) => kind === "class" || kind === "interface")) return direct;
  return valuesOf(linking, typesOf(linking, spot, expression), 0).flatMap((type) => ownerOf(type) ?? []);
}

/** The definitions that a written type names, in its arguments too. */
export function typeDefinitions(linking: FileLinking, spot: Spot, type: TypeFact, isDeep: boolean): Definition[] {
  switch (type[0]) {
    case "name": {
      const target = targetOfTypeName(linking, spot, type[1]);
      const own = target && definitionOf(target);
      const inner = isDeep ? (type[2] ?? []).flatMap((arg) => typeDefinitions(linking, spot, arg, true)) : [];
      return own ? [own, ...inner] : inner;
    }
    case "array":
      return typeDefinitions(linking, spot, type[1], isDeep);
    case "either":
      return type[1].flatMap((one) => typeDefinitions(linking, spot, one, isDeep));
    case "of":
      return targetsOf(linking, spot, type[1]).flatMap((target) => definitionOf(target) ?? []);
    case "module": {
      const module = findModule(linking, spot.place, type[1]);
      const target = module && type[2] !== null ? findExported(linking, module, type[2], "type") : undefined;
      const own = target && definitionOf(target);
      return own ? [own] : [];
    }
    case "member":
      return typeDefinitions(linking, spot, type[1], isDeep);
    case "function":
      return isDeep
        ? [type[1], ...type[2]].flatMap((part) => (part ? typeDefinitions(linking, spot, part, true) : []))
        : [];
    case "shape":
  }
  return [];
}
