import { dropPrivateParts } from "../../hygiene/private-parts.js";
import type { IncomingMemory } from "../formats/incoming.js";
import { cutBlocks, type Block } from "../formats/markdown-blocks.js";
import { withDefaults } from "../formats/record-fields.js";
import { relatedPaths } from "./related-paths.js";
import { withoutClutter } from "./rule-clutter.js";
import { takeRuleFrontMatter, type RuleFrontMatter } from "./rule-front-matter.js";
import { takeRuleSections } from "./rule-section.js";
import { typeOfRules } from "./rule-types.js";
import { splitLong } from "./split-long.js";

/**
 * The rules of an agent's file (CLAUDE.md, AGENTS.md, .cursorrules, …) as memories: each list item with what is nested
 * in it, and each paragraph, with the code that follows. The headings above it decide its type and become tags; files
 * that it names in backticks become related files. What Tacit wrote itself comes back as it was.
 *
 * Left out: comments, imports (`@docs/x.md`), badges, tables of contents, and lines that hold nothing but a tag.
 */
export async function parseRules(text: string, file: string): Promise<IncomingMemory[]> {
  // Before the text is cut: a private part may reach over several rules.
  const whole = dropPrivateParts(text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n"));
  const { frontMatter, rest } = takeRuleFrontMatter(whole);
  const sections = takeRuleSections(rest, file);
  const rules = listRules(cutBlocks(sections.rest).map((block) => ({ ...block, text: withoutClutter(block) })));
  return [...rules.flatMap((rule) => toMemories(rule, frontMatter, file)), ...sections.memories];
}

interface Rule {
  content: string;
  line: number;
  type: string;
  tags: string[];
  /** That the headings above it name. */
  files: string[];
}

function listRules(blocks: readonly Block[]): Rule[] {
  const rules: Rule[] = [];
  const title = findTitle(blocks);
  let headings: Block[] = [];
  /** A short paragraph that announces the list below it: a heading in all but form. */
  let label: Block | undefined;
  /** What the next number belongs to: the steps of a recipe are one memory, and so is a sentence that they end. */
  let steps: Rule | undefined;

  for (const [index, block] of blocks.entries()) {
    const { kind, line, text, raw, level = 0, ordered } = block;
    if (kind === "item" && ordered && steps) {
      steps.content += `\n${raw}`;
      continue;
    }
    steps = undefined;
    if (kind === "heading") headings = [...headings.filter((outer) => (outer.level ?? 0) < level), block];
    if (kind !== "item") {
      label = kind === "paragraph" && blocks[index + 1]?.kind === "item" && isLabel(text) ? block : undefined;
    }
    if (kind === "heading" || kind === "break" || label === block || !/[\p{L}\p{N}]/u.test(text)) continue;

    const named = [...headings, ...(label ? [label] : [])].filter((heading) => heading !== title);
    const above = named.length === 0 && title ? [title] : named;
    const rule = {
      content: text,
      line,
      type: typeOfRules(above.map((heading) => heading.text).toReversed()),
      tags: [...new Set(named.map((heading) => slugOf(heading.text)))],
      files: relatedPaths(named.map((heading) => heading.text).join("\n")),
    };
    if (kind === "item" && ordered && rule.type === "workflow_recipe") {
      rule.content = label ? `${label.text}\n${raw}` : raw;
      steps = rule;
    }
    if (kind === "paragraph" && text.endsWith(":")) steps = rule;
    rules.push(rule);
  }
  return rules.map((rule) => ({ ...rule, tags: rule.tags.filter((tag) => tag !== "" && !fileTitles.test(tag)) }));
}

const fileTitles = /^(?:claude|agents|gemini)-md$/;

/** The heading of the whole file says nothing about one rule; unless there is no other. */
function findTitle(blocks: readonly Block[]): Block | undefined {
  const [first, second, ...rest] = blocks.filter(({ kind }) => kind === "heading");
  return first?.level === 1 && second && [second, ...rest].every(({ level }) => level !== 1) ? first : undefined;
}

function isLabel(text: string): boolean {
  return text.length <= 80 && !text.includes("\n") && /(?::\**|^\*\*[^*]+\*\*)$/.test(text);
}

function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/^[\d.)\s]+(?=\p{L})/u, "")
    .replace(/['’`]/g, "")
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .slice(0, 60)
    .replace(/^-+|-+$/g, "");
}

function toMemories(rule: Rule, { description, globs }: RuleFrontMatter, file: string): IncomingMemory[] {
  const { line, type, tags, files } = rule;
  const metadata = { ...(description !== undefined && { description }), ...(globs && { globs }) };
  return splitLong(rule.content).map((content) => ({
    record: withDefaults({
      content,
      type,
      tags,
      relatedFiles: [...new Set([...files, ...relatedPaths(content)])],
      metadata,
    }),
    origin: `${file}:${line}`,
  }));
}
