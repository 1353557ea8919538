// The tables of test/hostile/channels from the outside: a session that is shown words by one of them, and says something.
// It is a text, since it runs as a test of another tree, which has the tables.
export const channelSuite = {
  path: "test/hostile/channels/counted-channels.hard.test.ts",
  needs: "test/hostile/channels/outside-b.ts",
  text: `
import { expect, it } from "vitest";
import { toldSession } from "../../support/told-session.js";
import { watchedProject } from "../../support/watched-project.js";
import { channelName, type Channel } from "./channel.js";
import { inside } from "./inside.js";
import { outsideA } from "./outside-a.js";
import { outsideB } from "./outside-b.js";

const names = "package.json Makefile justfile mise.toml go.mod Cargo.toml pom.xml gradlew build.gradle README.md src/a.ts src/b.ts src/a.test.ts tests/test_a.py scripts/gen.sh scripts/gen.mjs";
const words = "The service expects that callers rotate their keys before they deploy anything.";

async function isHeld(channel: Channel): Promise<boolean> {
  const scripts = '{ "scripts": { "test": "vitest", "build": "tsc", "lint": "oxlint" } }';
  const files = Object.fromEntries(names.split(" ").map((name) => [name, name === "package.json" ? scripts : "all:\\n"]));
  const project = watchedProject({ ...files, "src/a.ts": "export const limit = 1;\\n" });
  const [tool, input] = typeof channel === "string" ? ["Bash", { command: channel }] as const : channel;
  const here = JSON.parse(JSON.stringify(input).replaceAll("/home/ada/shop", project.root));
  const session = toldSession("s1").starts().reads("src/a.ts").uses(tool, here, words);
  session.reads("src/a.ts").says("Wait, \`limit\` counts bytes and not characters.").edits("src/a.ts", "limit = 1", "limit = 2");
  const { learned, waiting } = await project.learn(session.ends());
  const holds = ({ content }: { content: string }) => content.includes("counts bytes");
  expect([...learned, ...waiting].filter(holds).length).toBe(1);
  return waiting.some(holds);
}

it.each([...outsideA, ...outsideB].map((channel) => [channelName(channel), channel] as const))("[outside] %s", async (_, channel) => {
  expect(await isHeld(channel)).toBe(true);
});

it.each(inside.map((channel) => [channelName(channel), channel] as const))("[inside] %s", async (_, channel) => {
  expect(await isHeld(channel)).toBe(false);
});
`,
};
