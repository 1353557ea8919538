import { vi } from "vitest";
import { readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { TacitMemory } from "../../src/index.js";
import { editFile, files, newText, oldText, putShared, type Stage } from "./change-stage.js";
import { input, known, older } from "./editing-verbs.js";
import { startFakeChroma } from "./fake-chroma.js";
import { commitFiles, git } from "./git-repository.js";
import type { WritingVerb } from "./writing-verb.js";

const id = "0193a0c2-1111-7abc-8def-0123456789ab";
const shared = `---
id: ${id}
type: decision
files: [src/pay.ts, "pattern:Retry"]
created: 2026-11-01T00:00:00.000Z
---

${newText}
`;

/** What comes from files, from other programs and from the code itself. */
export const exchangeVerbs: WritingVerb[] = [
  {
    name: "memory.exchange.import",
    of: "what is new",
    does: "states",
    makes: true,
    act: async (memory) => {
      await memory.exchange.import(lines({ id, ...input }));
      return id;
    },
  },
  {
    name: "memory.exchange.import",
    of: "a newer text",
    does: "states",
    given: older,
    act: async (memory, _, given) => {
      const updatedAt = new Date(Date.now() + 1000).toISOString();
      await memory.exchange.import(lines({ ...input, id: given, updatedAt }));
    },
  },
  {
    name: "memory.exchange.import",
    of: "the same text with a tag",
    does: "changes",
    given: known,
    act: async (memory) => void (await memory.exchange.import(lines({ ...input, tags: ["money"] }))),
  },
  {
    name: "memory.exchange.importChroma",
    does: "states",
    makes: true,
    act: async (memory, { onEnd }) => {
      const { url, collections } = await startFakeChroma(onEnd);
      collections.set("memories", {
        id: "ca6da3d5-6cd2-4351-8ed1-000000000001",
        name: "memories",
        dimension: null,
        metadata: null,
        configuration_json: { embedding_function: null },
        entries: new Map([[id, entry]]),
      });
      await memory.exchange.importChroma(url);
      return id;
    },
    but: {
      contradictions: ["untouched", "anybody may have written it, and it contradicts nothing"],
      "memory-file": ["counted", "anybody may have written it, and it stands in no file"],
    },
  },
  {
    name: "memory.exchange.share",
    of: "a file that its user changed",
    does: "states",
    given: async (memory) => {
      const made = await memory.remember({
        ...input,
        relatedFiles: ["src/pay.ts"],
        content: oldText,
        visibility: "project",
      });
      await memory.exchange.share();
      return made.id;
    },
    act: async (memory, stage) => {
      editFile(sharedFile(stage), oldText, newText);
      editFile(sharedFile(stage), "[src/pay.ts]", `[src/pay.ts, "pattern:Retry"]`);
      commitOwn(stage.root);
      await memory.exchange.share();
    },
  },
  {
    name: "memory.exchange.share",
    of: "a file that its user added",
    does: "states",
    makes: true,
    given: async (memory) => memory.projects.accept(),
    act: async (memory, { root }) => {
      putShared(root, "decision-456789ab.md", shared);
      commitOwn(root);
      await memory.exchange.share();
      return id;
    },
  },
  {
    name: "memory.exchange.share",
    of: "a memory that is named",
    does: "changes",
    given: async (memory) => {
      await memory.projects.accept();
      return known(memory);
    },
    act: async (memory, _, given) => void (await memory.exchange.share({ references: [given] })),
  },
  {
    name: "memory.store.notices",
    of: "takes in a file that a trusted author added",
    does: "states",
    makes: true,
    given: async (memory) => {
      await memory.projects.accept();
      await memory.exchange.share({ trust: ["test@example.com"] });
    },
    act: async (memory, { root }) => {
      putShared(root, "decision-456789ab.md", shared);
      commitOwn(root);
      git(root, "remote", "add", "origin", "https://example.org/shop.git");
      git(root, "update-ref", "refs/remotes/origin/main", "HEAD");
      // Files are looked at once a second at most, and not while somebody else writes.
      const isKnown = async () => {
        await memory.store.notices();
        await memory.history(id);
      };
      await vi.waitFor(isKnown, { interval: 100, timeout: 10_000 });
      return id;
    },
  },
  {
    name: "memory.projects.accept",
    of: "a file that came with the folder",
    does: "states",
    makes: true,
    act: async (memory, { root }) => {
      putShared(root, "decision-456789ab.md", shared);
      await memory.projects.accept();
      return id;
    },
  },
  {
    name: "memory.projects.accept",
    of: "what was learned from its files",
    does: "changes",
    given: async (memory, { root }) => {
      commitFiles(root, { "CLAUDE.md": `# Rules\n\n- ${newText}.\n` });
      await memory.projects.learn({ rules: true });
      return rule(memory);
    },
    act: async (memory) => memory.projects.accept(),
    but: { contradictions: ["reached", "somebody vouches for it from now on"] },
  },
  {
    name: "memory.projects.learn",
    of: "a rule that is new",
    does: "states",
    makes: true,
    act: async (memory, { root }) => {
      commitFiles(root, { "CLAUDE.md": `# Rules\n\n- ${newText}.\n` });
      await memory.projects.learn({ invited: true, trustRules: true });
      return rule(memory);
    },
    but: {
      links: ["untouched", "a rule is about the project, and names no files"],
      concepts: ["untouched", "a rule is about the project, and names no files"],
    },
  },
  {
    name: "memory.projects.learn",
    of: "a fact that has changed",
    does: "states",
    text: "vitest run --coverage",
    given: async (memory) => {
      const { facts } = await memory.projects.learn({ invited: true });
      return facts.memories.find(({ content }) => content.includes("vitest"))?.id;
    },
    act: async (memory, { root }) => {
      writeFileSync(join(root, "package.json"), `{ "name": "shop", "scripts": { "test": "vitest run --coverage" } }\n`);
      await memory.projects.learn({ invited: true });
    },
    but: {
      links: ["untouched", "the file that it names is no code"],
      concepts: ["untouched", "the file that it names is no code"],
      contradictions: ["noted", "nothing else on the stage says how to test"],
    },
  },
  {
    name: "memory.index",
    of: "a file that was moved",
    does: "changes",
    given: known,
    act: async (memory, { root }) => {
      renameSync(join(root, "src", "pay.ts"), join(root, "src", "charge.ts"));
      commitFiles(root, {});
      await memory.index();
    },
    but: {
      links: ["reached", "the symbol is in another file now"],
      embedding: ["reached", "a vector tells of the files, too"],
      grounding: ["reached", "it rests on another file now"],
    },
  },
  {
    name: "memory.code.stateConcept",
    does: "states",
    makes: true,
    act: async (memory) => {
      const { memories } = await memory.code.stateConcept("pattern:retry", {
        content: newText,
        places: ["src/pay.ts"],
      });
      return memories[0]?.id;
    },
    but: { concepts: ["untouched", "by its name it is the pattern itself"] },
  },
];

const entry = {
  document: newText,
  embedding: [],
  metadata: {
    type: "fact",
    created_at: "2026-11-15T08:00:00.000",
    tacit_version: 1,
    tacit_type: "decision",
    tacit_related_files: JSON.stringify(files),
  },
};

function lines(...records: object[]): Readable {
  return Readable.from([Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(""))]);
}

async function rule(memory: TacitMemory): Promise<string | undefined> {
  return (await memory.list({ status: "any" })).find(({ content }) => content.includes(newText))?.id;
}

/** The one that Tacit wrote. */
function sharedFile({ root }: Stage): string {
  const folder = join(root, ".tacit", "memories");
  return join(folder, readdirSync(folder).find((name) => name.startsWith("decision-")) ?? "");
}

/** As somebody does it in a clone of their own. */
function commitOwn(root: string): void {
  git(root, "config", "user.email", "test@example.com");
  git(root, "add", "--all", "--force");
  commitFiles(root, {});
}
