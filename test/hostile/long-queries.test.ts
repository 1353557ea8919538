// A query of a megabyte at every door that takes one: what is looked up is counted, not timed.
import { expect, it } from "vitest";
import { connectWithin } from "../support/mcp-client.js";
import { openTestMemory } from "../support/open-memories.js";
import "../support/own-home.js";
import { runTacit } from "../support/run-tacit.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const noise = Array.from({ length: 110_000 }, (_, n) => `word${n.toString(36)}`).join(" ");
const long = `zanzibar ${noise} quixotic`;

it("[TR89] looks up at most 3,000 words of it, and finds what its beginning and its end ask for", async () => {
  const memory = await openTestMemory({ embedder: null });
  await memory.remember({ content: "The zanzibar cluster is in Frankfurt." });
  await memory.remember({ content: "The quixotic queue is drained by hand." });

  const { results, notes } = await memory.recallReport(long);

  expect(memory.explain(long).words.length).toBeLessThanOrEqual(3000);
  expect(results.map(({ memory: { content } }) => content.slice(0, 8)).toSorted()).toEqual(["The quix", "The zanz"]);
  expect(notes).toContainEqual(expect.stringMatching(/^The query has .* characters\./));
});

it("[TR89] says so to an agent and on the command line", async () => {
  const memory = await openTestMemory({ embedder: null });
  const { call } = await connectWithin(memory);
  const cwd = temporaryFolder();

  const answer = await call("recall", { query: long });
  const run = await runTacit(["recall", long, "--json", "--project", "p"], { cwd, env: {} });

  expect(JSON.stringify(answer)).toMatch(/The query has .* characters/);
  expect(JSON.parse(run.stdout)).toMatchObject({ notes: [expect.stringMatching(/^The query has /)] });
});
