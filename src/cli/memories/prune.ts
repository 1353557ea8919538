import type { Command } from "commander";
import type { Memory, PruneReport } from "../../index.js";
import type { Answer } from "../terminal/answer.js";
import { countOf } from "../../base/count-of.js";
import type { Page } from "../terminal/page.js";
import { renderMemoryList } from "../listing/render-memory-list.js";
import type { Shell } from "../terminal/shell.js";

const explanation = `
Forgets what nobody used for three half-lives (tacit types shows them), and where maxEntries is set, what is least
worth keeping beyond it; neither what is pinned. It can be restored for 30 days. Erases for good what was forgotten
longer ago, and what expired more than cleanupDays ago. All of this happens by itself once a day.
`;

export function addPrune(program: Command, shell: Shell): void {
  program
    .command("prune")
    .description("let go of what has faded, and of what was let go long ago")
    .option("--dry-run", "only tell what would go")
    .addHelpText("after", explanation)
    .action(async ({ dryRun = false }: { dryRun?: boolean }) => shell.print(await prune(shell, dryRun)));
}

async function prune(shell: Shell, dryRun: boolean): Promise<Answer> {
  const { faded, evicted, purged } = await shell.withMemory((memory) => memory.store.prune({ dryRun }));
  return {
    document: { dryRun, faded, evicted, purged },
    ids: [...faded, ...evicted, ...purged].map(({ id }) => id),
    text: (page) => renderReport({ faded, evicted, purged }, dryRun, page),
  };
}

function renderReport({ faded, evicted, purged }: PruneReport, dryRun: boolean, page: Page): string {
  const [forgot, erased] = dryRun ? ["Would forget", "Would erase"] : ["Forgot", "Erased"];
  const parts: [verb: string, memories: Memory[], why: string][] = [
    [forgot, faded, "that nobody used for three half-lives"],
    [forgot, evicted, "to stay within maxEntries"],
    [erased, purged, "for good, let go or expired long ago"],
  ];
  const lists = parts
    .filter(([, memories]) => memories.length > 0)
    .map(([verb, memories, why]) =>
      [`${verb} ${countOf(memories.length, "memory")} ${why}:`, renderMemoryList(memories, page)].join("\n"),
    );
  if (lists.length === 0) return "Nothing to prune.";
  return [...lists, ...closingWords({ faded, evicted }, dryRun).map((line) => page.paint("dim", line))].join("\n\n");
}

function closingWords({ faded, evicted }: Pick<PruneReport, "faded" | "evicted">, dryRun: boolean): string[] {
  if (dryRun) return ["The daily pruning does this by itself."];
  return faded.length + evicted.length > 0 ? ["tacit restore REF brings back what was forgotten, for 30 days."] : [];
}
