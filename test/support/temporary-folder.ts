import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { onTestFinished } from "vitest";

const attempts = 50;

/** A folder of the running test's own, gone when it ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "tacit-test-"));
  onTestFinished(() => remove(folder));
  return folder;
}

/** The last hook of an agent may still write when the agent is gone. Node itself tries a folder again, not what is new in it. */
async function remove(folder: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      if (attempt === attempts) throw error;
    }
    await setTimeout(100);
  }
}
