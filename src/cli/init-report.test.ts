import { expect, it } from "vitest";
import type { ConnectedAgent, FoundAgent } from "./init-agents.js";
import { type InitReport, renderInit } from "./init-report.js";
import { openPage } from "./page.js";

const cursor = { id: "cursor", title: "Cursor", isConnected: false, isWatched: false, files: ["/h/mcp.json"] };

it("says of the agents what is true of them, and which files were written", () => {
  const connected = agentLines({ found: [cursor], connected: [cursor] });
  const broken = agentLines({ found: [{ ...cursor, problem: "mcp.json is no JSON. Mend it." }] });

  expect(connected).toEqual([
    "agents  Cursor (/h/mcp.json) connected; start it anew",
    "ask Cursor what Tacit knows: it looks it up over MCP, and is told nothing unasked",
  ]);
  expect(broken).toEqual(["agents  Cursor is not connected: mcp.json is no JSON. Mend it."]);
  expect(agentLines({ found: [cursor] })).toEqual(["agents  none connected", "tacit install connects your agents"]);
  expect(agentLines({ found: [] })).toEqual([
    "agents  none found on this machine; tacit install NAME connects one all the same",
  ]);
  expect(agentLines({})).toEqual([]);
});

/** What is said of agents, and the step that has to do with them. */
function agentLines({ found, connected = [] }: { found?: FoundAgent[]; connected?: ConnectedAgent[] }): string[] {
  const report = {
    name: "shop",
    index: { files: 0, problems: [] } as unknown as InitReport["index"],
    transcripts: { found: 0 },
    agents: { ...(found && { found }), connected },
    waiting: 0,
    leftOut: [],
    isWell: true,
    tookMs: 1,
  };
  const page = openPage({ stream: {}, env: {}, clean: (text) => text, now: new Date() });
  const lines = renderInit(report, page).split("\n");
  return lines.map((line) => line.trim()).filter((line) => /^agents|Cursor|tacit install/.test(line));
}
