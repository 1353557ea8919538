import type { ExpressionFact } from "../../facts/facts.js";
import type { SyntaxNode } from "../../syntax/syntax-tree.js";
import { expressionOf } from "./expressions.js";
import type { Reading } from "./reading.js";

// More ways out than these say nothing new.
const most = 4;

/**
 * What calling a function gives, as its body says it: what it returns, or a container of what it yields. Where it was made
 * into a context manager, what it yields itself.
 */
export function returnedBy(reading: Reading, body: SyntaxNode, scope: number, isContext: boolean): ExpressionFact[] {
  const found = { returned: [] as ExpressionFact[], yielded: [] as ExpressionFact[] };
  collect(reading, body, scope, found);
  const { returned, yielded } = found;
  if (yielded.length === 0) return returned.slice(0, most);
  const all = yielded.slice(0, most);
  return isContext ? all : all.map((one): ExpressionFact => ["type", ["array", ["of", one]]]);
}

function collect(
  reading: Reading,
  node: SyntaxNode,
  around: number,
  found: { returned: ExpressionFact[]; yielded: ExpressionFact[] },
): void {
  const scope = reading.scopeOf.get(node) ?? around;
  for (const child of node.children) {
    if (/^(function_definition|class_definition|lambda)$/.test(child.type)) continue;
    const [value] = child.children;
    if (child.type === "return_statement" || child.type === "yield") {
      const at = { reading, scope: reading.scopeOf.get(child) ?? scope };
      const expression = expressionOf(at, value);
      const isDelegated =
        child.type === "yield" && /^yield\s+from\b/.test(reading.source.slice(child.start, child.end));
      const list = child.type === "yield" ? found.yielded : found.returned;
      if (expression) list.push(isDelegated ? ["element", expression] : expression);
    }
    collect(reading, child, scope, found);
  }
}
