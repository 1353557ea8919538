import type { BindingFact, TypeFact } from "../../facts/facts.js";
import { isIncludable } from "./is-includable.js";
import type { SyntaxNode } from "../../syntax/syntax-tree.js";
import type { Parameter } from "../define.js";
import { listOf, unknownType } from "../facts-of.js";
import { declare, homeOf, part, scopeAt, text, typeOf, type At } from "../reading.js";

/** The space of the names that every file of C or C++ can link with. Namespaces lie in it: `c:^.leveldb`. */
export const everywhere = "c:^";

/** What a declarator declares. C writes a type around the name: `int (*call)(char *)`, `struct store *open(void)`. */
export interface Declared {
  name: SyntaxNode;
  /** Of a function what it takes; absent for what is none, be it a pointer to one. */
  parameters?: SyntaxNode;
  /** A value that can be called: a pointer to a function. */
  isPointerToFunction: boolean;
  isList: boolean;
}

const around = new Set(
  `pointer_declarator reference_declarator parenthesized_declarator array_declarator init_declarator function_declarator
   attributed_declarator pointer_type_declarator`.split(/\s+/),
);

export function declaredBy(declarator: SyntaxNode | undefined): Declared | undefined {
  let [inner, last, isPointerToFunction] = [declarator, undefined as SyntaxNode | undefined, false];
  while (inner && around.has(inner.type)) {
    isPointerToFunction ||= inner.type === "function_declarator";
    if (inner.type !== "parenthesized_declarator" && inner.type !== "attributed_declarator") last = inner;
    inner = part(inner, "declarator") ?? inner.children.find(({ type }) => !/qualifier|modifier|attribute/.test(type));
  }
  // `operator bool()` has what it takes inside of its name.
  if (inner?.type === "operator_cast" || lastOf(inner)?.type === "operator_cast") return castOf(inner as SyntaxNode);
  // What the parser had to make up has no text.
  if (
    !inner ||
    inner.end === inner.start ||
    !/identifier$|^(?:destructor_name|operator_name|template_function|template_method)$/.test(inner.type)
  )
    return undefined;
  const parameters = last?.type === "function_declarator" ? part(last, "parameters") : undefined;
  const isList = last?.type === "array_declarator";
  return {
    name: inner,
    isList,
    isPointerToFunction: isPointerToFunction && !parameters,
    ...(parameters && { parameters }),
  };
}

function castOf(name: SyntaxNode): Declared | undefined {
  const cast = lastOf(name) as SyntaxNode;
  const [type, taken] = [part(cast, "type"), part(cast, "declarator")];
  const parameters = taken && part(taken, "parameters");
  if (!type || !parameters) return undefined;
  return { name: { ...name, end: type.end }, parameters, isList: false, isPointerToFunction: false };
}

/** What a type is called; nothing where the parser had to make a name up. */
export function nameIn(node: SyntaxNode): SyntaxNode | undefined {
  const name = part(node, "name");
  return name && name.end > name.start ? name : undefined;
}

/** The last name of `a::b::c`. */
export function lastOf(name: SyntaxNode | undefined): SyntaxNode | undefined {
  let last = name;
  while (last?.type === "qualified_identifier") last = part(last, "name");
  return last;
}

/** What a declared name is said to be. */
export function typeDeclared(type: TypeFact | null, declared: Declared): TypeFact | null {
  if (declared.isPointerToFunction) return ["function", type, []];
  return declared.isList ? listOf(type) : type;
}

/** What a function takes. Each has a type, so that nobody votes on what `n` may be. */
export function parametersOf(at: At, list: SyntaxNode | undefined): Parameter[] {
  const all = (list?.children ?? []).filter(({ type }) => /parameter/.test(type));
  if (all.length === 1 && /^\s*void\s*$/.test(text(at, all[0] as SyntaxNode))) return [];
  return all.map((one): Parameter => {
    const declared = declaredBy(part(one, "declarator"));
    const isRest = one.type.startsWith("variadic");
    const stated = typeOf(at, part(one, "type")) ?? unknownType;
    const type = declared ? (typeDeclared(stated, declared) ?? unknownType) : stated;
    const isNamed = declared?.name.type === "identifier";
    return {
      type,
      isRest,
      isOptional: one.type.startsWith("optional"),
      ...(declared && isNamed && { name: text(at, declared.name) }),
    };
  });
}

/** Whether others may include the file, so that all that it defines is theirs, too. */
export function isHeader({ reading }: At): boolean {
  return isIncludable(reading.path);
}

export function isInFunction(at: At): boolean {
  const kind = at.reading.symbols[scopeAt(at).symbol]?.kind;
  return kind === "function" || kind === "method";
}

/** Lets other files have a name. What stands in a function, or is written to stay in its file, is none of theirs. */
export function share(at: At, name: string, binding: BindingFact): void {
  const home = homeOf(at);
  if (home !== "" && !isInFunction(at)) declare(at, home, name, binding);
}
