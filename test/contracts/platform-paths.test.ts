import * as fc from "fast-check";
import { readdirSync } from "node:fs";
import { basename, join, posix, win32 } from "node:path";
import { describe, expect, it } from "vitest";
import { withUpperCaseDrive } from "../../src/base/files/drive-letter.js";
import { renameOver } from "../../src/base/files/rename-over.js";
import { memoryFolderPath } from "../../src/conversation/memory-file/memory-folder-path.js";
import { fileNameOf } from "../../src/exchange/formats/markdown.js";
import { relativeTo } from "../../src/memory/read/relative-to.js";
import { isBelow, mayHold } from "../../src/observer/transcripts/find-transcripts.js";
import { calledFrom } from "../../src/observer/notes/called-from.js";
import { runsOf } from "../../src/observer/tools/command-runs.js";
import { relatedPath } from "../../src/observer/tools/related-path.js";
import { currentProcess, writerMark } from "../../src/observer/processes/process-identity.js";
import { spoolFolder } from "../../src/observer/spool/spool-place.js";
import { isOutsidePath } from "../../src/observer/untrusted-sources/outside-path.js";
import { listAgentsSeen, noteAgentSeen } from "../../src/install/last-seen/agents-seen.js";
import { connect } from "../../src/storage/connect.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const root = "C:\\Users\\Ada\\app";

describe("a path of Windows", () => {
  it.each([
    ["C:\\Users\\Ada\\app\\src\\a.ts", "src/a.ts"],
    ["c:\\users\\ada\\APP\\src\\a.ts", "src/a.ts"],
    ["C:/Users/Ada/app/src/a.ts", "src/a.ts"],
    ["src\\a.ts", "src/a.ts"],
    [".\\src\\a.ts", "src/a.ts"],
    ["C:\\Users\\Ada\\app\\src\\a.ts#Store.read", "src/a.ts#Store.read"],
    ["C:\\Users\\Ada\\app\\c#\\Makefile", "c#/Makefile"],
    ["C:\\Users\\Ada\\apple\\a.ts", "C:\\Users\\Ada\\apple\\a.ts"],
    ["D:\\app\\src\\a.ts", "D:\\app\\src\\a.ts"],
    ["\\\\server\\share\\a.ts", "\\\\server\\share\\a.ts"],
  ])("[C10] %s is kept as %s", (file, kept) => {
    expect(relativeTo(root, file, win32)).toBe(kept);
  });

  it("[C10] is one file however an agent or a shell writes it, and what is outside is never taken for inside", () => {
    const place = { root, directory: "c:\\Users\\Ada\\app\\api" };
    const inside = ["C:\\Users\\Ada\\app\\api\\a.ts", "c:/users/ada/app/api/a.ts", "a.ts", ".\\a.ts", "..\\api\\a.ts"];
    const spelled = [...inside, "/c/Users/Ada/app/api/a.ts", "file:///C:/Users/Ada/app/api/a.ts"];

    expect(spelled.map((path) => relatedPath(path, place)?.toLowerCase())).toEqual(spelled.map(() => "api/a.ts"));
    expect(relatedPath("/d/other/a.ts", place)).toBe("d:/other/a.ts");
    expect(relatedPath("file:///C:/Users/Ada/my%20notes.md", place)).toBe("c:/Users/Ada/my notes.md");
    expect(relatedPath("file:///C:/Users/Ada/app/a%00b", place)).toBeUndefined();
    expect(isOutsidePath("c:/users/ada/app/a.ts", root)).toBe(false);
    expect(isOutsidePath("c:/users/ada/apple/a.ts", root)).toBe(true);
    // Elsewhere a folder may be called so.
    expect(relatedPath("/c/a.ts", { root: "/c" })).toBe("a.ts");
    expect(relatedPath("/c/a.ts", { root: "/project" })).toBe("/c/a.ts");
  });

  it("[C10] is followed by cd, and not followed twice", () => {
    const last = (line: string) => runsOf(line, { root }).at(-1)?.place ?? { root: "" };

    expect(relatedPath("a.ts", last("cd api && cat a.ts"))).toBe("api/a.ts");
    expect(relatedPath("a.ts", last("cd /c/Users/Ada/app/api && cat a.ts"))).toBe("api/a.ts");
    expect(relatedPath("a.ts", last('cd "C:/Users/Ada/app/api" && cat a.ts'))).toBe("api/a.ts");
    const stands = calledFrom({ root, directory: `${root}\\api` }, "cd api && npm test");
    expect(relatedPath("a.ts", stands)).toBe("a.ts");
  });

  it("[C10] has the drive in one case only, where the system does not say which", () => {
    expect(withUpperCaseDrive("c:\\app")).toBe("C:\\app");
    expect(withUpperCaseDrive("/c:/app")).toBe("/c:/app");
    expect(mayHold("c--Users-Ada-app", root, win32)).toBe(true);
    expect(mayHold("C--Users-Ada-app-api", root, win32)).toBe(true);
    expect(mayHold("-home-Ada-app", "/home/ada/app", posix)).toBe(false);
    expect(isBelow("c:\\users\\ada\\app\\api", root, win32)).toBe(true);
    expect(isBelow("C:\\Users\\Ada\\apple", root, win32)).toBe(false);
    expect(isBelow("D:\\Users\\Ada\\app", root, win32)).toBe(false);
    expect(isBelow("/home/ada/app/api", "/home/ada/app", posix)).toBe(true);
  });

  it("[C10] reaches the database as it is, with whatever signs a path may have", async () => {
    const folder = temporaryFolder();
    // Windows has no such names, where they would be paths.
    const foreign = process.platform === "win32" ? [] : [`${root}\\50 % #1.db`, "é?mode=memory.db", "file:m.db"];
    const names = ["50 %25 #1.db", "é & ü.db", ...foreign];

    for (const name of names) {
      const client = await connect({ kind: "file", path: join(folder, name) }, 1000);
      await client.execute("CREATE TABLE t (x)");
      client.close();
    }

    expect(readdirSync(folder)).toEqual(expect.arrayContaining(names));
  });
});

