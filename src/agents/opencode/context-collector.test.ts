import { expect, it } from "vitest";
import { openContextCollector, type ContextEntry, type Priority } from "./context-collector.js";

it("[J7] gives what was registered once, the most important first; the same id replaces, and what is too much goes", () => {
  const collector = openContextCollector();
  for (const priority of ["low", "high", "critical", "normal"] as const) collector.register("s1", entry(priority));
  collector.register("s1", { ...entry("high"), content: "newer" });
  collector.register("s2", entry("low"));
  for (let n = 0; n < 30; n++) collector.register("s3", { ...entry("normal"), id: `n${n}` });
  collector.register("s3", { ...entry("critical"), id: "last" });
  for (let n = 0; n < 97; n++) collector.register(`t${n}`, entry("low"));

  expect(collector.consume("s1").map(({ priority, content }) => `${priority} ${content}`)).toEqual([
    "critical text",
    "high newer",
    "normal text",
    "low text",
  ]);
  expect(collector.consume("s1")).toEqual([]);
  const many = collector.consume("s3");
  expect(many).toHaveLength(20);
  expect(many[0]?.id).toBe("last");
  collector.register("t97", entry("low"));
  collector.register("t98", entry("low"));
  collector.register("t99", entry("low"));
  expect(collector.consume("s2")).toEqual([]);
  expect(collector.consume("t99")).toHaveLength(1);
});

function entry(priority: Priority): ContextEntry {
  return { id: priority, source: "tacit", content: "text", priority };
}
