import type { ShapeFact, SymbolFact } from "../facts/facts.js";
import type { EdgeList } from "./edge-list.js";
import type { FileLinking } from "./linking-context.js";
import type { SourceFile } from "./source-file.js";
import { definitionsOf, lastNameOf, namesOfType } from "./scip-answers.js";

/**
 * Adds what an index says that symbols extend and implement. It names everything above a class, near or far: of a class
 * whose facts say what it extends, only that counts.
 */
export function addImplemented(linking: FileLinking, place: SourceFile, list: EdgeList): void {
  const { scip } = linking.sources;
  if (!scip || scip.implemented.length === 0) return;
  const found = new Map(
    list.edges().flatMap(({ kind, from, toFile, to }): [string, Above][] => {
      return kind === "extends" || kind === "implements" ? [[`${from}\n${toFile}\n${to}`, kind]] : [];
    }),
  );
  for (const [path, ...numbers] of scip.implemented) {
    const at = place.symbolsByPath.get(path) ?? -1;
    const from = place.facts.symbols[at];
    if (!from) continue;
    const shape = place.facts.shapes[place.shapeOf.get(at) ?? -1];
    for (const { place: above, symbol } of definitionsOf(linking, scip, numbers) ?? []) {
      const known = found.get(`${path}\n${above.path}\n${symbol.path}`);
      const kind = known ?? (shape ? writtenAs(shape, symbol.name) : kindBetween(from, symbol));
      if (kind && symbol !== from) list.add({ from: path, kind, line: from.start }, "precise", above.path, symbol);
    }
  }
}

type Above = "extends" | "implements";

/** As what a class names another that is above it; undefined where it does not, because there is one between them. */
function writtenAs(shape: ShapeFact, name: string): Above | undefined {
  const parents = (shape.extends ?? []).map((one) => (one[0] === "type" ? namesOfType(one[1])[0] : lastNameOf(one)));
  if (parents.includes(name)) return "extends";
  return (shape.implements ?? []).some((one) => namesOfType(one)[0] === name) ? "implements" : undefined;
}

function kindBetween(from: SymbolFact, to: SymbolFact): Above {
  const isOfOneKind = from.kind === "interface" || (from.kind === "class" && to.kind === "class");
  return isOfOneKind ? "extends" : "implements";
}
