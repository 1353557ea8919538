import { realpathSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";

/**
 * What the TypeScript checker says of some files: which imports which, and which definition each call runs. A definition is
 * a place, `{ file, name, line }`, the line being that of its name; the caller is null where it is the file itself.
 *
 * Every call, `new`, JSX element, tagged template and decorator counts whose target is in these files and has a body or is a
 * class, however hard it is to see. `unsure` holds calls that the checker itself knows nothing of, because what they are called
 * on has no type: a package that is not installed, `any`. They are listed apart, as neither right nor wrong.
 */
export function truthOf(ts, root, files, { paths = {}, pathsFrom = root, typeRoots } = {}) {
  const base = realpathSync(root);
  const options = {
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    jsx: ts.JsxEmit.Preserve,
    strict: true,
    allowJs: true,
    skipLibCheck: true,
    noEmit: true,
    experimentalDecorators: true,
    allowImportingTsExtensions: true,
    types: typeRoots ? ["node"] : [],
    ...(typeRoots && { typeRoots }),
    paths: Object.fromEntries(
      Object.entries(paths).map(([key, targets]) => [key, targets.map((target) => resolve(pathsFrom, target))]),
    ),
  };
  const host = ts.createCompilerHost(options);
  const program = ts.createProgram({ rootNames: files.map((file) => join(base, file)), options, host });
  const checker = program.getTypeChecker();
  const known = new Set(files);
  const pathOf = (source) => relative(base, source.fileName).split(sep).join("/");
  const isOurs = (node) => known.has(pathOf(node.getSourceFile()));
  const cache = ts.createModuleResolutionCache(base, (name) => name, options);

  const imports = new Set();
  const calls = [];
  const unsure = [];
  for (const source of program.getSourceFiles()) {
    if (!known.has(pathOf(source))) continue;
    visit(source, source);
  }
  return { imports, calls, unsure };

  function visit(node, source) {
    const specifier = specifierOf(node);
    if (specifier !== undefined) addImport(source, specifier);
    if (isCallLike(node)) addCall(node, source);
    ts.forEachChild(node, (child) => visit(child, source));
  }

  function specifierOf(node) {
    const literal =
      ts.isImportDeclaration(node) || ts.isExportDeclaration(node)
        ? node.moduleSpecifier
        : ts.isImportTypeNode(node)
          ? node.argument.literal
          : ts.isExternalModuleReference(node)
            ? node.expression
            : ts.isCallExpression(node) &&
                (node.expression.kind === ts.SyntaxKind.ImportKeyword ||
                  (ts.isIdentifier(node.expression) && node.expression.text === "require"))
              ? node.arguments[0]
              : undefined;
    return literal && ts.isStringLiteralLike(literal) ? literal.text : undefined;
  }

  function addImport(source, specifier) {
    const { resolvedModule } = ts.resolveModuleName(specifier, source.fileName, options, host, cache);
    if (!resolvedModule) return;
    const to = relative(base, resolvedModule.resolvedFileName).split(sep).join("/");
    const from = pathOf(source);
    if (known.has(to) && to !== from) imports.add(`${from} -> ${to}`);
  }

  function isCallLike(node) {
    return (
      (ts.isCallExpression(node) && node.expression.kind !== ts.SyntaxKind.ImportKeyword) ||
      ts.isNewExpression(node) ||
      ts.isTaggedTemplateExpression(node) ||
      ts.isJsxOpeningElement(node) ||
      ts.isJsxSelfClosingElement(node) ||
      // `@decorate()` holds a call of its own.
      (ts.isDecorator(node) && !ts.isCallExpression(node.expression))
    );
  }

  function addCall(node, source) {
    const callee =
      ts.isJsxOpeningElement(node) || ts.isJsxSelfClosingElement(node) ? node.tagName : (node.tag ?? node.expression);
    if (ts.isIdentifier(callee) && /^[a-z]/.test(callee.text) && callee === node.tagName) return;
    const from = { file: pathOf(source), caller: callerOf(node), line: lineOf(node, source) };
    const targets = targetsOf(node, callee);
    const text = callee.getText().replace(/\s+/g, "").slice(-60);
    for (const target of targets) if (isOurs(target.node)) calls.push({ ...from, text, to: placeOf(target) });
    if (targets.length === 0 && isAny(callee)) unsure.push({ ...from, name: nameOf(callee) });
  }

  function isAny(callee) {
    return (checker.getTypeAtLocation(strip(callee)).flags & ts.TypeFlags.Any) !== 0;
  }

  function nameOf(callee) {
    const inner = strip(callee);
    return ts.isPropertyAccessExpression(inner) ? inner.name.text : ts.isIdentifier(inner) ? inner.text : "";
  }

  /** The definitions that a call runs: what is named there, else what the checker says is called. */
  function targetsOf(node, callee) {
    const inner = strip(callee);
    if (inner.kind === ts.SyntaxKind.SuperKeyword) {
      return definitionsOf(checker.getTypeAtLocation(inner).getSymbol()).filter((one) => ts.isClassLike(one.node));
    }
    const name = ts.isPropertyAccessExpression(inner) ? inner.name : inner;
    const named = definitionsOf(symbolAt(name));
    if (named.length > 0) return named;
    const type = checker.getTypeAtLocation(inner);
    const declarations = type.isUnion()
      ? type.types.flatMap((one) => [...one.getCallSignatures(), ...one.getConstructSignatures()])
      : some(checker.getResolvedSignature(node));
    return declarations.flatMap((signature) => some(signature.getDeclaration())).flatMap(calledBy);
  }

  function calledBy(declaration) {
    if (ts.isConstructorDeclaration(declaration)) return some(definitionAt(declaration.parent));
    const symbol = declaration.symbol ?? (declaration.name && checker.getSymbolAtLocation(declaration.name));
    const all =
      ts.isFunctionDeclaration(declaration) || ts.isMethodDeclaration(declaration) ? definitionsOf(symbol) : [];
    return all.length > 0 ? all : some(definitionAt(declaration));
  }

  function symbolAt(name) {
    let symbol = checker.getSymbolAtLocation(name);
    if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
    return symbol;
  }

  function definitionsOf(symbol, depth = 0) {
    const found = [];
    for (const declaration of symbol?.declarations ?? []) {
      if (ts.isShorthandPropertyAssignment(declaration) && depth < 4) {
        let value = checker.getShorthandAssignmentValueSymbol(declaration);
        if (value && value.flags & ts.SymbolFlags.Alias) value = checker.getAliasedSymbol(value);
        found.push(...definitionsOf(value, depth + 1));
        continue;
      }
      // Calling what a getter gives is no call of the getter.
      if (ts.isAccessor(declaration)) continue;
      const definition = definitionAt(declaration);
      if (definition) found.push(definition);
    }
    return found;
  }

  /** The definition that a declaration is: a class, or something with a body, that has a name of its own. */
  function definitionAt(declaration) {
    if (ts.isConstructorDeclaration(declaration)) return definitionAt(declaration.parent);
    if (ts.isClassLike(declaration) || (ts.isFunctionLike(declaration) && declaration.body)) {
      const name = nameNodeOf(declaration);
      return name && { node: declaration, name };
    }
    const value = declaration.initializer ?? (ts.isBinaryExpression(declaration) ? declaration.right : undefined);
    if (
      value === undefined &&
      ts.isPropertyAccessExpression(declaration) &&
      ts.isBinaryExpression(declaration.parent)
    ) {
      return definitionAt(declaration.parent);
    }
    const inner = value && strip(value);
    if (!inner || !(ts.isClassLike(inner) || ts.isFunctionExpression(inner) || ts.isArrowFunction(inner)))
      return undefined;
    const name = nameNodeOf(inner);
    return name && { node: inner, name };
  }

  /** The name that a function or a class goes by: its own, or that of what holds it. */
  function nameNodeOf(node) {
    const isNamed = !ts.isFunctionExpression(node) && !ts.isClassExpression(node) && !ts.isArrowFunction(node);
    if (isNamed && node.name) return plainName(node.name);
    if (isNamed && node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword))
      return { text: "default", at: node };
    let outer = node.parent;
    while (isTransparent(outer)) outer = outer.parent;
    if (ts.isVariableDeclaration(outer) && ts.isIdentifier(outer.name)) return plainName(outer.name);
    if (ts.isPropertyAssignment(outer) || ts.isPropertyDeclaration(outer)) return plainName(outer.name);
    if (ts.isExportAssignment(outer)) return { text: "default", at: outer };
    if (ts.isBinaryExpression(outer) && outer.left.getText() === "module.exports") {
      return node.name ? plainName(node.name) : { text: "default", at: outer };
    }
    if (
      ts.isBinaryExpression(outer) &&
      outer.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
      ts.isPropertyAccessExpression(outer.left)
    ) {
      return plainName(outer.left.name);
    }
    return node.name ? plainName(node.name) : undefined;
  }

  function plainName(name) {
    const isPlain =
      ts.isIdentifier(name) || ts.isPrivateIdentifier(name) || ts.isStringLiteral(name) || ts.isNumericLiteral(name);
    return isPlain ? { text: name.text, at: name } : undefined;
  }

  function callerOf(node) {
    for (let at = node.parent; at; at = at.parent) {
      // What decorates something runs where it is written.
      if (!ts.isFunctionLike(at) && !ts.isClassLike(at)) continue;
      if (ts.isConstructorDeclaration(at) || ts.isClassStaticBlockDeclaration(at)) continue;
      const name = nameNodeOf(at);
      if (name) return placeOf({ node: at, name });
    }
    return null;
  }

  function placeOf({ node, name }) {
    const source = node.getSourceFile();
    const isAccessor = ts.isAccessor(node);
    return { file: pathOf(source), name: name.text, line: lineOf(name.at, source), ...(isAccessor && { isAccessor }) };
  }

  function lineOf(node, source) {
    return source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
  }

  function strip(node) {
    let inner = node;
    while (isTransparent(inner)) inner = inner.expression;
    return inner;
  }

  function isTransparent(node) {
    return (
      ts.isParenthesizedExpression(node) ||
      ts.isAsExpression(node) ||
      ts.isSatisfiesExpression(node) ||
      ts.isNonNullExpression(node) ||
      ts.isTypeAssertionExpression(node)
    );
  }

  function some(value) {
    return value === undefined ? [] : [value];
  }
}
