import type { SyntaxNode } from "../../syntax/syntax-tree.js";
import type { ScopeContext } from "./expressions.js";
import type { Reading } from "./reading.js";

/** Where a statement stands while what it declares is noted. */
export interface StatementContext {
  reading: Reading;
  /** Notes what a node declares; given along because definitions hold statements, and statements definitions. */
  declare: (place: StatementContext, node: SyntaxNode) => void;
  scope: number;
  /** What it is written in. */
  symbol: number;
  /** Of the class, directly in the body of one; else -1. */
  shape: number;
  /** In a method, and whatever is inside of it: how it calls its object. */
  self?: { name: string; shape: number; isFirst: boolean };
  block: SyntaxNode;
  /** Below `if TYPE_CHECKING:`. */
  isTypeOnly?: true;
}

export function scopeContext({ reading, scope }: StatementContext): ScopeContext {
  return { reading, scope };
}

export function declareAll(place: StatementContext, nodes: readonly SyntaxNode[]): void {
  for (const node of nodes) place.declare(place, node);
}
