import type { ExpressionFact } from "../../facts/facts.js";
import type { SyntaxNode } from "../../syntax/syntax-tree.js";
import { elementOf, positional, stringValue, type ScopeContext } from "./expressions.js";
import { part, scopeAt, textOf, type Reading } from "./reading.js";

// pytest looks in the folders above too; deeper trees of tests than this are rare.
const maxFolders = 3;
// What pytest itself and its best known plugins bring.
const brought =
  /^(request|monkeypatch|tmp_path|tmpdir|tmp_path_factory|tmpdir_factory|cap(sys|fd|log)(binary)?|recwarn|pytestconfig|mocker|cache|benchmark)$/;

/**
 * What a parameter of a test stands for, in pytest: what the fixture of its name gives, of the file itself or of the
 * `conftest.py` nearest to it. What `parametrize` fills in is
 * one of its values. Undefined outside of tests.
 */
export function fixturesOf(
  at: ScopeContext,
  name: string,
  decorators: readonly SyntaxNode[],
): ((index: number, parameter: string) => ExpressionFact | null) | undefined {
  const { reading } = at;
  if (!/(^|\/)(test_[^/]*|[^/]*_test|conftest)\.py$/.test(reading.path)) return undefined;
  if (!name.startsWith("test") && !isFixture(reading, decorators)) return undefined;
  const filledIn = new Map(decorators.flatMap((decorator) => parametersIn(reading, decorator)));
  return (_, parameter) => {
    if (filledIn.has(parameter)) return elementOf(at, filledIn.get(parameter));
    return brought.test(parameter) ? null : fixtureCalled(reading, parameter, parameter === name);
  };
}

export function isFixture(reading: Reading, decorators: readonly SyntaxNode[]): boolean {
  return decorators.some((decorator) => /^@\s*([\w.]+\.)?(fixture|yield_fixture)\b/.test(textOf(reading, decorator)));
}

function fixtureCalled(reading: Reading, name: string, isItself: boolean): ExpressionFact | null {
  const [, folder = "", file = ""] = /^(?:(.*)\/)?([^/]*)\.py$/.exec(reading.path) ?? [];
  const own = isItself ? undefined : scopeAt(reading, 0).names.get(name);
  const from = own?.imports[0]?.specifier;
  if (from !== undefined) return called(from, name);
  if (own?.symbol !== undefined && reading.fixtures.has(own.symbol)) return called(`.${file}`, name);
  const depth = folder === "" ? 1 : folder.split("/").length + 1;
  const dots = Array.from({ length: Math.min(depth, maxFolders) }, (_, up) => ".".repeat(up + 1));
  const above = dots.slice(file === "conftest" ? 1 : 0).map((up) => called(`${up}conftest`, name));
  return above.length > 1 ? ["either", above] : (above[0] ?? null);
}

function called(specifier: string, name: string): ExpressionFact {
  return ["call", ["member", ["module", specifier], name]];
}

/** The names in `@pytest.mark.parametrize("a, b", values)`; where there is one, with the values. */
function parametersIn(reading: Reading, { children: [call] }: SyntaxNode): [string, SyntaxNode | undefined][] {
  const callee = call?.type === "call" ? part(call, "function") : undefined;
  if (!call || !callee || !textOf(reading, callee).endsWith("parametrize")) return [];
  const [first, values] = positional(call);
  const texts = [first, ...(first?.children ?? [])].map((node) => stringValue(reading, node) ?? "");
  const names = texts.flatMap((text) => text.split(",")).map((name) => name.trim());
  const known = names.filter((name) => name !== "");
  return known.map((name) => [name, known.length === 1 ? values : undefined]);
}
