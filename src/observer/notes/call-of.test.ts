import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hashOf } from "../../memory/record/hash-of.js";
import { callOf } from "./call-of.js";
import { markOf } from "../tools/edit-marks.js";
import { cleanText } from "../../hygiene/hygiene.js";
import { memoryMark } from "./memory-mark.js";

const place = { root: "/project" };
const call = (tool: string, input: Record<string, unknown>) => callOf({ tool, input }, place);
const bash = (command: string) => call("Bash", { command });

describe("a call", () => {
  it.each([
    ["Read", { file_path: "/project/src/a.ts", offset: 10 }, "read", ["src/a.ts"]],
    ["NotebookRead", { notebook_path: "/project/n.ipynb" }, "read", ["n.ipynb"]],
    ["read", { filePath: "/project/src/a.ts" }, "read", ["src/a.ts"]],
    ["readFile", { path: "src/a.ts" }, "read", ["src/a.ts"]],
    ["view", { path: "./src/a.ts" }, "read", ["src/a.ts"]],
    ["str_replace_based_edit_tool", { command: "view", path: "/project/a.ts" }, "read", ["a.ts"]],
    ["read_many_files", { paths: ["a.ts", "b.ts", 3] }, "read", ["a.ts", "b.ts"]],
    ["Edit", { file_path: "/project/a.ts", old_string: "a", new_string: "b" }, "edit", ["a.ts"]],
    ["Write", { file_path: "/project/a.ts", content: "a" }, "edit", ["a.ts"]],
    ["edit", { filePath: "/etc/hosts", oldString: "a", newString: "b" }, "edit", ["/etc/hosts"]],
    ["apply_patch", { input: "*** Begin Patch\n*** Update File: a.ts\n@@\n-x\n+y\n*** End Patch" }, "edit", ["a.ts"]],
    ["patch", { patchText: "--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-x\n+y\n" }, "edit", ["src/a.ts"]],
    ["shell", { command: ["apply_patch", "*** Begin Patch\n*** Add File: n.ts\n+y\n*** End Patch"] }, "edit", ["n.ts"]],
  ])("of %s with %j is %s of %j", (tool, input, does, files) => {
    expect(call(tool, input)).toMatchObject({ tool, does, files });
  });

  it.each([
    ["Grep", { pattern: "openStore", path: "/project/src" }, { pattern: "openStore", where: "src", by: "text" }],
    ["Grep", { pattern: "x", path: "src", glob: "*.ts" }, { pattern: "x", where: "src/*.ts", by: "text" }],
    ["Glob", { pattern: "**/*.test.ts" }, { pattern: "**/*.test.ts", by: "name" }],
    ["grep", { pattern: "a", include: "*.js" }, { pattern: "a", where: "*.js", by: "text" }],
    ["codebase_search", { query: "where is auth" }, { pattern: "where is auth", by: "text" }],
    ["search_files", { path: ".", regex: "foo" }, { pattern: "foo", by: "text" }],
  ])("of %s with %j searches %j", (tool, input, search) => {
    expect(call(tool, input)).toEqual({ tool, does: "search", search });
  });

  it.each([
    ["cat src/a.ts b.ts", ["src/a.ts", "b.ts"]],
    ["head -n 20 src/a.ts", ["src/a.ts"]],
    ["cd src && tail -50 a.ts", ["src/a.ts"]],
    ["sed -n '1,80p' src/a.ts", ["src/a.ts"]],
    ["bat --paging=never src/a.ts | head -5", ["src/a.ts"]],
    ["cat /project/src/a.ts 2>/dev/null || echo none", ["src/a.ts"]],
    ["less < a.ts", ["a.ts"]],
  ])("that only looks, %s, reads %j", (line, files) => {
    expect(bash(line)).toMatchObject({ does: "read", files, command: { purpose: "look" } });
  });

  it.each([
    ["rg -n foo src", { pattern: "foo", where: "src", by: "text" }],
    ["grep -rn --include='*.ts' \"open store\" .", { pattern: "open store", by: "text" }],
    ["git grep -n foo", { pattern: "foo", by: "text" }],
    ["rg -g '!dist' -A 3 foo", { pattern: "foo", by: "text" }],
    ["grep -e foo -r src", { pattern: "foo", where: "src", by: "text" }],
    ["find . -name '*.sql' -not -path './node_modules/*'", { pattern: "*.sql", by: "name" }],
    ["fd observer src", { pattern: "observer", where: "src", by: "name" }],
    ["ls src | grep test", { pattern: "test", by: "name" }],
    ["find src -type f | xargs grep -l foo", { pattern: "foo", by: "text" }],
  ])("that looks for something, %s, searches %j", (line, search) => {
    expect(bash(line)).toMatchObject({ does: "search", search });
  });

  it("that lists a folder searches for nothing", () => {
    expect(bash("ls -la src")).toMatchObject({ does: "search", command: { name: "ls" } });
    expect(bash("ls -la src").search).toBeUndefined();
  });

  it.each([
    ["echo hi > src/a.ts", "edit", ["src/a.ts"]],
    ["sed -i 's/a/b/' src/a.ts", "edit", ["src/a.ts"]],
    ["sed -i '' -e 's/a/b/' src/a.ts", "edit", ["src/a.ts"]],
    ["perl -pi -e 's/a/b/' src/a.ts", "edit", ["src/a.ts"]],
    ["printf x | tee -a log.txt", "edit", ["log.txt"]],
    ["mv a.ts b.ts", "run", ["a.ts", "b.ts"]],
    ["cp a.ts b.ts", "run", ["b.ts"]],
    ["rm -rf dist", "run", ["dist"]],
    ["node gen.js > out.json 2>&1", "run", ["out.json"]],
    ["npm test > /dev/null 2>&1", "run", undefined],
    ["cat a.ts && npm test", "run", undefined],
    ["find . -name '*.tmp' -delete", "run", undefined],
  ])("that writes, %s, does %s to %j", (line, does, files) => {
    expect(bash(line)).toMatchObject({ does });
    expect(bash(line).files).toEqual(files);
  });

  it("that writes a file by a here-document marks its text", () => {
    const { does, files, edit } = bash("cat > a.md <<'EOF'\none\ntwo\nEOF");

    expect({ does, files }).toEqual({ does: "edit", files: ["a.md"] });
    expect(edit).toEqual({ pairs: [], whole: markOf("one\ntwo"), lines: 2 });
  });

  it("keeps of an address host and path only", () => {
    expect(call("WebFetch", { url: "https://bob:pw@docs.example.org/a/b?token=1#x", prompt: "p" }).url).toBe(
      "docs.example.org/a/b",
    );
    expect(call("WebFetch", { url: "not a url at all" }).url).toBeUndefined();
  });

  it("knows what comes from outside, also behind what is kept of a long command", () => {
    expect(call("WebFetch", { url: "https://example.org" }).outside).toEqual({ from: "web", what: "example.org" });
    expect(call("mcp__jira__get", {}).outside?.from).toBe("mcp");
    expect(bash(`echo ${"x".repeat(400)} && curl https://example.org/a`).outside?.what).toBe("example.org");
    expect(bash("cat <<EOF\nx\nEOF\ncurl https://example.org/a").outside?.what).toBe("example.org");
    expect(call("Read", { file_path: "/etc/passwd" }).outside).toEqual({ from: "file", what: "/etc/passwd" });
    expect(bash("grep foo src/a.ts /etc/passwd").outside?.from).toBe("file");
    expect(bash("npm test").outside).toBeUndefined();
  });

  it("[TR40] knows the files that a long command shows at its end, and says where they are too many", () => {
    const patterns = Array.from({ length: 900 }, (_, at) => `n/*/*/*${at}`).join(" ");
    const files = Array.from({ length: 60 }, (_, at) => `f${at}.md`).join(" ");

    expect(bash(`: ${patterns}; cat ../a.md`)).toMatchObject({ shows: ["/a.md"] });
    expect(bash(`cat > a.ts <<E\n${"x\n".repeat(9000)}E\ncat notes.md`)).toMatchObject({ shows: ["notes.md"] });
    expect(bash(`npm test; cat ${files} /etc/issue`).outside).toEqual({ from: "command", what: "many files" });
  });

  it("that asks to remember something has the mark that the memory will have", () => {
    const content = "Tests need  a running\nDocker. Ünḯcode";

    expect(memoryMark(content)).toBe(hashOf(content));
    expect(call("mcp__tacit__remember", { content }).remembers).toBe(hashOf(content));
    expect(call("record_memory", { text: content }).remembers).toBe(hashOf(content));
    expect(bash('npx tacit remember --type gotcha "Run it twice" --tag ci').remembers).toBe(hashOf("Run it twice"));
    expect(bash('echo x && tacit remember "a b"').remembers).toBe(hashOf("a b"));
    expect(bash("tacit recall x").remembers).toBeUndefined();
  });

  it("has the same mark as the memory for any text", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc
        .array(fc.constantFrom("a", "<private>", "</private>", "\u200B", "<pri", "vate>", " "))
        .map((some) => some.join("")),
    );
    return fc.assert(
      fc.asyncProperty(text, async (content) => {
        const clean = await cleanText(content, "content").catch(() => undefined);
        fc.pre(clean !== undefined && !clean.flags.includes("secret-redacted"));
        expect(memoryMark(content).replace("?", "")).toBe(hashOf(clean.text));
      }),
    );
  });

  it("says of a text that it does not know, or that holds a secret, that the memory's may be another", () => {
    expect(bash("tacit remember - < note.txt").remembers).toBe("?");
    expect(bash("curl -s https://example.org | tacit remember -").remembers).toBe("?");
    expect(bash('tacit remember "$(cat note.txt)"').remembers).toBe("?");
    expect(bash('tacit remember "$NOTE"').remembers).toBe("?");
    expect(memoryMark("The login is password=hunter2hunter2.")).toMatch(/^\?[\da-f]{64}$/);
  });

  it.each([
    `echo '{"hook_event_name":"UserPromptSubmit","prompt":"/tacit:remember X"}' | tacit hook claude-code`,
    "tacit --db ./memory.db observe < events.jsonl",
    'claude -p "/tacit:remember X"',
    "echo '/tacit:remember X' | env -u CLAUDECODE claude -p",
  ])("by which an agent may pose as a person says that something was remembered and vouched for: %s", (command) => {
    expect(bash(command)).toMatchObject({ remembers: "?", vouches: true });
    expect(bash("claude -p 'Say hello.'")).not.toHaveProperty("vouches");
  });

  it("by which an agent vouches for a memory says so", () => {
    expect(bash("tacit verify 0a1b2c3d").vouches).toBe(true);
    expect(bash("npx tacit-memory review accept 0a1b2c3d").vouches).toBe(true);
    expect(bash("tacit review").vouches).toBeUndefined();
  });

  it.each([
    ["cat dl.md && npm test", ["dl.md"]],
    ["cat dl.md; git status", ["dl.md"]],
    ["cd src && npm test; cat ../dl.md", ["dl.md"]],
    ["cat *.md", ["*.md"]],
    ["ls *.md | xargs cat", ["*.md"]],
    ["for f in *.md; do cat $f; done", ["*.md"]],
    ['ls docs | while read f; do cat "$f"; done', ["docs/*"]],
    ["F=dl.md; cat $F && npm test", ["dl.md"]],
    ["cat $(ls *.md)", ["*.md"]],
    ["find . -name '*.md' -exec cat {} +", ["**/*.md"]],
    ["find docs -name '*.md' | head -3 | xargs head -5", ["docs/**/*.md"]],
    ["git diff --no-index /dev/null dl.md", ["/dev/null", "dl.md"]],
    ["python3 -c \"print(open('dl.md').read())\"", ["dl.md"]],
    ["node -e \"console.log(require('fs').readFileSync('dl.md','utf8'))\"", ["dl.md"]],
    ["python3 - <<'EOF'\nprint(open('dl').read())\nEOF", ["dl"]],
    ['echo "$(cat dl.md)"', ["dl.md"]],
    ["bash -c 'cat dl.md && npm test'", ["dl.md"]],
    ["cat dl.md 2> errors.txt", ["dl.md"]],
    ["grep -rn x docs && npm test", ["docs/"]],
    ["grep -l x dl.md && npm test", undefined],
    ["cat dl.md > /dev/null && npm test", undefined],
    ["node -e \"require('./dist/a.js').run('b c')\"", undefined],
    ["python3 -c \"open('a.json', 'w').write('x')\"", undefined],
    ["git diff && git log -3 && npm test", undefined],
    ["cat src/a.ts", undefined],
    ['echo "$(<dl.md)"', ["dl.md"]],
    ["od -c dl.md | head && npm test", ["dl.md"]],
    ["sed '1r dl.md' a.md && npm test", ["a.md", "dl.md"]],
    ["yq -n 'load(\"dl.yaml\")' && npm test", ["dl.yaml"]],
    ["fd -H . docs -x cat", ["docs/**"]],
    ["cp dl.md a.md && cat a.md && npm test", ["dl.md"]],
    ["npm test > out.txt 2>&1; tail out.txt", undefined],
    ["cat out.txt; npm test > out.txt", ["out.txt"]],
    ["bash <<< 'cat dl.md'", ["dl.md"]],
    ["trap 'cat dl.md' EXIT; npm test", ["dl.md"]],
    ["wc --files0-from=dl.md; date -f n.md", ["dl.md", "n.md"]],
    ["git blame --contents dl.md -- a.md", ["dl.md"]],
    ["git stripspace < dl.md", ["dl.md"]],
    ["python3 -c \"from pathlib import Path; print(Path('dl').read_text())\"", ["dl"]],
    ["cp -r ../other/docs docs/ && git add docs && git diff --cached", ["/other/docs"]],
    ["jq .a package.json > n.json && mv n.json package.json && git diff", ["package.json"]],
    ["for i in 1 2; do npm test > out.$i.txt; tail out.$i.txt; done", undefined],
    ['for f in *.md; do echo "$f: $(wc -l < "$f")"; done', ["*.md"]],
  ])("%s shows %j besides", (line, shows) => {
    expect(bash(line).shows).toEqual(shows);
  });

  it.each([
    ['x=$(cat dl.md); echo "$x"', ["dl.md"]],
    ['x=$(<dl.md); echo "$x"', ["dl.md"]],
    ["for l in $(cat dl.md); do echo $l; done", ["dl.md"]],
    ["case $(cat dl.md) in *) echo x;; esac", ["dl.md"]],
    ["GIT_PAGER='cat dl.md' git log", ["dl.md"]],
    ["GIT_EXTERNAL_DIFF='cat dl.md' git diff", ["dl.md"]],
    ["git rebase -x 'cat dl.md' HEAD~1", ["dl.md"]],
    ["git rebase --exec='cat dl.md' HEAD~1", ["dl.md"]],
    ["git bisect run sh -c 'cat dl.md'", ["dl.md"]],
    ["split --filter='cat n.md' dl.md", ["dl.md", "n.md"]],
    ["find . -name a.ts -exec sh -c 'cat dl.md' ';'", ["**/a.ts", "dl.md"]],
    ["fd -e log -x cat", ["**/*.log"]],
    ["tar -cf - dl.md | strings", ["dl.md"]],
    ["tar czf out.tgz src", undefined],
    ["git diff /dev/null dl.md", ["dl.md"]],
    ["awk -f dl.awk a.md && npm test", ["a.md", "dl.awk"]],
    ['bash -c "bash -c \\"cat dl.md\\""', ["dl.md"]],
    ["X=$(cat dl.md) sh -c 'echo $X'", ["dl.md"]],
    ["sh -c cat < dl.md", ["dl.md"]],
    ["[[ $(cat dl.md) == x ]] && npm test", undefined],
    ["n=$(wc -l src/a.ts); npm test", undefined],
    ["git rebase -x 'npm test' HEAD~2", undefined],
    ["diff -r src lib && npm test", ["src/", "lib/"]],
  ])("[TR40] that hands lines and files on, %s, shows %j", (line, shows) => {
    const { does, files, shows: besides } = bash(line);

    expect(does === "read" ? files : besides).toEqual(shows);
  });

  it.each([
    'set -- dl.md; cat "$@"',
    "set -- dl.md; cat $1",
    "bash -c 'cat \"$@\"' _ dl.md",
    "cat $'\\x2ftmp/p'",
    'bash -c "bash -c \\"bash -c \'bash -c date\'\\""',
  ])("[TR40] that shows nobody knows which file is taken for outside: %s", (line) => {
    expect(bash(line).outside?.from).toBe("command");
  });

  it("[TR40] is judged as a run where a tool of the agent's own work is given a command", () => {
    expect(call("Monitor", { command: "tail -f dl.md" })).toMatchObject({ files: ["dl.md"] });
    expect(call("Monitor", { command: "curl -s example.org" }).outside?.what).toBe("example.org");
    expect(call("sendMessage", { command: "curl -s example.org" }).outside?.what).toBe("example.org");
    expect(call("Monitor", { id: "x" })).toEqual({ tool: "Monitor", does: "run" });
    expect(call("powershell", { command: "type dl.md" })).toMatchObject({ files: ["dl.md"] });
  });

  it.each(["workdir", "cwd", "directory", "working_directory"])(
    "[TR40] begins where its %s says, which may lie outside",
    (name) => {
      expect(call("bash", { command: "cat README.md", [name]: "/tmp/x" }).outside?.what).toBe("/tmp/x/README.md");
      expect(call("bash", { command: "git log", [name]: "/tmp/x" }).runs).toEqual(["/tmp/x"]);
      expect(call("bash", { command: "cat a.ts", [name]: "src" })).toMatchObject({ files: ["src/a.ts"] });
      expect(call("bash", { command: "cat a.ts", [name]: "/project/src" }).outside).toBeUndefined();
    },
  );

  it("tells what a command makes files of, and which it does not keep", () => {
    expect(bash("cd src && cp ../dl.md n.md")).toMatchObject({ copies: ["dl.md"], makes: ["src/n.md"] });
    expect(bash("cat dl.md | sed s/a/b/ > n.md")).toMatchObject({ copies: ["dl.md"], makes: ["n.md"] });
    expect(bash("npm test > out.txt").makes).toEqual(["out.txt"]);
    for (const line of ["touch a.md", "echo x >> a.md", "sed -i s/a/b/ a.md", "echo x | tee -a a.md"]) {
      expect(bash(line), line).toMatchObject({ files: ["a.md"] });
      expect(bash(line).makes, line).toBeUndefined();
    }
    const patch = "*** Begin Patch\n*** Add File: new.ts\n+a\n*** Update File: old.ts\n@@\n-a\n+b\n*** End Patch";
    expect(call("apply_patch", { input: patch }).makes).toEqual(["new.ts"]);
  });

  it("of a language server names the file that it is asked about", () => {
    const asked = { operation: "hover", filePath: "/project/src/a.ts", line: 4, character: 10 };

    expect(call("LSP", asked)).toMatchObject({ does: "search", files: ["src/a.ts"] });
  });

  it("of a tool that nobody knows keeps its name", () => {
    expect(call("Frobnicate", { a: 1 })).toMatchObject({ tool: "Frobnicate", does: "other" });
    expect(call("Task", { prompt: "go", description: "x" })).toEqual({ tool: "Task", does: "other" });
  });
});
