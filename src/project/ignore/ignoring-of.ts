import type { IgnoreSetting } from "../../config/config.js";
import { type Ignoring, openIgnoring } from "./open-ignoring.js";

/** Where somebody works, and what is set there; every context of a project is one. */
interface Place {
  folder: () => Promise<{ root: string }>;
  settings: () => Promise<{ ignore: IgnoreSetting }>;
}

/** What is ignored where somebody works, as the files and the settings say now. */
export async function ignoringOf({ folder, settings }: Place): Promise<Ignoring> {
  const [{ root }, { ignore }] = await Promise.all([folder(), settings()]);
  return openIgnoring({ root, ignore });
}
