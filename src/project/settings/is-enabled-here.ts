import { Store } from "../../storage/storage.js";
import { identifyFolder } from "../folder/identify-folder.js";
import { effectiveSettings } from "./effective-settings.js";

// An agent waits.
const patienceMs = 100;

/** Whether anything new is kept in a folder, for a process that has no store open. */
export async function isEnabledHere(db: string, place: { home: string; root: string }): Promise<boolean> {
  const store = new Store({ db, timeoutMs: patienceMs });
  try {
    return (await effectiveSettings(store, await identifyFolder(place.root), place)).enabled;
  } catch {
    // Nobody knows that the user has accepted it.
    return false;
  } finally {
    await store.close().catch(() => undefined);
  }
}
