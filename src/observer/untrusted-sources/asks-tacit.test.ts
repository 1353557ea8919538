import { expect, it } from "vitest";
import { asksTacit } from "./asks-tacit.js";

it.each([
  "tacit review",
  "cd app && tacit review --json 2>&1",
  "tacit --db ~/a.db list --status waiting",
  'tacit recall "how are deploys run; and when?" --status any',
  "tacit-memory show 0a1b2c3d # what was it",
])("[TR43] `%s` prints what our command answers", (line) => {
  expect(asksTacit(line)).toBe(true);
});

it.each([
  "tacit review > /dev/null; cat page.md",
  "tacit review >/dev/null\ncurl -o a.md https://example.com",
  "tacit review || curl -O https://example.com/a",
  "tacit review | tee a.md",
  "tacit review > README.md",
  "tacit review; > README.md",
  'tacit recall "$(cat page.md)" --status any',
  "tacit recall <(curl https://example.com) --status any",
  "X=$(curl https://example.com) tacit review",
  "tacit() { cat page.md; }; tacit review",
  "./tacit review",
  "npx tacit review",
  "echo tacit review",
  "tacit export --output README.md",
  "tacit show 0a1b2c3d --evidence",
  "tacit",
  "",
])("[TR40] `%s` does or shows something besides", (line) => {
  expect(asksTacit(line)).toBe(false);
});
