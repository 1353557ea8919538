import type { SyntaxNode } from "../../syntax/syntax-tree.js";
import type { Node } from "./estree.js";
import {
  decorators,
  headOf,
  identifier,
  make,
  ofType,
  part,
  parts,
  translateAll,
  translated,
  type Rules,
  type Translation,
} from "./translation.js";
import { entity } from "./translate-types.js";

/** How imports and exports become those of ESTree. */
export const moduleRules: Rules = {
  import_statement: translateImport,
  import_alias: (from, to) => {
    const [name, reference] = parts(from);
    return make(from, "TSImportEqualsDeclaration", {
      id: name && identifier(to, name),
      moduleReference: reference && entity(reference, to),
    });
  },
  export_statement: translateExport,
};

function translateImport(from: SyntaxNode, to: Translation): Node {
  const required = ofType(from, "import_require_clause");
  if (required) {
    const [name] = parts(required);
    const source = part(required, "source");
    const moduleReference = source && make(source, "TSExternalModuleReference", { expression: to.node(source) });
    return make(from, "TSImportEqualsDeclaration", { id: name && identifier(to, name), moduleReference });
  }
  const clause = ofType(from, "import_clause");
  const source = part(from, "source");
  const isType = /^import\s+type\s/.test(headOf(to, from, clause ?? source));
  return make(from, "ImportDeclaration", {
    importKind: isType ? "type" : "value",
    source: translated(to, source),
    specifiers: parts(clause).flatMap((one) => specifiers(one, to)),
  });
}

function specifiers(from: SyntaxNode, to: Translation): Node[] {
  if (from.type === "identifier") return [make(from, "ImportDefaultSpecifier", { local: identifier(to, from) })];
  if (from.type === "namespace_import") {
    return parts(from).map((name) => make(from, "ImportNamespaceSpecifier", { local: identifier(to, name) }));
  }
  return parts(from)
    .filter(({ type }) => type === "import_specifier")
    .map((one) => {
      const { name, alias } = renamed(one, to);
      const importKind = /^type\s/.test(headOf(to, one, part(one, "name"))) ? "type" : "value";
      return make(one, "ImportSpecifier", { importKind, imported: name, local: alias });
    });
}

/** `a as b`. To the grammar of JavaScript `default` is no name. */
function renamed(from: SyntaxNode, to: Translation): { name: Node; alias: Node } {
  const missing = make(from, "Identifier", { name: "default" });
  const name = translated(to, part(from, "name")) ?? missing;
  const isDefault = /\sas\s+default$/.test(to.source.slice(from.start, from.end));
  return { name, alias: translated(to, part(from, "alias")) ?? (isDefault ? missing : name) };
}

function translateExport(from: SyntaxNode, to: Translation): Node {
  const source = part(from, "source");
  const value = part(from, "value");
  const declaration = part(from, "declaration");
  const clause = ofType(from, "export_clause");
  const namespace = ofType(from, "namespace_export");
  const text = to.source.slice(from.start, from.end);
  const exportKind = /^export\s+type\b/.test(text) && !declaration ? "type" : "value";
  const decorated = decorators(to, from.children);
  const declared = declaration && { ...to.node(declaration) };
  if (declared && decorated.length > 0)
    declared.decorators = [...decorated, ...((declared.decorators as Node[] | undefined) ?? [])];
  if (declared?.type === "TSImportEqualsDeclaration")
    return make(from, "ExportNamedDeclaration", { declaration: declared });
  if (declared) {
    const isDefault = /\bdefault\s*$/.test(headOf(to, from, declaration).replace(/\/\*[^]*?\*\//g, ""));
    return make(from, isDefault ? "ExportDefaultDeclaration" : "ExportNamedDeclaration", { declaration: declared });
  }
  if (value) return exportedValue(from, value, to);
  if (source && !clause) {
    return make(from, "ExportAllDeclaration", {
      exportKind,
      exported: namespace && translateAll(to, namespace)[0],
      source: to.node(source),
    });
  }
  // `export = x`, `export as namespace X`
  const [only] = parts(from);
  if (!clause && only) {
    return /^export\s*=/.test(text)
      ? make(from, "TSExportAssignment", { expression: to.node(only) })
      : make(from, "EmptyStatement");
  }
  const exported = parts(clause).map((one) => {
    const { name, alias } = renamed(one, to);
    const kind = /^type\s/.test(headOf(to, one, part(one, "name"))) ? "type" : "value";
    return make(one, "ExportSpecifier", { exportKind: kind, local: name, exported: alias });
  });
  return make(from, "ExportNamedDeclaration", { exportKind, source: translated(to, source), specifiers: exported });
}

/** Functions and classes without a name are expressions to the grammar, and declarations to the language. */
function exportedValue(from: SyntaxNode, value: SyntaxNode, to: Translation): Node {
  const node = to.node(value);
  const types: Record<string, string> = {
    FunctionExpression: "FunctionDeclaration",
    ClassExpression: "ClassDeclaration",
  };
  const isBare = value.type !== "parenthesized_expression";
  const declaration = { ...node, type: (isBare && types[node.type]) || node.type };
  return make(from, "ExportDefaultDeclaration", { declaration });
}
