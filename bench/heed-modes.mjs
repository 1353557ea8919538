// Root reads and writes whatever the modes of files say. Tests of files that may not be read or written take that right away
// from the program they start, which stays the same user: another user might not be let into the folder that the program lies in.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const scripts = [
  'exec "$@"',
  'exec setpriv --bounding-set=-dac_override,-dac_read_search --inh-caps=-dac_override,-dac_read_search "$@"',
];

/** A shell script that gets a command line as "$@" and runs it so that the modes of files count; or why there is none here. */
export function heedModes() {
  found ??= findScript();
  return found;
}

let found;

function findScript() {
  const folder = mkdtempSync(join(tmpdir(), "tacit-modes-"));
  const closed = join(folder, "closed");
  writeFileSync(closed, "");
  chmodSync(closed, 0o000);
  try {
    const under = scripts.find((script) => canRead(script, import.meta.filename) && !canRead(script, closed));
    return under === undefined ? { reason } : { under };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const reason = "no program that the modes of files hold for can read this clone";

/** Whether Node can read the file when it is run by the script. */
export function canRead(script, file) {
  const read = "require('node:fs').readFileSync(process.argv[1])";
  return spawnSync("bash", ["-c", script, "bash", process.execPath, "-e", read, file]).status === 0;
}
