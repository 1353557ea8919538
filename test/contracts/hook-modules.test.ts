import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

interface HookModules {
  inside: string[];
  apart: string[];
}

const lists = "../../scripts/hook-modules.mjs";
const { hookModules } = (await import(lists)) as { hookModules: Record<string, HookModules> };

describe.each(Object.entries(hookModules))("the bundle of %s", (entry, { inside, apart }) => {
  it("lists its modules in order, each once and each there", () => {
    for (const list of [inside, apart]) {
      expect(list).toEqual([...new Set(list)].toSorted());
      expect(list.filter((path) => !existsSync(join(import.meta.dirname, "..", "..", path)))).toEqual([]);
    }
    expect(inside).toContain(entry);
    expect(inside.filter((path) => apart.includes(path))).toEqual([]);
  });

  it("holds no secret rules, no model and no parser: an agent waits for it at every tool call", () => {
    const heavy = new Set([
      "src/config/read-config.ts",
      "src/embedding/store-embedding.ts",
      "src/hygiene/secrets/redact-secrets.ts",
      "src/index.ts",
    ]);

    expect(inside.filter((path) => heavy.has(path))).toEqual([]);
  });
});
