import type { Call } from "../observer.js";
import { shorten } from "./wording.js";

/**
 * What a search looks for, without the way in which it is written, so that two searches for the same are the same;
 * undefined where it looks for nothing in particular.
 *
 * @example
 * searchKey({ pattern: "function\\s+openStore\\(", by: "text" }) // "openstore"
 * searchKey({ pattern: "**\/open-store*.ts", by: "name" })       // "open-store"
 * searchKey({ pattern: "TODO", by: "text" })                     // undefined
 */
export function searchKey(search: NonNullable<Call["search"]>): string | undefined {
  const bare = wholeKey(search);
  const words = bare.match(/[\p{L}\p{N}]+/gu) ?? [];
  const telling = words.filter((word) => word.length >= 3 && !common.has(word) && !/^\d+$/.test(word));
  return telling.length > 0 && bare.length >= 4 ? bare : undefined;
}

/** The same for anything that can be searched for, `TODO` included. */
export function wholeKey({ pattern, by }: NonNullable<Call["search"]>): string {
  const key = `${by} ${pattern}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const bare = bareSearch(pattern, by).toLowerCase();
  if (known.size >= maxKnown) known.clear();
  known.set(key, bare);
  return bare;
}

// Three signals ask about every search of a session, and each takes 20 µs to take apart.
const known = new Map<string, string>();
const maxKnown = 2000;

/** What a search looks for as it is shown: the name in it, with its capitals. */
export function bareSearch(pattern: string, by: "text" | "name"): string {
  // Most searches are for a plain name.
  if (/^[\w-]{1,200}$/.test(pattern)) return pattern.replace(declaration, "").trim();
  const text = shorten(pattern, 200);
  if (by === "name") {
    const parts = text.replace(/\.(?:\w+|\{[^}]*\}|\*)$/, "").split(/[/\\]|\*+/);
    return parts.filter((part) => part !== "" && part !== ".").join(" ");
  }
  const alternatives = text.split("|").map((part) =>
    part
      .replace(/\(\?[:!=<]+/g, " ")
      .replace(/\\[bBAzZsSwWdD][*+?]*/g, " ")
      .replace(/\\(.)/g, "$1")
      .replace(/\[[^\]]*\][*+?]*|\{\d*,?\d*\}/g, " ")
      .replace(/[.*+?^$()"'`{}=;]+/g, (signs) => (signs === "." ? "." : " "))
      .replace(declaration, " ")
      .replace(/\s+/g, " ")
      .trim(),
  );
  return [...new Set(alternatives.filter((part) => part !== ""))].toSorted().join(" | ");
}

/** Words that stand before what is looked for: where it is declared, not what it is. */
const declaration =
  /(?<![\w-])(?:export|default|async|function|func|fn|def|class|interface|type|const|let|var|enum|struct|trait|impl|public|private|static|new|import|from|return|await)(?![\w-])/g;

/** Words that every project is full of. */
const common: ReadonlySet<string> = new Set(
  (
    "todo fixme hack xxx import imports export exports from require include function func def class interface type types " +
    "const let var enum struct return async await new this self super extends implements public private static void " +
    "null undefined none true false string number boolean int bool object array list map set get put post delete patch " +
    "error errors warn warning info debug log logger console print println throw catch try finally raise panic assert " +
    "test tests spec describe expect should mock before after each beforeeach aftereach beforeall afterall " +
    "main index app src lib name value data key keys item items result results config options params args props state " +
    "use using with and for while else case switch break continue default module package version file path url http https " +
    "the not are has"
  ).split(" "),
);
