import type { Extraction } from "../../facts/facts.js";
import { createDraft, finish } from "./draft.js";
import type { Program } from "./estree.js";
import { readExpression } from "./expressions.js";
import { mayLeadSomewhere } from "./may-lead-somewhere.js";
import { readObject } from "./read-object.js";
import { outlineOf } from "./outline-of.js";
import { readStatement, readStatements } from "./statements.js";

// As deep as the tree-sitter tree goes. An expression takes three frames of the stack a level, and 400 levels a third of it.
const deepest = 400;

/** Makes facts and the outline of a parsed file. What is nested deeper than anyone writes is left out. */
export function extract({ body, firstError }: Program, source: string): Extraction {
  const lineOf = countLines(source);
  const draft = createDraft(source, lineOf);
  let depth = 0;
  draft.readExpression = (node, scope) => {
    if (depth >= deepest) return null;
    depth += 1;
    const expression = readExpression(draft, node, scope);
    depth -= 1;
    return expression;
  };
  draft.readObject = (node, scope, inside, expected) => readObject(draft, node, scope, inside, expected);
  draft.readStatement = (node, scope) => {
    if (depth >= deepest) return;
    depth += 1;
    readStatement(draft, node, scope);
    depth -= 1;
  };
  draft.readStatements = (nodes, scope) => {
    if (depth >= deepest) return;
    depth += 1;
    readStatements(draft, nodes, scope);
    depth -= 1;
  };
  draft.readStatements(body, 0);
  draft.uses = draft.uses.filter((use) => mayLeadSomewhere(draft, use));
  return {
    facts: finish(draft),
    outline: outlineOf(body, lineOf),
    ...(firstError !== undefined && { firstErrorLine: lineOf(firstError) }),
  };
}

/** Which line a place is on, from 1. Mostly asked from the top down, so the last answer is where looking begins. */
function countLines(source: string): (place: number) => number {
  const starts = [0];
  for (let at = source.indexOf("\n"); at >= 0; at = source.indexOf("\n", at + 1)) starts.push(at + 1);
  let last = 0;
  return (place) => {
    if (place >= (starts[last] ?? 0) && place < (starts[last + 1] ?? Infinity)) return last + 1;
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= place) low = middle;
      else high = middle - 1;
    }
    last = low;
    return low + 1;
  };
}
