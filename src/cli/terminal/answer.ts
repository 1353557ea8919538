import type { Page } from "./page.js";

/** What a command has to say, in the three forms that can be asked for. */
export interface Answer {
  /** The one document of `--json`. */
  document: unknown;
  /** What `--quiet` prints, one on a line. */
  ids?: string[];
  /** What a person reads. */
  text(page: Page): string;
  /** True when it shows nothing but what the caller has just said. */
  isSaidByCaller?: boolean;
  /** False when the command ran but what it found is bad; the exit code is then 1. */
  ok?: boolean;
  /** What is done once the answer is out and nobody waits for it any more. It has nothing to say, and must not throw. */
  afterwards?(): Promise<void>;
}
