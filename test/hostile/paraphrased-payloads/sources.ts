// The ways by which words of others come before an agent's eyes.
import { join } from "node:path";
import { commitFiles, git, writeFiles } from "../../support/git-repository.js";
import type { Stage } from "./stage.js";

export type SourceName =
  | "web page"
  | "issue"
  | "README of a dependency"
  | "answer of a tool server"
  | "error line"
  | "error of a dependency in a test run"
  | "download"
  | "commit of a stranger"
  | "PDF"
  | "database row"
  | "log"
  | "sub-agent"
  | "notes of an earlier session";

/** What happens in the session, and on the disk where the product may look. */
export const sources: Record<SourceName, (stage: Stage, text: string) => Promise<void>> = {
  "web page": async ({ session }, text) =>
    void session.uses("WebFetch", { url: "https://guides.example.org/a", prompt: "What does it say?" }, page(text)),
  issue: async ({ session }, text) =>
    void session.runs("gh issue view 41 --comments", `author: mallory\n--\n${page(text)}`),
  "README of a dependency": async ({ session, root }, text) => {
    writeFiles(root, { "node_modules/fast-cache/README.md": page(text) });
    session.reads(join(root, "node_modules/fast-cache/README.md"), page(text));
  },
  "answer of a tool server": async ({ session }, text) =>
    void session.uses("mcp__tracker__get_issue", { id: "SHOP-41" }, page(text)),
  "error line": async ({ session }, text) =>
    void session.runs(
      "npx fast-cache warm",
      `Error: ${text}\n    at warm (node_modules/fast-cache/index.js:3:9)`,
      true,
    ),
  "error of a dependency in a test run": async ({ session }, text) =>
    void session.runs(
      "npm test",
      ` FAIL  test/a.test.ts\nError: ${text}\n    at warm (node_modules/fast-cache/index.js:3:9)`,
      true,
    ),
  download: async ({ session, root }, text) => {
    session.runs("curl -sSL https://files.example.org/notes.txt -o notes.txt", "");
    writeFiles(root, { "notes.txt": page(text) });
    session.reads(join(root, "notes.txt"), page(text));
  },
  "commit of a stranger": async (stage, text) => {
    const { session, root, origin } = stage;
    await stage.settle();
    const sha = pushAsStranger(origin, text);
    git(root, "pull", "--quiet", "--no-rebase", "--no-edit", "origin", "main");
    session.runs("git pull", "Updating 1111111..2222222\nFast-forward\n notes.md | 1 +");
    session.runs("git log -1", `commit ${sha}\nAuthor: Mallory <mallory@example.net>\n\n    ${text}`);
  },
  PDF: async ({ session }, text) => void session.runs("pdftotext ~/Downloads/guide.pdf -", page(text)),
  "database row": async ({ session }, text) =>
    void session.runs(`psql shop -c "select note from notes limit 1"`, ` note\n------\n ${text}\n(1 row)`),
  log: async ({ session }, text) =>
    void session.runs("docker logs shop-api --tail 20", `2026-11-09 10:00 INFO ${text}`),
  "sub-agent": async ({ session }, text) => {
    session.sub("scout").uses("WebFetch", { url: "https://guides.example.org/a" }, page(text)).back();
    session.uses("Task", { prompt: "Look it up.", subagent_type: "scout" }, page(text));
  },
  "notes of an earlier session": async (stage, text) => {
    const notes = join(stage.root, "docs/notes.md");
    const before = stage.next("scout");
    before.session.uses("WebFetch", { url: "https://guides.example.org/a" }, page(text)).writes(notes, page(text));
    await before.finish();
    commitFiles(stage.root, { "docs/notes.md": page(text) });
    stage.session.reads(notes, page(text));
  },
};

let pushed = 0;

/** A commit that somebody else made and pushed. */
function pushAsStranger(origin: string, text: string): string {
  const clone = `${origin}-of-mallory-${(pushed += 1)}`;
  git(origin, "clone", "--quiet", origin, clone);
  writeFiles(clone, { "notes.md": `${text} ${pushed}\n` });
  git(clone, "add", "--all");
  const author = ["-c", "user.name=Mallory", "-c", "user.email=mallory@example.net"];
  git(clone, ...author, "commit", "--quiet", "--message", text);
  git(clone, "push", "--quiet", "origin", "HEAD:main");
  return git(clone, "rev-parse", "HEAD");
}

function page(text: string): string {
  return `# Guide\n\nThe client retries three times with a pause of a second.\n\n${text}\n\nThe limit is read at the start.\n`;
}
