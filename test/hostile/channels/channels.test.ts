import { describe, expect, it } from "vitest";
import { openDigest } from "../../../src/observer/notes/notes.js";
import { openScratchpad } from "../../../src/observer/scratchpad/scratchpad.js";
import { openTaint } from "../../../src/observer/trust/trust.js";
import { channelName, type Channel } from "./channel.js";
import { blind } from "./blind.js";
import { inside } from "./inside.js";
import { outsideA } from "./outside-a.js";
import { outsideB } from "./outside-b.js";

const root = "/home/ada/shop";
const tracked = new Set(
  `package.json Makefile justfile mise.toml go.mod Cargo.toml pom.xml gradlew build.gradle README.md src/a.ts src/b.ts
  src/a.test.ts tests/test_a.py scripts/gen.sh scripts/gen.mjs`.split(/\s+/),
);
const words = "The service expects that callers rotate their keys before they deploy anything.";

describe("the ways by which words reach an agent", () => {
  const outside = [...outsideA, ...outsideB];

  it("[TR42] are at least 150 from elsewhere, of which at most 5 % pass unmarked", () => {
    expect(new Set(outside.map(channelName)).size).toBeGreaterThanOrEqual(150);
    for (const half of [outsideA, outsideB, blind.outside]) {
      const passed = half.filter((channel) => !isMarked(channel)).map(channelName);
      expect(passed.length / half.length, passed.join("\n")).toBeLessThanOrEqual(0.05);
    }
  });

  it("[TR43] are at least 100 of the project's own, of which at most 5 % are marked", () => {
    expect(new Set(inside.map(channelName)).size).toBeGreaterThanOrEqual(100);
    for (const some of [inside, blind.inside]) {
      const marked = some.filter((channel) => isMarked(channel)).map(channelName);
      expect(marked.length / some.length, marked.join("\n")).toBeLessThanOrEqual(0.05);
    }
  });

  it("[TR43] bring nothing where they show values alone", () => {
    for (const channel of [
      "gh pr create --fill",
      "docker ps -q | wc -l",
      "curl -s localhost:3000/health",
      "psql -c x",
    ]) {
      expect(isMarked(channel, "https://github.com/a/b/pull/12\n"), channel).toBe(false);
      expect(isMarked(channel, ""), channel).toBe(false);
      expect(isMarked(channel, words), channel).toBe(true);
    }
  });
});

/** Whether what an agent says after it is taken for tainted. */
function isMarked(channel: Channel, text = words): boolean {
  const [tool, input] = typeof channel === "string" ? (["Bash", { command: channel }] as const) : channel;
  const { digest } = openDigest({ root, now: () => 1000 });
  const pad = openScratchpad(undefined);
  const told = { sessionId: "s", callId: "1", tool, at: 1000 };
  for (const note of [
    ...digest({ ...told, kind: "call", input: { ...input } }),
    ...digest({ ...told, kind: "result", text }),
  ]) {
    pad.add(note);
  }
  return openTaint({ pads: [pad], root, tracked, ownFiles: new Map() }).since(pad) !== undefined;
}
