import { describe, expect, it } from "vitest";
import { cleanText } from "../../hygiene/hygiene.js";
import type { Note } from "../observer.js";
import { needsRedaction, redactNote } from "./redact-note.js";

const prompt = (text: string): Note => ({ kind: "prompt", at: 1, text });
const random = "q7Zk2Vx9Lm4Rt8Wp1Yc6";

describe("redacting a note", () => {
  it.each([
    "the password for staging is hunter2hunter2",
    "password=hunter2",
    "API_KEY: 'abc123def456'",
    "export TOKEN=abcdef123456",
    "--token abcdef123456ghijkl",
    `our key is ${random}`,
    `use ghp_${random}${random}`,
    `sk-ant-${random}`,
    "xoxb-1234567890-abc",
    "AKIAIOSFODNN7EXAMPLZ",
    "postgres://bob:hunter2@db/app",
    "curl -u bob:hunter2 https://example.org",
    "mysql -u root -pHunter2x9 app",
    "Authorization: Bearer q7Zk2Vx9Lm4Rt8Wp1Yc6",
    "login with bob/Hunter2!x",
    "PIN: 1234",
    "<private>my name</private>",
    "zero\u200Bwidth",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA",
    `acme_live_${random}aB`,
    "echo hunter22 | sudo -S ls",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-def",
  ])("is needed for %j", async (text) => {
    expect((await cleanText(text, "text")).text, "the rules find it").not.toBe(text);
    expect(needsRedaction(prompt(text))).toBe(true);
    expect(await redactNote(prompt(text))).toEqual(prompt((await cleanText(text, "text")).text));
  });

  it.each<Note>([
    prompt("Fix the failing test in src/auth/tokens.ts, please. It passes locally."),
    prompt("Why does `getUserById` throw? — it should not."),
    {
      kind: "call",
      at: 1,
      call: "toolu_01AbCdEfGhIjKlMnOpQrStUv",
      tool: "mcp__long_server_name__long_tool_name",
      does: "edit",
      files: ["src/password-reset/token-store.test.ts", "docs/2026-11-02-notes.md"],
      edit: { pairs: [["0123456789ab", "ba9876543210"]], lines: 3 },
    },
    {
      kind: "call",
      at: 1,
      call: "1",
      tool: "Bash",
      does: "run",
      command: {
        line: "npx vitest run src/observer/notes/redact-note.test.ts 2>&1 | tail -20",
        name: "vitest",
        purpose: "test",
      },
    },
    {
      kind: "result",
      at: 1,
      call: "1",
      bytes: 3,
      failed: true,
      error: {
        kind: "TypeError",
        message: "TypeError: x is not a function",
        fingerprint: "0123456789abcdef",
        file: "src/a.ts",
      },
    },
  ])("is not needed for %j", (note) => {
    expect(needsRedaction(note)).toBe(false);
  });

  it("leaves ids and marks alone, and drops what may not be kept", async () => {
    const note: Note = {
      kind: "call",
      at: 1,
      call: `id-${random}${random}`,
      tool: "Bash",
      does: "run",
      command: { line: "login --password hunter2", name: "login", purpose: "other" },
      files: ["a.ts", `token=\uD800${random}`],
      remembers: "0123456789abcdef".repeat(4),
    };

    expect(await redactNote(note)).toEqual({
      ...note,
      command: { line: "login --password [redacted:password]", name: "login", purpose: "other" },
      files: ["a.ts"],
    });
  });

  it("changes nothing in a note that holds no secret", async () => {
    const note = prompt("Rename the key `user.name` to `user.label` and the token type.");

    expect(await redactNote(note)).toEqual(note);
  });
});
