import { packageNameOf, sentencesOf } from "./checked-values.js";
import type { ProjectFact } from "./project-facts.js";

/** What a manifest calls the project, in its own sentences; none where it has no description that says something. */
export function aboutFact(file: string, name: unknown, description: unknown): ProjectFact[] {
  const called = packageNameOf(name);
  const sentences = sentencesOf(description);
  if (sentences === undefined) return [];
  const content = `What this project is, by its ${file}${called === undefined ? "" : ` (${called})`}: "${sentences}"`;
  return [{ subject: "about", file, content, isQuoted: true }];
}
