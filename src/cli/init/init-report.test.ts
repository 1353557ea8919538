import { expect, it } from "vitest";
import type { ConnectedAgent, FoundAgent } from "./init-agents.js";
import type { LearnedProject } from "../../index.js";
import { type InitReport, renderInit } from "./init-report.js";
import { openPage } from "../terminal/page.js";

const cursor = { id: "cursor", title: "Cursor", isConnected: false, isWatched: false, files: ["/h/mcp.json"] };

it("says of the agents what is true of them, and which files were written", () => {
  const connected = agentLines({ found: [cursor], connected: [cursor] });
  const broken = { ...cursor, problem: "mcp.json is no JSON.", hint: "Mend it." };
  const two = agentLines({ found: [broken, { ...broken, title: "Cursor 2" }] });

  expect(connected).toEqual([
    "agents  Cursor (/h/mcp.json) connected; start it anew",
    "ask Cursor what Tacit knows: it looks it up over MCP, and is told nothing unasked",
  ]);
  expect(two).toEqual([
    "agents  Cursor is not connected: mcp.json is no JSON.",
    "Cursor 2 is not connected: mcp.json is no JSON.",
    "Mend it.",
  ]);
  expect(agentLines({ found: [cursor] })).toEqual(["agents  none connected", "tacit install connects your agents"]);
  expect(agentLines({ found: [] })).toEqual([
    "agents  none found on this machine; tacit install NAME connects one all the same",
  ]);
  expect(agentLines({})).toEqual([]);
});

it("says how many files each language has, so that they make all of them", () => {
  const named = ["TypeScript", "Python", "Go", "C", "Markdown"].map((language) => ({ language, files: 2 }));
  const overview = { languages: named, functions: 0, classes: 0, central: [], together: [] };
  const index = { files: 11, problems: [] } as unknown as InitReport["index"];

  expect(render({ index, overview })).toContain("11 files (2 TypeScript, 2 Python, 2 Go, 2 C, 3 others)");
});

it("sends nobody to accept the folder who has just said that it is theirs", () => {
  const memories = [{ type: "context", content: "Sells carts.", trustFlags: ["unverified"] }];
  const rules = [{ file: "AGENTS.md", added: 1, known: 0, silent: 1, more: 0 }];
  const project = { facts: { memories }, rules } as unknown as LearnedProject;

  const [own, others] = [render({ project, isOwn: true }), render({ project })];

  expect(own).not.toContain("tacit project accept");
  expect(own).toContain("agents are told them once you verify them: tacit review --unverified");
  expect(own).toContain("1 is told to agents once you verify them: tacit review --unverified");
  expect(others).toContain("agents are told them after: tacit project accept");
});

it("says what others share that is active from now on, and by whom", () => {
  const shown = render({ shared: ["Mal", "Ann", "Mal"] }).replaceAll(/\s+/g, " ");

  expect(shown).toContain("shared 3 memories shared by Mal and Ann are active now. Read them: tacit list.");
  expect(render({})).not.toContain("active now");
});

/** What is said of agents, and the step that has to do with them. */
function agentLines({ found, connected = [] }: { found?: FoundAgent[]; connected?: ConnectedAgent[] }): string[] {
  const lines = render({ agents: { ...(found && { found }), connected } }).split("\n");
  return lines.map((line) => line.trim()).filter((line) => /^agents|Cursor|tacit install|^Mend/.test(line));
}

function render(of: Partial<InitReport>): string {
  const report: InitReport = {
    name: "shop",
    isOwn: false,
    index: { files: 0, problems: [] } as unknown as InitReport["index"],
    transcripts: { found: 0 },
    agents: { connected: [] },
    waiting: 0,
    shared: [],
    leftOut: [],
    isWell: true,
    tookMs: 1,
    ...of,
  };
  const page = openPage({ stream: {}, env: {}, clean: (text) => text, now: new Date() });
  return renderInit(report, page);
}
