// Transcripts as they are after crashes, of other versions, and of nobody knows what: read as far as they go.
import { expect, it } from "vitest";
import { megabyte, telling, within, streamOf, openProject } from "../support/damaged-transcript.js";

const damages: [name: string, damage: (lines: string[]) => (string | Buffer)[], skipped: string[]][] = [
  ["a last line that was cut", (lines) => [...lines.slice(0, -1), lines.at(-1)?.slice(0, 60) ?? ""], ["cut off"]],
  ["a line in the middle that was cut", (lines) => within(lines, '{"type":"assistant","mess\n'), ["not JSON"]],
  ["binary data", (lines) => within(lines, Buffer.from([0x7b, 0xff, 0xfe, 0, 1, 2, 0x0a])), ["not UTF-8"]],
  [
    "an unknown kind of entry",
    (lines) => within(lines, '{"type":"hologram","x":1}\n'),
    ['of the unknown type "hologram"'],
  ],
  ["entries of the wrong type", (lines) => within(lines, '42\n"a"\n[]\nnull\n{"type":7}\n'), ["without a type"]],
  [
    "a line of 20 MB",
    (lines) => within(lines, `{"type":"user","x":"${"x".repeat(20 * megabyte)}"}\n`),
    ["longer than 8 MB"],
  ],
  ["fields of wrong types", (lines) => within(lines, wrongFields), []],
  ["empty lines", (lines) => within(lines, "\n\n  \n\r\n"), []],
];

it.each(damages)(
  "[O9] reads past %s, learns from the rest and says what it skipped",
  async (_name, damage, reasons) => {
    const { memory, root } = await openProject();
    const lines = telling("s1", root).lines();

    const { sessions, transcript } = await memory.sessions.replay(streamOf(damage(lines)));

    expect(sessions.map(({ sessionId }) => sessionId)).toEqual(["s1"]);
    expect(sessions[0]?.learned.map(({ content }) => content)).toEqual([expect.stringContaining("`retryLimit`")]);
    const told = new Set(transcript.skipped.map(({ reason }) => reason));
    expect(reasons.filter((reason) => !told.has(reason))).toEqual([]);
    expect(transcript.skipped.every(({ count, firstLine }) => count > 0 && firstLine > 0)).toBe(true);
  },
);

it.each([
  ["nothing", []],
  ["empty lines only", ["\n\n\n"]],
  ["a picture", [Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"), Buffer.alloc(5 * megabyte, 0x80)]],
  ["another program's log", ["2026-11-01 started\n2026-11-01 ended\n"]],
  ["a line without an end", ["x".repeat(30 * megabyte)]],
])("[O9] learns nothing from %s, and does not mind", async (_name, pieces) => {
  const { memory } = await openProject();

  const { sessions, transcript } = await memory.sessions.replay(streamOf(pieces));

  expect(sessions).toEqual([]);
  expect(transcript.events).toBe(0);
  expect(await memory.list({ status: "any" })).toEqual([]);
});

it("[O9] keeps what it read when the source breaks off", async () => {
  const { memory, root } = await openProject();
  const broken = async function* broken() {
    yield Buffer.from(telling("s1", root).lines().join("\n"));
    await Promise.resolve();
    throw new Error("the disk is gone");
  };

  const { sessions, transcript } = await memory.sessions.replay(broken());

  expect(sessions.map(({ sessionId }) => sessionId)).toEqual(["s1"]);
  expect(transcript.skipped.map(({ reason }) => reason)).toContain("could not be read any further");
});

const wrongFields = [
  { type: "assistant", sessionId: "s1", message: null },
  { type: "assistant", sessionId: "s1", message: { content: { type: "tool_use" } } },
  {
    type: "assistant",
    sessionId: "s1",
    message: { content: [null, 7, "x", [], { type: "tool_use", id: 5, name: {}, input: "x" }] },
  },
  { type: "user", sessionId: "s1", message: { content: [{ type: "tool_result", tool_use_id: {}, content: 12 }] } },
  { type: "user", sessionId: "s1", timestamp: "the day before", cwd: 12, message: { content: 12 } },
  { type: "user", sessionId: "s1", timestamp: 1e300, isSidechain: "no", agentId: [], message: 7 },
]
  .map((entry) => `${JSON.stringify(entry)}\n`)
  .join("");
