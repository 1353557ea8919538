import { chooseOfFiles } from "../selection/choose-for-file.js";
import type { SelectionOptions, Choice, InjectionPorts, Moment } from "../injection.js";

// The first design.
const types = ["gotcha", "error_pattern", "dead_end"];
const minConfidence = 0.65;
const most = 4;

/** What warns of a file that was just read or edited, as far as it is sure. */
export async function findWarnings(
  ports: InjectionPorts,
  { sessionId, touched = [] }: Extract<Moment, { point: "step" }>,
  asked: SelectionOptions,
): Promise<Choice[]> {
  const sure = { ...asked, minConfidence: Math.max(minConfidence, asked.minConfidence) };
  return chooseOfFiles(ports, { sessionId, files: touched, types, most, why: "was just touched" }, sure);
}
