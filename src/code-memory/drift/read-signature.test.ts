import { describe, expect, it } from "vitest";
import { compareSignatures, tellSignatures } from "./compare-signatures.js";
import { readSignature, type Signature } from "./read-signature.js";
import { tokensOf } from "./tokens.js";

describe("a signature", () => {
  it.each<[file: string, source: string, told: string]>([
    [
      "a.ts",
      "export async function f(a: string, b = 2, ...rest: number[]): Promise<{ x: 1 }> { return a }",
      "f(a: string, b = 2, ...rest: number[]): Promise<{x: 1}> (async)",
    ],
    [
      "a.ts",
      "const f = async <T>(a: Map<string, T>, b?: number) => ({ a, b });",
      "f(a: Map<string, T>, b?: number) (async)",
    ],
    ["a.ts", "const f = a => a * 2", "f(a)"],
    [
      "a.ts",
      "  f(a: string /* why */, // and\n    { limit, offset }: Page = {}): void | { x: 1 } {\n",
      "f(a: string, {limit, offset}: Page = {}): void | {x: 1}",
    ],
    [
      "a.ts",
      "@logged('x') private static f(private readonly a: string): string { return '(' }",
      "f(a: string): string",
    ],
    [
      "a.py",
      "@cached\nasync def f(self, a: dict[str, int] = {}, *args, key=None) -> list[int]:  # why\n    return a",
      "f(a: dict[str, int] = {}, *args, key = None): list[int] (async)",
    ],
    ["a.py", "def f(a):\n    x = { 'a': 1 }\n    return x", "f(a)"],
    [
      "a.go",
      "func (s *Store) f(ctx Context, key string) (string, error) {",
      "f(ctx Context, key string): (string, error)",
    ],
    [
      "A.java",
      "@Override public static List<String> f(final String a, int b) throws IOException {",
      "f(String a, int b): List<String>",
    ],
    [
      "a.rs",
      "pub fn f<'a>(&self, key: &'a str) -> Option<&'a str> where Self: Sized {",
      "f(key: &'a str): Option<&'a str>",
    ],
    ["a.cs", 'public async Task<int> f(string a = "x") => 5;', 'f(string a = "x"): Task<int> (async)'],
  ])("is read in %s: %s", (file, source, told) => {
    const signature = readSignature(tokensOf(source, file), "f", file) as Signature;

    expect(wholeOf(signature)).toBe(told);
  });
});

function wholeOf(signature: Signature): string {
  // Against one with the same names, so that all of it is told.
  const { parameters } = signature;
  return tellSignatures("f", { parameters, returns: "something else" }, signature)[1];
}

describe("a signature that changed", () => {
  it.each<[change: ReturnType<typeof compareSignatures>, before: string, now: string]>([
    ["same", "f(a, b)", "f(\n  a: string,\n  b,\n)"],
    ["same", "f(a: string): void", "f(a: string)"],
    ["same", "f(a: Linking): Row[]", "f(a: FileLinking): Entry[]"],
    ["same", "f({ limit }: Page)", "f(page: Page)"],
    ["wider", "f(a)", "f(a, b = 1)"],
    ["wider", "f(a, b)", "f(a, b?)"],
    ["wider", "f({ limit })", "f({ limit, offset })"],
    ["wider", "f({ a }: { a?: 1 } = {})", "f({ a, b }: { a?: 1; b?: 2 } = {})"],
    ["other", "f(a)", "f(a, b)"],
    ["other", "f(a, b)", "f(a)"],
    ["other", "f(a, b)", "f(b, a)"],
    ["other", "f(a: string)", "f(a: number)"],
    ["other", "f(a: Named): void", "f(a: Other): void"],
    ["other", "f(a = 1)", "f(a = 2)"],
    ["other", "f(a?)", "f(a)"],
    ["other", "f(): string", "f(): number"],
    ["other", "f()", "async f()"],
  ])("is %s for whoever calls it: %s, %s", (change, ...sources) => {
    const [before, now] = sources.map((source) => readSignature(tokensOf(`${source} {`, "a.ts"), "f", "a.ts"));

    expect(compareSignatures(before as Signature, now as Signature, "It takes a Named.")).toBe(change);
  });
});
