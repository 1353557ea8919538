import { expect, it } from "vitest";
import type { Note } from "../observer.js";
import { needsRedaction } from "../notes/redact-note.js";
import { dropSecrets } from "./drop-secrets.js";
import { validateNote } from "../notes/validate-note.js";

const token = `ghp_${"aZ09bY18cX27dW36eV45".repeat(2).slice(0, 36)}`;

it.each<[string, Note, Partial<Note>]>([
  ["a prompt", { kind: "prompt", at: 1, text: `use ${token}` }, { text: "" }],
  [
    "a command",
    {
      kind: "call",
      at: 1,
      call: "toolu_01AbCdEf0123456789",
      tool: "Bash",
      does: "run",
      files: ["src/a.ts", `src/${token}.ts`],
      command: { line: `curl -H ${token}`, name: "curl", purpose: "network" },
    },
    { call: "toolu_01AbCdEf0123456789", files: ["src/a.ts"], command: { line: "", name: "curl", purpose: "network" } },
  ],
  [
    "a part of the work",
    { kind: "unit", at: 1, unit: { methodology: "plan", hierarchy: ["a", token], label: token }, state: "started" },
    { unit: { methodology: "plan", hierarchy: ["a"], label: "" } },
  ],
  [
    "what was said",
    {
      kind: "said",
      at: 1,
      sayings: [
        { is: "plan", text: `Use ${token}.` },
        { is: "cause", text: "It was late." },
      ],
    },
    { sayings: [{ is: "cause", text: "It was late." }] },
  ],
])("nothing of a secret stays of %s, and it is still a note", (_, note, expected) => {
  const dropped = dropSecrets(note);

  expect(dropped).toMatchObject(expected);
  expect(JSON.stringify(dropped)).not.toContain(token);
  expect(needsRedaction(dropped)).toBe(false);
  expect(validateNote(dropped)).toEqual(dropped);
});
