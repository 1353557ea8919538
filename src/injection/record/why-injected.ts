import type { InjectionPoint } from "../injection.js";

/**
 * Why a memory was told, for a person. In words of our own: what is noted of a session stays when the memory is purged, so
 * nothing of its text is in a note, and what led to it there is no more than the moment.
 */
export function whyInjected(
  { point, trigger }: { point: InjectionPoint; trigger?: string | undefined },
  { tokens }: { tokens: number },
): string {
  // A memory that took nothing was not told itself.
  if (point === "prompt" && tokens === 0) return "its files are nearly always read here";
  return (point === "step" ? triggers.get(trigger) : undefined) ?? points[point];
}

const triggers = new Map<string | undefined, string>([
  ["warning", "is about a file that was just touched"],
  ["recorded", "was remembered in this session"],
  ["answered-search", "answers a search"],
]);

const points: Record<InjectionPoint, string> = {
  "session-start": "worth knowing before anything else",
  prompt: "matched the prompt",
  "file-read": "is about a file that was read",
  step: "fits what was done last",
  planner: "worth knowing before planning",
  qa: "worth knowing before checking",
  relay: "was recorded by the role before",
  asked: "worth knowing for what it asked",
};
