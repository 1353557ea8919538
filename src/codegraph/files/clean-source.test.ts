import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cleanSource } from "./clean-source.js";

const key = [
  "-----BEGIN PRIVATE KEY-----",
  ...Array.from({ length: 6 }, () => "MIIEvQIBADANBgkqhkiG9w0B".repeat(2)),
  "-----END PRIVATE KEY-----",
];

describe("cleaning a source", () => {
  it("leaves a file without secrets as it is", async () => {
    const source = "const port = 8080;\r\n\r\nexport { port };\n";

    expect(await cleanSource(source, "notes.md")).toBe(source);
  });

  it("takes the secret and leaves the line", async () => {
    const cleaned = await cleanSource('const a = 1;\nconst password = "hunter2hunter2";\nconst b = 2;\n', "a.ts");

    expect(cleaned).toBe('const a = 1;\nconst password = "[redacted:password]";\nconst b = 2;\n');
  });

  it("keeps every other line where it was when a secret takes several", async () => {
    const source = [
      "const before = 1;",
      "const pem = `",
      ...key,
      "`;",
      "const between = 2;",
      ...key,
      "const after = 3;",
    ];

    const cleaned = (await cleanSource(source.join("\n"), "notes.md")).split("\n");

    expect(cleaned).toHaveLength(source.length);
    for (const line of ["const before = 1;", "const between = 2;", "const after = 3;"]) {
      expect(cleaned.indexOf(line)).toBe(source.indexOf(line));
    }
    expect(cleaned.join("\n")).not.toContain("MIIEvQ");
  });

  it("takes private parts and invisible characters, and leaves the lines", async () => {
    const source = ["a", "<private>", "what only I know", "</private>", "b\u200b"];

    expect(await cleanSource(source.join("\n"), "notes.md")).toBe("a\n\n\n\nb");
  });

  it("takes <private> for a word like any other in a program", async () => {
    const source = 'const open = "<private>";\nexport const after = 1;\n';

    expect(await cleanSource(source, "tags.ts")).toBe(source);
  });

  it("never changes how many lines there are, nor lets a line of a secret through", async () => {
    const anyLine = fc.oneof(
      fc.constantFrom("", "}", "x", "<private>", "</private>", "password: hunter2!x9", "token ghp_"),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            anyLine.map((line) => [line]),
            fc.constant(key),
          ),
        ),
        async (parts) => {
          const lines = parts.flat().map((line) => line.replaceAll("\n", ""));

          const cleaned = await cleanSource(lines.join("\n"), "notes.md");

          expect(cleaned.split("\n")).toHaveLength(Math.max(1, lines.length));
          expect(cleaned).not.toContain("MIIEvQ");
        },
      ),
    );
  });
});
