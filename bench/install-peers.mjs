import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Installs what Tacit is compared with from this folder's own lockfile, unless it is there. False when that failed. */
export function installPeers() {
  const folder = import.meta.dirname;
  const stamp = join(folder, "node_modules", ".tacit-installed");
  const hash = createHash("sha256")
    .update(readFileSync(join(folder, "package-lock.json")))
    .digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === hash) return true;
  console.error("Installing the peers from bench/package-lock.json …");
  const { status } = spawnSync("npm", ["ci", "--no-audit", "--no-fund"], {
    cwd: folder,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
  if (status === 0) writeFileSync(stamp, hash);
  return status === 0;
}
