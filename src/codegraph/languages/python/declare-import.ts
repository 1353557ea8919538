import type { SyntaxNode } from "../../syntax/syntax-tree.js";
import type { StatementContext } from "./statement-context.js";
import { bindingIn, lineAt, part, textOf } from "./reading.js";

/** `import a.b`, `import a.b as c`, `from a import b as c`, `from . import b`, `from a import *`. */
export function declareImport(place: StatementContext, node: SyntaxNode): void {
  const { reading } = place;
  const names = node.children.filter(({ field }) => field === "name");
  if (node.type === "import_statement") {
    for (const each of names) importWhole(place, each);
    return;
  }
  const module = part(node, "module_name");
  if (!module) return;
  const specifier = textOf(reading, module).replaceAll(/\s/g, "");
  noteImport(place, specifier, node);
  for (const each of names) {
    const { imported, alias } = namesOf(place, each);
    bindingIn(reading, place.scope, alias ?? imported).imports.push({ specifier, name: imported, block: place.block });
  }
  if (node.children.some(({ type }) => type === "wildcard_import")) reading.passedOn.push(specifier);
}

function importWhole(place: StatementContext, node: SyntaxNode): void {
  const { reading } = place;
  const { imported, alias } = namesOf(place, node);
  noteImport(place, imported, node);
  if (alias !== undefined) {
    bindingIn(reading, place.scope, alias).imports.push({ specifier: imported, name: "*", block: place.block });
    return;
  }
  const [root = imported] = imported.split(".");
  if (root !== imported) reading.dottedImports.add(imported);
  const binding = bindingIn(reading, place.scope, root);
  if (!binding.imports.some(({ specifier }) => specifier === root))
    binding.imports.push({ specifier: root, name: "*", block: place.block });
}

/** Notes that the file needs a module; once, unless it is first needed for its types and then as it runs. */
export function noteImport({ reading, isTypeOnly }: StatementContext, specifier: string, node: SyntaxNode): void {
  const known = reading.imports.find((one) => one.specifier === specifier);
  if (!known) {
    reading.imports.push({ specifier, line: lineAt(reading, node.start), ...(isTypeOnly && { isType: true }) });
  } else if (!isTypeOnly) {
    delete known.isType;
  }
}

function namesOf({ reading }: StatementContext, node: SyntaxNode): { imported: string; alias?: string } {
  const whole = node.type === "aliased_import" ? part(node, "name") : node;
  const alias = node.type === "aliased_import" ? part(node, "alias") : undefined;
  const imported = whole ? textOf(reading, whole).replaceAll(/\s/g, "") : "";
  return { imported, ...(alias && { alias: textOf(reading, alias) }) };
}
