import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { parseSync } from "oxc-parser";

/** What an entry file of the package exports, and the types that its signatures use. */
export interface PublicTypes {
  /** By the names that a caller imports. */
  exported: string[];
  /** Types of ours in a public signature that no entry exports, each with where it is used first. */
  missing: { type: string; usedBy: string }[];
  /** Exported types that no exported function, object or type uses, and that no caller can reach. */
  unused: string[];
}

/**
 * Reads source files, so that no build is needed. A type counts as used where its name stands in a parameter, a result, a
 * field, or an argument of another type. What an interface inherits, and what a generic alias of the same file makes, is read as
 * if it stood there itself: a caller has no need of those names. An inferred result is not seen, so an exported function has
 * to state its own.
 */
export function readPublicTypes(entry: string, others: readonly string[] = []): PublicTypes {
  const house = openModules();
  const [own, ...rest] = [entry, ...others].map((file) => house.exportsOf(file));
  const exported = own ?? new Map<string, Declared>();
  const known = new Set([exported, ...rest].flatMap((names) => [...names.values()].map(keyOf)));
  const missing = new Map<string, string>();
  const used = new Set<string>();
  for (const [name, declared] of exported) {
    const { named, inherited } = house.typesIn(declared);
    for (const type of [...named, ...inherited]) if (keyOf(type) !== keyOf(declared)) used.add(keyOf(type));
    for (const type of named) if (!known.has(keyOf(type)) && !missing.has(keyOf(type))) missing.set(keyOf(type), name);
  }
  const isType = ({ node }: Declared) => node.type.startsWith("TS");
  return {
    exported: [...exported.keys()].toSorted(),
    missing: [...missing].map(([type, usedBy]) => ({ type, usedBy })).toSorted((a, b) => (a.type < b.type ? -1 : 1)),
    unused: [...exported].filter(([, one]) => isType(one) && !used.has(keyOf(one))).map(([name]) => name),
  };
}

/** What an entry file exports, and where in the source each of it stands. */
export function listPublicDeclarations(entry: string): { name: string; file: string; start: number; end: number }[] {
  return [...openModules().exportsOf(entry)].map(([name, { file, node }]) => ({
    name,
    file,
    start: node.start,
    end: node.end,
  }));
}

interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

/** Where a name is declared, however often it was handed on. */
interface Declared {
  file: string;
  name: string;
  node: Node;
}

interface UsedTypes {
  named: Declared[];
  inherited: Declared[];
}

/** An alias that makes one type of another, for its own file alone: there is nothing to name. */
function isHelper(node: Node): boolean {
  return node.type === "TSTypeAliasDeclaration" && Boolean(node["typeParameters"]);
}

interface Module {
  declared: Map<string, Node>;
  /** Local name → where it comes from; without a file: from a package. */
  imported: Map<string, { file: string | undefined; name: string }>;
  /** Exported name → a local one, or one of another file. */
  exported: Map<string, { file?: string | undefined; name: string }>;
  /** Files of which everything is handed on. */
  stars: string[];
}

function keyOf({ file, name }: Declared): string {
  return `${relative(join(import.meta.dirname, "..", "..", "src"), file)} ${name}`;
}

function openModules() {
  const modules = new Map<string, Module>();
  const open = (file: string): Module => {
    const known = modules.get(file) ?? readModule(file);
    modules.set(file, known);
    return known;
  };
  const find = (file: string, name: string): Declared | undefined => {
    const { declared, imported } = open(file);
    const node = declared.get(name);
    if (node) return { file, name, node };
    const from = imported.get(name);
    return from?.file === undefined ? undefined : findExported(from.file, from.name);
  };
  const findExported = (file: string, name: string): Declared | undefined => {
    const { exported, stars } = open(file);
    const from = exported.get(name);
    if (from) return from.file === undefined ? find(file, from.name) : findExported(from.file, from.name);
    return stars.map((star) => findExported(star, name)).find((found) => found !== undefined);
  };
  const namesOf = (file: string): string[] => {
    const { exported, stars } = open(file);
    return [...exported.keys(), ...stars.flatMap(namesOf)];
  };
  const typesIn = (declared: Declared, seen = new Set<string>(), isMember = every): UsedTypes => {
    if (seen.has(keyOf(declared))) return { named: [], inherited: [] };
    seen.add(keyOf(declared));
    const { types, parents } = namesIn(declared.node, isMember);
    const found = (name: string) => find(declared.file, name) ?? [];
    const named = types.flatMap(found);
    const helpers = named.filter(({ file, name, node }) => isHelper(node) && !open(file).exported.has(name));
    const inherited = parents.flatMap(({ name }) => found(name));
    const within = [
      ...helpers.map((one) => typesIn(one, seen)),
      ...parents.flatMap((parent) => [found(parent.name)].flat().map((one) => typesIn(one, seen, parent.isMember))),
    ];
    return {
      named: [...named.filter((one) => !helpers.includes(one)), ...within.flatMap((one) => one.named)],
      inherited: [...inherited, ...within.flatMap((one) => one.inherited)],
    };
  };
  return {
    exportsOf: (file: string): Map<string, Declared> =>
      new Map(
        namesOf(file).flatMap((name) => {
          const declared = findExported(file, name);
          return declared ? [[name, declared] as const] : [];
        }),
      ),
    typesIn: (declared: Declared) => typesIn(declared),
  };
}

