import { createRequire } from "node:module";

/**
 * A package.json or a tsconfig.json, comments, trailing commas and all; undefined for what is no object. The parser is loaded
 * by the first that needs it: 18 ms, which who only asks for the language of a file would wait for as well (2026-11).
 */
export function parseJsonc(text: string): Record<string, unknown> | undefined {
  const { parse } = createRequire(import.meta.url)("jsonc-parser") as typeof import("jsonc-parser");
  return asObject(parse(text, [], { allowTrailingComma: true }));
}

export function asObject(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
}
