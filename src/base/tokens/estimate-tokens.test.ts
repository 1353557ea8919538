import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { loadTokenCounter } from "./count-tokens.js";
import { estimateTokens } from "./estimate-tokens.js";

describe("estimateTokens", () => {
  it.each([
    ["a document", readFileSync(new URL("../../../README.md", import.meta.url), "utf8"), 0, 0.25],
    ["a program", readFileSync(new URL("../text/words.ts", import.meta.url), "utf8"), 0, 0.25],
    ["a gotcha", "The payments service must be restarted after migrations: the pool caches statements.", 0, 0.4],
    ["a coupling", "When src/billing/invoice.ts changes, test/billing/invoice.test.ts must change too.", 0, 0.4],
    ["an error", "EADDRINUSE: address already in use :::3000. Kill the stale dev server first.", 0, 0.4],
    ["JSON", JSON.stringify({ id: "019a2b", tags: ["a", "b"], n: [1, 2, 44.5], deep: { t: true } }, null, 2), 0, 0.4],
    ["Chinese", "请在部署之前备份数据库，否则用户的订单可能会丢失。", 0, 0.6],
    ["Russian", "Перед развертыванием сделайте резервную копию базы данных.", 0, 0.6],
    ["hashes", Array.from({ length: 9 }, (_, n) => sha1(n)).join("\n"), -0.1, 0.4],
    ["mixed signs", ")(*&^%$#@!~{}[]<>?/|".repeat(10), -0.2, 0.4],
    ["emoji", "🚀 deployed ✅ 👩‍👩‍👧 ⚠️ careful", -0.1, 0.6],
  ])("says about as much of %s as the counter, and hardly less", async (_what, text, least, most) => {
    const real = (await loadTokenCounter())(text);

    const share = estimateTokens(text) / real - 1;

    expect(share).toBeGreaterThanOrEqual(least);
    expect(share).toBeLessThanOrEqual(most);
  });

  it("takes no longer than the text is long, whatever it is made of", () => {
    for (const text of ["a", "A", " ", "\n", "-", "é", "💣", "\u0301", "1", "库", "aB"]) {
      const started = performance.now();

      expect(estimateTokens(text.repeat(64 * 1024))).toBeGreaterThan(0);
      expect(performance.now() - started).toBeLessThan(1000);
    }
  });

  it("says 0 of nothing", () => {
    expect(estimateTokens("")).toBe(0);
  });
});

function sha1(n: number): string {
  return createHash("sha1").update(String(n)).digest("hex");
}
