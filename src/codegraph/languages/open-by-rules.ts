import type { Extract } from "./language.js";
import type { Rules } from "./reading.js";

/** Opens what reads a language by its rules. They are loaded only then: most who ask for a language read no file of it. */
export async function openByRules(load: () => Promise<Rules>): Promise<Extract> {
  const [{ readByRules }, rules] = await Promise.all([import("./read-by-rules.js"), load()]);
  return readByRules(rules);
}
