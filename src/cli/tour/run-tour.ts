import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Page } from "../terminal/page.js";
import { openStage, type StepReport } from "./tour-stage.js";
import { closingWords, openingWords, steps } from "./tour-steps.js";

/** What the tour did: every command it ran, and every promise it checked on the way. */
export interface TourReport {
  /** False when a promise did not hold. */
  ok: boolean;
  steps: StepReport[];
}

export interface TourOptions {
  page: Page;
  /** Prints a line. */
  print: (line: string) => void;
  /** How long a reader gets after each step. */
  pauseMs: number;
}

/**
 * Shows what Tacit does by doing it, with the real command line, in a home of its own that is gone afterwards.
 * The user's own store is never opened.
 */
export async function runTour({ page, print, pauseMs }: TourOptions): Promise<TourReport> {
  const home = mkdtempSync(join(tmpdir(), "tacit-tour-"));
  const stage = openStage(home, page, print);
  const cleanUp = (): void => {
    stage.stop();
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  };
  process.once("exit", cleanUp);
  process.once("SIGINT", leave);
  process.once("SIGTERM", leave);

  try {
    print(openingWords(page));
    for (const [index, step] of steps.entries()) {
      stage.begin(`${index + 1}/${steps.length}`, step.title);
      await step.run(stage).catch((error: unknown) => stage.check(String(error), false));
      await wait(pauseMs);
    }
    const ok = stage.report.every((step) => step.checks.every((check) => check.holds));
    print(closingWords(page, ok));
    return { ok, steps: stage.report };
  } finally {
    process.off("SIGINT", leave);
    process.off("SIGTERM", leave);
    process.off("exit", cleanUp);
    cleanUp();
  }
}

/** With the exit code that a shell expects of a command that was stopped. */
function leave(signal: NodeJS.Signals): void {
  process.exit(signal === "SIGINT" ? 130 : 143);
}
