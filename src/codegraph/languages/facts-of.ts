import type { ExpressionFact, TypeFact } from "../facts/facts.js";

/** Stands for a type that leads nowhere, so that those after it keep their places. */
export const unknownType: TypeFact = ["name", "?"];

export function listOf(type: TypeFact | null): TypeFact {
  return ["array", type ?? unknownType];
}

/** Something of which only the type is known. */
export function ofType(type: TypeFact | null): ExpressionFact | null {
  return type && ["type", type];
}

export function ofNamed(name: string): ExpressionFact {
  return ["type", ["name", name]];
}

export function elementOf(list: ExpressionFact | null): ExpressionFact | null {
  return list && ["element", list];
}

export function indexOf(list: ExpressionFact | null): ExpressionFact | null {
  return list && ["index", list];
}

export function memberOf(object: ExpressionFact | null, name: string): ExpressionFact | null {
  return object && ["member", object, name];
}

/** One of these, as far as they lead somewhere. */
export function eitherOf(all: readonly (ExpressionFact | null)[]): ExpressionFact {
  return ["either", all.filter((one) => one !== null)];
}

/** A type as a value: what `new` is called on, and what has its static members. */
export function valueOf(type: TypeFact | null): ExpressionFact | null {
  if (type?.[0] !== "name") return null;
  const [first = "", ...rest] = type[1].split(".");
  return rest.reduce<ExpressionFact>((inner, name) => ["member", inner, name], ["name", first]);
}