it("[C11] no file or folder that Tacit names has a name that Windows refuses, or that differs from another by case only", () => {
  const refused = /[<>:"/\\|?*\p{Cc}]|[. ]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/iu;
  const home = temporaryFolder();
  const known = ["con", "AUX", "nul.txt", "com1", "a:b", "trailing.", "x".repeat(300), "../..", "日本", ""];
  const odd = ["a", "Z", "9", ".", " ", ":", "\\", "/", "?", "*", "<", "|", '"', "é", "日", "\u0007"];
  const names = (text: string) => [
    basename(memoryFolderPath({ home, root: "/w", memoryFolder: null, projectId: text })),
    fileNameOf({ id: "0192f0c1-0000-7000-8000-0000000000ab", name: text, type: text }),
    basename(spoolFolder({ home, db: text, root: text, project: text }, text)),
  ];

  fc.assert(
    fc.property(fc.oneof(fc.constantFrom(...known), fc.string({ unit: fc.constantFrom(...odd) })), (text) => {
      const unfit = (name: string) => refused.test(name) || name !== name.toLowerCase() || name.length > 100;
      expect(names(text).filter(unfit)).toEqual([]);
    }),
  );
  for (const text of known) noteAgentSeen(text, { home });
  for (const { agent } of listAgentsSeen({ home })) expect(agent).not.toMatch(refused);
  expect(writerMark(currentProcess())).not.toMatch(refused);
});

it("[C12] a file that somebody has open for a moment is replaced all the same on Windows; elsewhere nothing is tried twice", () => {
  const refusing = (code: string, times: number) => {
    let calls = 0;
    const rename = () => {
      calls += 1;
      if (calls <= times) throw Object.assign(new Error(code), { code });
    };
    return { rename, calls: () => calls };
  };
  const open = refusing("EPERM", 2);
  const missing = refusing("ENOENT", 1);
  const elsewhere = refusing("EPERM", 1);

  renameOver("a", "b", { platform: "win32", rename: open.rename });

  expect(open.calls()).toBe(3);
  expect(() => renameOver("a", "b", { platform: "win32", rename: missing.rename })).toThrow("ENOENT");
  expect(() => renameOver("a", "b", { platform: "linux", rename: elsewhere.rename })).toThrow("EPERM");
  expect([missing.calls(), elsewhere.calls()]).toEqual([1, 1]);
});
