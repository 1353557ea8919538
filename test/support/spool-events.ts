import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { temporaryFolder } from "./temporary-folder.js";
import type { Note } from "../../src/observer/observer.js";
import type { SpoolPlace } from "../../src/observer/spool/spool-place.js";

export const prompt: Note = { kind: "prompt", at: 1, text: "Mend it." };

export const end: Note = { kind: "end", at: 2, outcome: "unknown" };

export function newPlace(): SpoolPlace {
  const home = temporaryFolder();
  return { home, db: join(home, `${randomUUID()}.db`), root: "/project" };
}
