import type { SymbolKind } from "../codegraph.js";

/**
 * What one file says of itself, before anything is known of the others. It is what a language extracts, what is kept of a
 * file between two indexings, and all that linking reads. Everything is JSON; what refers to something else of the same
 * file does so by its place in a list, -1 standing for the file itself, or for nothing.
 *
 * Names are kept in lists of pairs and not as keys of objects: a program may call something `__proto__`.
 */
export interface FileFacts {
  symbols: SymbolFact[];
  /** The first is that of the module. A block that declares nothing has none. */
  scopes: ScopeFact[];
  shapes: ShapeFact[];
  imports: ImportFact[];
  exports: Named<ExportFact>[];
  /** Modules whose exports this one passes on: `export * from "…"`, `from … import *`. */
  passedOn: string[];
  /** Whether every name of the module can be imported, as in Python. */
  isOpen?: true;
  /** What it adds to spaces, where its language has them. */
  spaces?: SpaceFact[];
  uses: UseFact[];
}

export type Named<T> = [name: string, value: T];

/**
 * What a file adds to a space: a set of names that several files share, known in all of them. A package of Go or Java is
 * one, a namespace of C#, a module of Rust; and a type, where its methods are written elsewhere. It is called by its
 * language and its path: `java:com.example`, `go:internal/store`, `go:internal/store.Store`.
 */
export type SpaceFact = [space: string, names: DeclaredFact[]];

/**
 * A name of a space, and the scope in which its binding is to be read. `*` says that the file belongs to the space,
 * `<extends>` that the type which the space is has another above it, `<passes>` that it has every name of another space,
 * `<mixes>` that a class has itself what instances of another have.
 */
export type DeclaredFact = [name: string, binding: BindingFact, scope: number];

export interface SymbolFact {
  /** Qualified by what it is written in: `Store.read`, `open.retry`. Unique in its file: a second one is `open~2`. */
  path: string;
  name: string;
  kind: SymbolKind;
  /** Lines, from 1, with decorators and `export`, without comments. */
  start: number;
  end: number;
  /** The symbol it is written in. */
  parent: number;
  /** Whether it has a body that can run, or is a class: what a call can lead to. */
  isCallable?: true;
  /** Tells the same body under another name; absent where there is too little of it. */
  fingerprint?: string;
  /** What a call of it gives, where it says so … */
  returns?: TypeFact;
  /** … and where it does not: the expressions it returns, each with its scope. */
  returned?: [ExpressionFact, scope: number][];
  /** Types of its parameters, null where none is stated. */
  parameters?: (TypeFact | null)[];
  /** How many arguments it takes, where that is not as many as it has parameters; -1: any number. */
  arity?: [least: number, most: number];
  /** What it says of an argument, by its number, where it gives true: `value is Store`. */
  guards?: [argument: number, type: TypeFact];
  /** What a variable that holds no function is said to be … */
  type?: TypeFact;
  /** … and what it is made of; of a function, what decorators have made of it. */
  init?: ExpressionFact;
  /**
   * The scope in which `returns`, `parameters`, `type` and `init` are to be read, and what an alias stands for. That of a
   * function, class, interface or alias with type parameters is its own: they are the variables of its types, in order.
   */
  scope?: number;
}

export interface ScopeFact {
  parent: number;
  /** The nearest definition that has a name: what is used here is used by it. */
  symbol: number;
  /** What `this` or `self` is here; absent where it is nothing. */
  shape?: number;
  names: Named<BindingFact>[];
  types?: Named<TypeBindingFact>[];
  /** Spaces whose names are known here, the first first. */
  opens?: string[];
  /** Whether the members of its shape are known here by their bare names, as in a class of Java. */
  isBody?: true;
}

export type BindingFact =
  | ["symbol", symbol: number]
  /** `*` stands for the module itself, `default` for its default. */
  | ["import", specifier: string, name: string]
  /** A name of a space; `*` stands for the space itself. */
  | ["space", space: string, name: string]
  | ["value", type: TypeFact | null, init: ExpressionFact | null]
  | ["parameter", type: TypeFact | null, init: ExpressionFact | null];

export type TypeBindingFact =
  | ["shape", shape: number, symbol: number]
  | ["alias", type: TypeFact | null, symbol: number]
  /** A type parameter with its constraint. */
  | ["variable", type: TypeFact | null];

