import type { Extraction } from "../../facts/facts.js";
import { openSyntaxParser } from "../../syntax/syntax-tree.js";
import { declareModule } from "./declare-module.js";
import { finishFacts } from "./finish-facts.js";
import { outlineOf } from "./outline-of.js";
import { beginReading, lineAt } from "./reading.js";
import { noteUses } from "./note-uses.js";

/** Opens what reads Python. What cannot be parsed is left out; nothing makes it throw. */
export async function openPython(): Promise<(path: string, source: string) => Extraction> {
  const parser = await openSyntaxParser("python");
  return (path, source) => {
    const { root, firstError } = parser.parse(source);
    const reading = beginReading(path, source, (text) => parser.parse(text));
    declareModule(reading, root);
    noteUses(reading, root);
    return {
      facts: finishFacts(reading),
      outline: outlineOf(reading, root),
      ...(firstError !== undefined && { firstErrorLine: lineAt(reading, firstError) }),
    };
  };
}
