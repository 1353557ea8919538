import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export function median(values) {
  return percentile(values, 0.5);
}

export function percentile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}

const folders = new Set();

// A run that fails half-way leaves nothing behind either.
process.once("exit", () => folders.forEach(removeFolder));

export function temporaryFolder() {
  const path = mkdtempSync(join(tmpdir(), "tacit-bench-"));
  folders.add(path);
  return { path, remove: () => removeFolder(path) };
}

function removeFolder(path) {
  rmSync(path, { recursive: true, force: true });
  folders.delete(path);
}

/** What the work gives; its milliseconds are added to `times`. */
export async function timed(times, work) {
  const start = performance.now();
  const result = await work();
  times.push(performance.now() - start);
  return result;
}