function readModule(file: string): Module {
  const { program, errors } = parseSync(file, readFileSync(file, "utf8"));
  if (errors.length > 0) throw new Error(`${file} cannot be parsed.`);
  const module: Module = { declared: new Map(), imported: new Map(), exported: new Map(), stars: [] };
  for (const statement of program.body as unknown as Node[]) addStatement(module, file, statement);
  return module;
}

function addStatement(module: Module, file: string, statement: Node): void {
  const from = fileOf(file, statement["source"] as { value: string } | null | undefined);
  const specifiers = (statement["specifiers"] ?? []) as Node[];
  if (statement.type === "ImportDeclaration") {
    for (const one of specifiers) {
      const local = nameIn(one["local"]);
      module.imported.set(local, { file: from, name: one["imported"] ? nameIn(one["imported"]) : "default" });
    }
  } else if (statement.type === "ExportAllDeclaration") {
    if (from !== undefined) module.stars.push(from);
  } else if (statement.type === "ExportNamedDeclaration" && statement["declaration"]) {
    for (const name of declare(module, statement["declaration"] as Node)) module.exported.set(name, { name });
  } else if (statement.type === "ExportNamedDeclaration") {
    for (const one of specifiers)
      module.exported.set(nameIn(one["exported"]), { file: from, name: nameIn(one["local"]) });
  } else declare(module, statement);
}

/** What a statement declares, by name. */
function declare({ declared }: Module, node: Node): string[] {
  const nodes = node.type === "VariableDeclaration" ? (node["declarations"] as Node[]) : [node];
  return nodes.flatMap((one) => {
    const name = nameIn(one["id"]);
    // Of an overloaded function the last one is the implementation.
    if (name !== "") declared.set(name, one);
    return name === "" ? [] : [name];
  });
}

function fileOf(file: string, source: { value: string } | null | undefined): string | undefined {
  if (!source?.value.startsWith(".")) return undefined;
  return join(dirname(file), source.value.replace(/\.js$/, ".ts"));
}

function nameIn(node: unknown): string {
  const { name, value } = Object(node) as { name?: unknown; value?: unknown };
  return typeof name === "string" ? name : typeof value === "string" ? value : "";
}

/** The types that a declaration names, apart from its own type parameters, and those that it inherits from. */
function namesIn(declaration: Node, isMember: IsMember): { types: string[]; parents: Parent[] } {
  const types: string[] = [];
  const parents: Parent[] = [];
  const visit = (node: unknown, hidden: ReadonlySet<string>): void => {
    if (Array.isArray(node)) return node.forEach((one) => visit(one, hidden));
    if (typeof node !== "object" || node === null || !("type" in node)) return;
    const { body, init, ...own } = node as Node;
    const parameters = (own["typeParameters"] as { params?: Node[] } | undefined)?.params ?? [];
    const inner = new Set([...hidden, ...parameters.map((one) => nameIn(one["name"])), ...inferred(own)]);
    const name = nameIn(own["typeName"]);
    if (own.type === "TSTypeReference" && name !== "" && !inner.has(name)) types.push(name);
    if (own.type === "TSInterfaceHeritage") return void parents.push(parentIn(own));
    if (own.type === "TSPropertySignature" && !isMember(nameIn(own["key"]))) return;
    for (const [field, part] of Object.entries(own)) if (field !== "typeName") visit(part, inner);
    // What a function does, and how a value is made, is its own business.
    if (own.type === "TSInterfaceDeclaration" || own.type === "ClassDeclaration") visit((body as Node)["body"], inner);
    void init;
  };
  visit(declaration, new Set());
  return { types, parents };
}

type IsMember = (name: string) => boolean;

interface Parent {
  name: string;
  /** Which of its fields are inherited. */
  isMember: IsMember;
}

const every: IsMember = () => true;

/** `extends Parent`, `extends Partial<Parent>`, `extends Pick<Parent, "field">`. */
function parentIn(heritage: Node): Parent {
  const name = nameIn(heritage["expression"]);
  const [first, second] = ((heritage["typeArguments"] as Node | null)?.["params"] ?? []) as Node[];
  if (!["Partial", "Pick", "Omit"].includes(name)) return { name, isMember: every };
  const fields = new Set([...JSON.stringify(second ?? []).matchAll(/"value":"(\w+)"/g)].map(([, field]) => field));
  const isMember: IsMember = name === "Partial" ? every : (field) => fields.has(field) === (name === "Pick");
  return { name: nameIn(first?.["typeName"]), isMember };
}

/** `infer Name` of a conditional type is its own as well. */
function inferred({ type, extendsType }: Node): string[] {
  return type === "TSConditionalType"
    ? [...JSON.stringify(extendsType).matchAll(/"TSInferType"[^]*?"name":"(\w+)"/g)].map(([, name = ""]) => name)
    : [];
}
