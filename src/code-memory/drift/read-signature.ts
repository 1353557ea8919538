import { behind, depthsOf, hasHashComments, isWord, spell } from "./tokens.js";

export interface Parameter {
  name: string;
  /** Where one is stated. */
  type?: string;
  default?: string;
  isOptional?: true;
}

/** How something is called. */
export interface Signature {
  parameters: Parameter[];
  returns?: string;
  isAsync?: true;
}

/**
 * How the definition in these tokens is called, up to its body; undefined where it has no parameters in brackets.
 *
 * @example readSignature(tokensOf("async function retry(times: number): Promise<void> {", "a.ts"), "retry", "a.ts")
 * // { parameters: [{ name: "times", type: "number" }], returns: "Promise<void>", isAsync: true }
 */
export function readSignature(tokens: readonly string[], name: string, file: string): Signature | undefined {
  const nameAt = tokens.indexOf(name);
  if (nameAt < 0) return undefined;
  const before = tokens.slice(startOf(tokens, nameAt), nameAt);
  const arrowAt = arrowOfOne(tokens, nameAt);
  const open = arrowAt === undefined ? findOpening(tokens, nameAt + 1) : undefined;
  if (open === undefined && arrowAt === undefined) return undefined;
  const end = open === undefined ? (arrowAt as number) : behind(tokens, open);
  const inside = open === undefined ? tokens.slice((arrowAt as number) - 1, arrowAt) : tokens.slice(open + 1, end - 1);
  const between = tokens.slice(nameAt + 1, open ?? arrowAt);
  const isArrow = between.includes("=") || between.includes(":");
  const result = hasHashComments(file) ? annotationAt(tokens, end) : returnsAt(tokens, end, isArrow);
  const returns = [...withoutModifiers(before), ...result];
  return {
    parameters: splitAt(inside, ",").flatMap(readParameter),
    ...(returns.length > 0 && { returns: spell(returns) }),
    ...([...before, ...between].includes("async") && { isAsync: true }),
  };
}

/** Several things may be written in one line: the last bracket or semicolon before the name ends what is not its own. */
function startOf(tokens: readonly string[], nameAt: number): number {
  for (let at = nameAt - 1; at >= 0; at -= 1) if (["{", "}", ";"].includes(tokens[at] as string)) return at + 1;
  return 0;
}

/** `name = async times => …`: where the arrow stands. */
function arrowOfOne(tokens: readonly string[], nameAt: number): number | undefined {
  const equals = nameAt + 1;
  if (tokens[equals] !== "=") return undefined;
  const at = tokens[equals + 1] === "async" ? equals + 2 : equals + 1;
  return isWord(tokens[at]) && tokens[at + 1] === "=>" ? at + 1 : undefined;
}

function findOpening(tokens: readonly string[], from: number): number | undefined {
  const depths = depthsOf(tokens.slice(from));
  for (let at = from; at < tokens.length; at += 1) {
    if (depths[at - from] === 0 && tokens[at] === "(") return at;
    if (depths[at - from] === 0 && ["{", ";", "}"].includes(tokens[at] as string)) return undefined;
  }
  return undefined;
}

// What stands before a name and says nothing of what it gives.
const modifiers = new Set(
  (
    "export default declare public private protected internal static abstract final override virtual sealed readonly " +
    "async function def fn func fun const let var pub unsafe extern inline constexpr synchronized native open suspend get set"
  ).split(" "),
);

/** Without decorators, attributes and what is in brackets, such as the receiver of a method in Go. */
function withoutModifiers(tokens: readonly string[]): string[] {
  const left: string[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at] as string;
    if (token === "(" || token === "[") at = behind(tokens, at) - 1;
    else if (token === "@" || token === "#") {
      while (tokens[at + 2] === "." && isWord(tokens[at + 3])) at += 2;
      if (isWord(tokens[at + 1])) at += 1;
    } else if (!modifiers.has(token)) left.push(token);
  }
  return left;
}

/** What Python says of the result: from the arrow to the colon, behind which the body begins. */
function annotationAt(tokens: readonly string[], from: number): string[] {
  if (tokens[from] !== "->") return [];
  const after = tokens.slice(from + 1);
  const depths = depthsOf(after);
  const colon = after.findIndex((token, at) => token === ":" && depths[at] === 0);
  return colon < 0 ? [] : after.slice(0, colon);
}

/** What is said of the result between the parameters and the body, in languages whose bodies stand in braces. */
function returnsAt(tokens: readonly string[], from: number, isArrow: boolean): string[] {
  const isStated = tokens[from] === ":" || tokens[from] === "->";
  const returns: string[] = [];
  for (let at = isStated ? from + 1 : from; at < tokens.length; at += 1) {
    const token = tokens[at] as string;
    const last = returns.at(-1);
    // Where a type has to follow, a brace belongs to it.
    const isOpen = last === undefined ? isStated : ["|", "&", "=>", "<", ",", "is", "keyof"].includes(last);
    if ([";", "}", "=", "where", "throws"].includes(token)) break;
    if (token === "=>" && (isArrow || !isStated)) break;
    if (token === "{" && !isOpen) break;
    const end = ["(", "[", "{"].includes(token) ? behind(tokens, at) : at + 1;
    returns.push(...tokens.slice(at, end));
    at = end - 1;
  }
  return returns;
}

export function splitAt(tokens: readonly string[], sign: string): string[][] {
  const depths = depthsOf(tokens);
  const parts: string[][] = [[]];
  tokens.forEach((token, at) => {
    if (token === sign && depths[at] === 0) parts.push([]);
    else parts.at(-1)?.push(token);
  });
  return parts.filter((part) => part.length > 0);
}

const ofParameters = new Set(["public", "private", "protected", "readonly", "final", "override"]);
const receivers = new Set(["self", "cls", "this", "&self", "&mut self", "mut self"]);

function readParameter(tokens: readonly string[]): Parameter[] {
  const own = tokens.filter((token) => !ofParameters.has(token));
  const depths = depthsOf(own);
  const find = (sign: string) => own.findIndex((token, at) => token === sign && depths[at] === 0);
  const equals = find("=");
  const core = equals < 0 ? own : own.slice(0, equals);
  const colon = find(":");
  const named = colon < 0 || colon >= core.length ? core : core.slice(0, colon);
  const isMarked = named.at(-1) === "?";
  const name = spell(isMarked ? named.slice(0, -1) : named);
  if (receivers.has(name)) return [];
  const isOptional = isMarked || equals >= 0 || ["...", "*", "**", "/"].includes(named[0] ?? "");
  return [
    {
      name,
      ...(colon >= 0 && colon < core.length && { type: spell(core.slice(colon + 1)) }),
      ...(equals >= 0 && { default: spell(own.slice(equals + 1)) }),
      ...(isOptional && { isOptional }),
    },
  ];
}
