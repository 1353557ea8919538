import { parseNodeId } from "../../base/ids/ids.js";
import type { CodeDigest, OfferedSection } from "../../codegraph/modules/modules.js";
import { disarmLine } from "../../hygiene/quote-data.js";
import type { ModuleDigest } from "./module.js";

const longestMemory = 160;

/** A digest as lines, from what matters most to what can be left out. Names and texts of others cannot steer who reads them. */
export function sectionsOf(digest: CodeDigest, memories: ModuleDigest["memories"]): OfferedSection[] {
  const { purpose, entryPoints, flows, central, testedBy, changesWith, uses, usedBy, files, parts } = digest;
  const sections: OfferedSection[] = [
    { title: titleOf(digest), lines: [`${purpose.text}${saidBy(purpose)}`], most: 1 },
    {
      title: "Memories",
      lines: memories.map(({ memory, on }) => {
        const doubt = memory.drift?.some(({ outcome }) => outcome === "doubt") ? "in doubt: " : "";
        return `${memory.type}: ${doubt}${short(memory.content)} (${memory.id.slice(-8)}, on ${on})`;
      }),
      most: 12,
    },
    {
      title: "Entered by",
      lines: entryPoints.map(({ node, users, testers, program, source, confidence }) =>
        withReasons(node.id, [
          ...(program === undefined ? [] : [program]),
          ...(users > 0 ? [`used by ${countOf(users, "file")}`] : []),
          ...(testers === undefined ? [] : [`used by ${countOf(testers, "test file")}`]),
          ...(source === "llm" ? [saidByModel(confidence)] : []),
        ]),
      ),
      most: 12,
    },
    { title: "Central", lines: central.map(({ node }) => withReasons(node.id, [node.kind])), most: 12 },
    {
      title: "Leads to",
      lines: flows.map(({ way, module, source, confidence }) =>
        withReasons(wayOf(way), [module, ...(source === "llm" ? [saidByModel(confidence)] : [])]),
      ),
      most: 8,
    },
    { title: "Tests", lines: testedBy, most: 10 },
    {
      title: "Changes with",
      lines: [
        ...changesWith.files.map(({ file, commits }) => withReasons(file, [countOf(commits, "commit")])),
        ...changesWith.modules
          .slice(0, 3)
          .map(({ module, commits }) => withReasons(`module ${module}`, [countOf(commits, "commit")])),
      ],
      most: 8,
    },
    { title: "Parts", lines: parts, most: 20 },
    {
      title: "Uses",
      lines: uses.map(({ module, imports }) => withReasons(module, [countOf(imports, "import")])),
      most: 8,
    },
    {
      title: "Used by",
      lines: usedBy.map(({ module, imports }) => withReasons(module, [countOf(imports, "import")])),
      most: 8,
    },
    { title: "Files", lines: files, most: 12 },
  ];
  return sections.map(({ title, lines, most }) => ({ title: disarmLine(title), lines: lines.map(disarmLine), most }));
}

function titleOf({ name, folder, files, tests }: CodeDigest): string {
  const place = folder === "" || folder === name ? "" : ` (${folder})`;
  return `${name}${place}: ${countOf(files.length, "file")}, ${countOf(tests.length, "test file")}`;
}

function withReasons(name: string, reasons: readonly string[]): string {
  return reasons.length === 0 ? name : `${name} (${reasons.join(", ")})`;
}

function saidByModel(confidence: number): string {
  return `said by a model, ${confidence.toFixed(2)} sure`;
}

/** Who says it. What a file of the repository says of itself is nobody else's word. */
function saidBy({ source, file, confidence = 0, isOutdated }: CodeDigest["purpose"]): string {
  if (source === "file") return file === undefined ? "" : ` (${file})`;
  if (source === "names") return "";
  return ` (${saidByModel(confidence)}${isOutdated ? ", before it last changed" : ""})`;
}

/** `src/a.ts#open → read → src/b.ts#Store`: what stays in a file is told by its name alone. */
function wayOf(way: readonly string[]): string {
  let file = "";
  return way
    .map((id) => {
      const { file: own, symbol } = parseNodeId(id);
      const isSame = own === file && symbol !== "";
      file = own;
      return isSame ? symbol : id;
    })
    .join(" → ");
}

function short(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length <= longestMemory ? line : `${line.slice(0, longestMemory).replace(/\p{Cs}$/u, "")} …`;
}

function countOf(count: number, word: string): string {
  return count === 1 ? `1 ${word}` : `${count} ${word}s`;
}
