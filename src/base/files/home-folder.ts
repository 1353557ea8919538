import { homedir, userInfo } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { MemoryError } from "../memory-error.js";
import { refuseUnsafeFolder } from "./refuse-unsafe-folder.js";

/**
 * Tacit's own folder, by its whole path: `$TACIT_HOME`, else `~/.tacit`. A relative `TACIT_HOME` counts from the working
 * directory, and `~` is the user's home. What is empty counts as not set: a folder in somebody's work tree would be the end
 * of it. Throws where somebody else decides what is in it.
 */
export function homeFolder(askSystem: AskSystem = userInfo): string {
  const home = findHome(askSystem);
  refuseUnsafeFolder(home);
  return home;
}

function findHome(askSystem: AskSystem): string {
  const named = process.env["TACIT_HOME"]?.trim();
  if (!named) return join(userHome(askSystem), ".tacit");
  return resolve(named.replace(/^~(?=$|[\\/])/, () => userHome(askSystem)));
}

/** The user's home; throws where nobody knows one. */
export function userHome(askSystem: AskSystem = userInfo): string {
  const home = findUserHome(askSystem);
  if (home !== undefined) return home;
  throw new MemoryError(
    "home-unknown",
    "This user has no home folder: HOME is not set, and the system knows of none.",
    "Set HOME, or TACIT_HOME to a folder for Tacit alone.",
  );
}

type AskSystem = () => { homedir: string };

/** The user's home, by its whole path: what the environment says, else what the system knows. */
export function findUserHome(askSystem: AskSystem = userInfo): string | undefined {
  for (const ask of [homedir, () => askSystem().homedir]) {
    try {
      const home = ask();
      if (isAbsolute(home)) return home;
    } catch {
      // A user that the system does not know, as in some containers.
    }
  }
  return undefined;
}
