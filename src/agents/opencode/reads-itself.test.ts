import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { writeFiles } from "../../../test/support/git-repository.js";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import { toldProject } from "../../../test/support/told-project.js";
import { hookMoment } from "../claude-code/hook-moment.js";
import { readsItself } from "./reads-itself.js";

it("is the first file of rules that is there, by all its names in the root", () => {
  const root = temporaryFolder();
  const directory = join(root, "src/shop");
  mkdirSync(directory, { recursive: true });
  const read = (environment = {}) => readsItself({ root, directory }, environment);

  expect(read()).toEqual([]);
  writeFiles(root, { "CLAUDE.md": "- A rule." });
  expect(read()).toEqual(["CLAUDE.md"]);
  expect(read({ OPENCODE_DISABLE_CLAUDE_CODE_PROMPT: "1" })).toEqual([]);
  symlinkSync("CLAUDE.md", join(root, "AGENTS.md"));
  expect(read()).toEqual(["AGENTS.md", "CLAUDE.md"]);
  rmSync(join(root, "AGENTS.md"));
  writeFiles(root, { "AGENTS.md": "- Another." });
  expect(read()).toEqual(["AGENTS.md"]);
  expect(read({ OPENCODE_DISABLE_PROJECT_CONFIG: "true" })).toEqual([]);
  rmSync(join(root, "AGENTS.md"));
  // Where opencode finds that, it looks for no CLAUDE.md.
  writeFiles(root, { "src/AGENTS.md": "- Of a part." });
  expect(read()).toEqual([]);
});

it("[J9] no agent is told the rules of a file that it reads by itself, nor do they take the places of others", async () => {
  const own = "Deploys need the VPN of the office.";
  const { root, memory, told } = await toldProject({ type: "convention", content: own });
  const rules = Array.from({ length: 14 }, (_, n) => `- Deploys of part ${n} need the VPN of the office.`);
  writeFiles(root, { "CLAUDE.md": `# Rules\n\n${rules.join("\n")}\n`, "AGENTS.md": "- Deploys need a VPN key.\n" });
  await memory.projects.learn({ invited: true, trustRules: true });
  const byHook = (sessionId: string, hook: object) => {
    const moment = hookMoment({ session_id: sessionId, ...hook }, root);
    return moment ? told(moment) : [];
  };
  const prompt = "Do deploys need the VPN of the office?";
  const both = ["Deploys need a VPN key.", own];

  expect(await byHook("a", { hook_event_name: "SessionStart" })).toEqual(both);
  expect(await byHook("b", { hook_event_name: "UserPromptSubmit", prompt })).toEqual(both);
  const reads = readsItself({ root, directory: root }, {});
  expect(await told({ sessionId: "c", point: "session-start", reads })).not.toContain("Deploys need a VPN key.");
  expect((await told({ sessionId: "d", point: "session-start" })).length).toBeGreaterThan(2);
});
