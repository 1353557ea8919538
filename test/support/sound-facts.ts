import { expect } from "vitest";
import type { FileFacts, OutlinePart } from "../../src/codegraph/facts/facts.js";

export function expectSound({ symbols, scopes, shapes, uses }: FileFacts): void {
  expect(new Set(symbols.map(({ path }) => path)).size).toBe(symbols.length);
  for (const { parent, scope = -1, start, end } of symbols) {
    expect(parent < symbols.length && scope < scopes.length && start <= end).toBe(true);
  }
  for (const [number, { parent, symbol, shape = -1 }] of scopes.entries()) {
    expect(parent < number && symbol < symbols.length && shape < shapes.length).toBe(true);
  }
  for (const { symbol, scope } of shapes) expect(symbol < symbols.length && scope < scopes.length).toBe(true);
  for (const [, , scope] of uses) expect(scope < scopes.length).toBe(true);
}

export function expectInOrder(parts: readonly OutlinePart[], within = { start: 0, end: Infinity }): void {
  let last = within.start - 1;
  for (const part of parts) {
    expect(part.start > last && part.end >= part.start && part.end <= within.end).toBe(true);
    last = part.end;
    expectInOrder(part.parts ?? [], part);
  }
}