/** What has members: a class, an interface, an object that is written out, a namespace, an enum. */
export interface ShapeFact {
  symbol: number;
  kind: "class" | "interface" | "object" | "namespace" | "enum";
  /** Where its members are to be read: where it is written, or its own scope where it has type parameters. */
  scope: number;
  extends?: ExpressionFact[];
  implements?: TypeFact[];
  members: Named<MemberFact>[];
  statics?: Named<MemberFact>[];
  /** The space that holds what other files, or other places of this one, add to it. */
  space?: string;
  /** The space of what its instances have, where a class has other methods than these, as in Ruby. */
  instances?: string;
  /** Whether of several parents the first that has a name gives it; absent: whoever has it may be meant. */
  isOrdered?: true;
  /** Whether it may only add to what another file defines: that one is meant then, where there is one. */
  isPart?: true;
}

export interface MemberFact {
  symbol?: number;
  /** Others of the same name, where arguments tell which is meant. */
  overloads?: number[];
  type?: TypeFact;
  init?: ExpressionFact;
  /** Where `init` and `type` are to be read; absent: in the scope of the shape. */
  scope?: number;
  /** Its value is what calling the symbol gives. */
  isGetter?: true;
}

/** As much of an expression as tells what it leads to. */
export type ExpressionFact =
  | ["name", string]
  | ["this"]
  | ["super"]
  | ["member", ExpressionFact, string]
  /** What an index, or going through it, gives. */
  | ["element", ExpressionFact]
  /** What an index gives, where that is not what going through it does: of a map, a value. */
  | ["index", ExpressionFact]
  | ["call", ExpressionFact]
  /** With type arguments. */
  | ["call", ExpressionFact, TypeFact[]]
  | ["new", ExpressionFact]
  /** `import("…")`, `require("…")`. */
  | ["module", specifier: string]
  | ["shape", number]
  /** An expression whose type is stated: `x as T`, and the parents of an interface. */
  | ["type", TypeFact]
  /** One of these: `a ?? b`, `c ? a : b`. */
  | ["either", ExpressionFact[]]
  /** What the callback that is the nth argument of a call gets as its mth parameter. */
  | ["given", call: ExpressionFact, argument: number, parameter: number]
  /** An expression that stands in another scope: what a function returns that is called where it is written. */
  | ["in", scope: number, ExpressionFact]
  /** What a function takes as its nth argument. */
  | ["taken", ExpressionFact, number]
  /** What a name is where a call with these arguments gave true: what that guards, else what the name was before. */
  | ["guarded", name: string, guard: ExpressionFact, given: (ExpressionFact | null)[]];

export type TypeFact =
  /** `Store`, `ns.Store`, with its type arguments. */
  | ["name", string]
  | ["name", string, TypeFact[]]
  | ["array", TypeFact]
  | ["shape", number]
  | ["either", TypeFact[]]
  | ["function", returns: TypeFact | null, parameters: (TypeFact | null)[]]
  /** `typeof x` */
  | ["of", ExpressionFact]
  /** `import("…").Name`; without a name the module itself. */
  | ["module", specifier: string, name: string | null]
  /** `T["key"]` */
  | ["member", TypeFact, string];

export interface ImportFact {
  specifier: string;
  line: number;
  /** Only types are taken from it. */
  isType?: true;
  /** Where it names a space and no file: which, and which name of it; without one the whole space. */
  space?: string;
  name?: string;
}

export type ExportFact =
  | ["local", name: string]
  | ["from", specifier: string, name: string]
  /** `export default …`, `module.exports = …` of something without a name. */
  | ["value", ExpressionFact];

/**
 * A place that uses something. `call`, `new` and `element` (JSX) run it, `reference` only mentions it, `type` mentions a
 * type. `given` are the arguments, where they tell which of several is meant.
 */
export type UseFact =
  | [
      kind: "call" | "new" | "element" | "reference",
      what: ExpressionFact | null,
      scope: number,
      line: number,
      name?: string,
      given?: (ExpressionFact | null)[],
    ]
  | ["type", TypeFact, scope: number, line: number];

/** How a file falls into parts, for cutting it into chunks. Lines from 0, both included; in order, never overlapping. */
export interface OutlinePart {
  start: number;
  end: number;
  kind: "function" | "class" | "import" | "other";
  name?: string;
  /** The parts of its body, where it has more than one line of them. */
  parts?: OutlinePart[];
}

/** What a language makes of a file. */
export interface Extraction {
  facts: FileFacts;
  outline: OutlinePart[];
  /** Where it could not be parsed, from 1; what could be is in the facts. */
  firstErrorLine?: number;
}

export const emptyFacts: FileFacts = {
  symbols: [],
  scopes: [{ parent: -1, symbol: -1, shape: -1, names: [] }],
  shapes: [],
  imports: [],
  exports: [],
  passedOn: [],
  uses: [],
};
