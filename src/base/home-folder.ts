import { homedir } from "node:os";
import { join } from "node:path";

/** Tacit's own folder: `$TACIT_HOME`, else `~/.tacit`. */
export function homeFolder(): string {
  return process.env["TACIT_HOME"] || join(homedir(), ".tacit");
}
