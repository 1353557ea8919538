import { dropPrivateParts } from "../../hygiene/private-parts.js";
import { cutBlocks } from "../formats/markdown-blocks.js";
import { withoutClutter } from "../rules/rule-clutter.js";
import { sentencesOf } from "./checked-values.js";
import type { ProjectFact } from "./project-facts.js";

// What a README is begins at its top; the rest may be long, and cutting takes time.
const topCharacters = 16 * 1024;

// "See the comparison to other libraries.", "Note that …", "Please star it": says nothing of what this is.
const pointsElsewhere = /^(?:see|note|please)\b/i;

/** The first paragraph of a README that says something: no title, no badge, no table, no list, no pointer to elsewhere. */
export function readmeFacts(text: string, file: string): ProjectFact[] {
  // Before the text is cut: a private part may reach over several paragraphs.
  const top = dropPrivateParts(text)
    .slice(0, topCharacters)
    .replace(/^\uFEFF/, "")
    .replace(/\r\n?/g, "\n")
    .replace(/^---\n[^]*?\n---\n/, "");
  for (const block of cutBlocks(top)) {
    if (block.kind !== "paragraph") continue;
    // A block of HTML: its text stands between tags, and is mostly a logo and links.
    const paragraph = withoutClutter({ ...block, text: block.text.replace(/^\s*>\s?/gm, "") });
    if (/^\s*[<|]|^\s*\[!|^\s*\.\. /.test(paragraph)) continue;
    const [, prose = paragraph] = /^([^]*?)\n\s*(?:```|~~~)/.exec(paragraph) ?? [];
    const sentences = sentencesOf(prose);
    if (sentences !== undefined && !pointsElsewhere.test(sentences)) {
      return [
        { subject: "readme", file, content: `What this project is, by its ${file}: "${sentences}"`, isQuoted: true },
      ];
    }
  }
  return [];
}
