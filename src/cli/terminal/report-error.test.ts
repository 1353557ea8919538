import { expect, it } from "vitest";
import { MemoryError } from "../../base/memory-error.js";
import { describeError } from "./report-error.js";

it.each([
  [["verify", "a1", "--session", "s1"], "tacit verify a1"],
  [["remember", "Use tabs", "--session=s1"], 'tacit remember "Use tabs"'],
  [["forget", "--query", "deploy", "--session", "s1", "--yes"], "tacit forget --query deploy --session s1 --yes"],
  [["edit", "a1", "--", "--session"], "tacit edit a1 -- --session"],
])("[M12] gives a person the line that an agent was refused, by what it means: %j", (args, line) => {
  const { hint } = describeError(new MemoryError("session-tainted", "An agent may not.", "Ask."), args);

  expect(hint).toContain(line);
});
