import type {
  BindingFact,
  ExportFact,
  ExpressionFact,
  FileFacts,
  MemberFact,
  Named,
  ScopeFact,
  ShapeFact,
  TypeBindingFact,
} from "../../facts/facts.js";
import { typeOf } from "./annotations.js";
import { choicesOf, typeOrChoice } from "./choices.js";
import { choice } from "./expressions.js";
import { type AssignedMember, type Binding, type Reading, type Scope, type Shape } from "./reading.js";

/** What was noted of a file, as facts. */
export function finishFacts(reading: Reading): FileFacts {
  for (const read of reading.later) read();
  for (const shape of reading.shapes) addAssigned(reading, shape);
  const scopes = reading.scopes.map((scope, index) => toScope(reading, scope, index));
  return {
    symbols: reading.symbols,
    scopes,
    // Last: reading an expression may bring one more.
    shapes: reading.shapes.map(toShape),
    imports: reading.imports,
    exports: listExports(reading),
    passedOn: [...new Set(reading.passedOn)],
    isOpen: true,
    uses: reading.uses,
  };
}

/**
 * What methods put into `self`, as members. One that says its type is believed, else one that makes something, in
 * `__init__` before others: a member can be read in one scope only.
 */
function addAssigned(reading: Reading, shape: Shape): void {
  const byName = new Map<string, AssignedMember[]>();
  for (const one of shape.assigned) byName.set(one.name, [...(byName.get(one.name) ?? []), one]);
  for (const [name, all] of byName) {
    const known = shape.members.get(name);
    if (known && (known.symbol === undefined || known.type || known.init || known.isGetter)) continue;
    if (known && reading.symbols[known.symbol ?? -1]?.kind !== "property") continue;
    shape.members.set(name, { ...known, ...memberOf(reading, all) });
  }
}

function memberOf(reading: Reading, all: AssignedMember[]): MemberFact {
  const typed = all.find(({ type }) => type !== undefined);
  const type = typed?.type && typeOf(reading, typed.type, typed.scope);
  if (typed && type) return { type, scope: typed.scope };
  const told = all.map((one) => ({ ...one, init: one.value() })).filter(({ init }) => init !== null);
  const isTelling = (init: ExpressionFact | null) => init !== null && init[0] !== "type";
  const best =
    told.find(({ init, isFirst }) => isFirst && isTelling(init)) ?? told.find(({ init }) => isTelling(init)) ?? told[0];
  if (!best) return {};
  const init = choice(told.filter(({ scope }) => scope === best.scope).map((one) => one.init));
  return init ? { init, scope: best.scope } : {};
}

function toScope(reading: Reading, scope: Scope, index: number): ScopeFact {
  const names = [...scope.names].map(([name, binding]): Named<BindingFact> => [
    name,
    toBinding(reading, name, binding, index),
  ]);
  const { parent, symbol, shape } = scope;
  const types = [...scope.types].map(([name, type]): Named<TypeBindingFact> => [
    name,
    typeOrChoice(scope.names.get(name), type),
  ]);
  return { parent, symbol, shape, names, ...(types.length > 0 && { types }) };
}

function toBinding(reading: Reading, name: string, binding: Binding, scope: number): BindingFact {
  const choices = choicesOf(reading, name, binding);
  if (choices.length > 0) return ["value", null, choice(choices)];
  if (binding.symbol !== undefined) return ["symbol", binding.symbol];
  const [imported] = binding.imports;
  if (imported) return ["import", imported.specifier, imported.name];
  const type = binding.type ? typeOf(reading, binding.type, scope) : null;
  const init = choice(binding.values.map((value) => value()));
  const variable = binding.variable === undefined ? undefined : reading.symbols[binding.variable];
  if (binding.variable !== undefined && variable) {
    Object.assign(variable, type && { type }, init && { init }, { scope });
    return ["symbol", binding.variable];
  }
  return [binding.isParameter ? "parameter" : "value", type, init];
}

/** What is written in a class is reached through the class as well, so there are no statics. */
function toShape({ symbol, kind, scope, extends: parents, members }: Shape): ShapeFact {
  return { symbol, kind, scope, ...(parents && { extends: parents }), members: [...members] };
}

/**
 * What `__all__` lists: no other name is taken with `*`. By itself every name of the module can be had, for it is open; and
 * where only a part of the list is known, nothing is kept from anybody.
 */
function listExports({ listed = [], isListedInPart }: Reading): Named<ExportFact>[] {
  if (isListedInPart) return [];
  return [...new Set(listed)].map((name) => [name, ["local", name]]);
}
