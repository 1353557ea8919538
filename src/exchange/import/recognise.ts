import { basename } from "node:path";
import { isHistory } from "../formats/history-file.js";
import { fieldOfKey } from "../formats/markdown-keys.js";
import { hasRuleSection } from "../rules/rule-section.js";

export type ImportKind = "jsonl" | "memory-json" | "markdown" | "rules" | "history";

/**
 * What a file holds, by its beginning (64 KiB are enough). The name only decides between the rules of an agent and a
 * note. Undefined for what is neither, and for what is no text.
 */
export function recognise(text: string, fileName: string): ImportKind | undefined {
  const beginning = text.replace(/^\uFEFF/, "").trimStart();
  if (beginning === "" || isBinary(beginning)) return undefined;
  if (beginning.startsWith("{")) return recogniseJson(beginning);
  const keys = frontMatterKeys(beginning);
  if (keys.includes("id") || keys.includes("type")) return "markdown";
  if (isHistory(beginning, fileName)) return "history";
  if (hasRuleSection(beginning) || isRuleFile(fileName) || keys.some((key) => ruleKeys.has(key))) return "rules";
  const isNote = keys.some((key) => fieldOfKey(key, "whole")) || /\.(?:md|markdown|txt)$/i.test(fileName);
  return isNote ? "markdown" : undefined;
}

function isBinary(beginning: string): boolean {
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  const strange = beginning.match(/[\x01-\x08\x0e-\x1a\x1c-\x1f\uFFFD]/g)?.length ?? 0;
  return beginning.includes("\0") || strange * 20 > beginning.length;
}

/** The text may be cut off, and the file damaged: it must still be known for what it is, to be refused with the place. */
function recogniseJson(beginning: string): "jsonl" | "memory-json" | undefined {
  const [firstLine = ""] = beginning.split("\n", 1);
  if (/^\{\s*"format"\s*:\s*"tacit-memories"/.test(firstLine)) return "jsonl";
  const memories = beginning.search(/"memories"\s*:\s*\[/);
  const content = beginning.search(/"content"\s*:/);
  if (memories !== -1 && (content === -1 || memories < content)) return "memory-json";
  return content !== -1 && content < firstLine.length ? "jsonl" : undefined;
}

const ruleKeys = new Set(["globs", "alwaysApply", "applyTo"]);
const ruleNames =
  /^(?:(?:claude|agents?|gemini)(?:\.local)?\.md|\.(?:cursor|windsurf|cline)rules|copilot-instructions\.md|.*\.(?:mdc|instructions\.md))$/i;

/** A MEMORY.md, which other agents write as well. In small letters it is any document. */
export function isMemoryFile(fileName: string): boolean {
  return basename(fileName) === "MEMORY.md";
}

function isRuleFile(fileName: string): boolean {
  return (
    isMemoryFile(fileName) ||
    ruleNames.test(basename(fileName)) ||
    /(?:^|[\\/])\.(?:cursor|claude|windsurf|cline)[\\/]rules[\\/]/.test(fileName)
  );
}

function frontMatterKeys(beginning: string): string[] {
  const [, frontMatter = ""] = /^---[ \t]*\r?\n([^]*?)^---[ \t]*$/m.exec(beginning) ?? [];
  return [...frontMatter.matchAll(/^([\w-]+)[ \t]*:/gm)].map(([, key = ""]) => key);
}
