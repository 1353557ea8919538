import { describe, expect, it } from "vitest";
import { toldSession } from "../support/told-session.js";
import { watchedProject } from "../support/watched-project.js";

const overwrites = [
  "cp ../out/* docs/",
  "cp -t docs ../out/guide.md",
  "cp -r ../out/. docs/",
  "rsync -a ../out/ docs/",
  "install -m 644 ../out/guide.md docs/guide.md",
  "ln -sf ../out/guide.md docs/guide.md",
  "dd if=../out/guide.md of=docs/guide.md status=none",
  "tar xzf x.tgz",
  "tar -xf x.tar -C docs",
  "unzip -d docs x.zip",
  "git apply p.patch",
  "git am ../p.patch",
  "patch -p1 < p.patch",
  "patch -p1 -i ../p.patch",
  `python3 -c "import shutil; shutil.copy('../out/guide.md', 'docs/guide.md')"`,
  `node -e "require('fs').copyFileSync('../out/guide.md', 'docs/guide.md')"`,
];

const copies = [
  "cp docs/other.md docs/guide.md",
  "cp docs/* src/",
  "rsync -a docs/ src/",
  "tar czf /tmp/x.tgz docs",
  "git apply --check p.patch",
  `python3 -c "import shutil; shutil.copy('docs/other.md', 'docs/guide.md')"`,
];

describe("a tracked file that a command overwrote", () => {
  it.each([
    ["from elsewhere", overwrites, 0],
    ["from the project itself", copies, 1],
  ])("[O4] %s is what it was made of, however the command names it", async (_, lines, learned) => {
    const counts: [string, number][] = [];
    for (const [number, line] of lines.entries()) {
      const project = watchedProject({ "docs/guide.md": "# Guide\n", "docs/other.md": "# Other\n" });
      const session = toldSession(`s${number}`).starts().runs(line).reads("docs/guide.md", "The limit is 64 KB.");
      const report = await project.learn(session.says("Correction: the limit of `field` is 64 KB, not 64 MB.").ends());
      counts.push([line, report.learned.length]);
    }

    expect(counts).toEqual(lines.map((line) => [line, learned]));
  });
});
