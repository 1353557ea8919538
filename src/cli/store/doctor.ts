import type { Command } from "commander";
import type { Diagnosis } from "../../index.js";
import type { Page, Style } from "../terminal/page.js";
import { countOf } from "../../base/count-of.js";
import type { Shell } from "../terminal/shell.js";
import { padTo, widthOf } from "../terminal/text-width.js";

const marks: Record<Diagnosis["checks"][number]["status"], [Style, string]> = {
  ok: ["green", "✓"],
  warning: ["yellow", "!"],
  broken: ["red", "✗"],
};

export function addDoctor(program: Command, shell: Shell): void {
  program
    .command("doctor")
    .description("check the store; exit code 1 when something is broken")
    .option("--repair", "rebuild what can be rebuilt, and finish what is pending")
    .action(async ({ repair = false }: { repair?: boolean }) => {
      const diagnosis = await shell.withMemory((memory) => (repair ? memory.store.repair() : memory.store.diagnose()));
      await shell.print({ document: diagnosis, ok: diagnosis.ok, text: (page) => renderDiagnosis(diagnosis, page) });
    });
}

function renderDiagnosis({ ok, checks }: Diagnosis, page: Page): string {
  const column = Math.max(0, ...checks.map(({ name }) => widthOf(name)));
  const lines = checks.flatMap((check) => {
    const hint =
      check.hint === undefined ? [] : [`  ${" ".repeat(column)}  ${page.paint("dim", page.clean(check.hint))}`];
    return [
      `${page.paint(...marks[check.status])} ${padTo(check.name, column)}  ${page.clean(check.message)}`,
      ...hint,
    ];
  });
  const count = (wanted: string): number => checks.filter(({ status }) => status === wanted).length;
  const warnings =
    count("warning") === 0 ? "All is well." : `Nothing is broken; ${countOf(count("warning"), "warning")}.`;
  return [
    ...lines,
    "",
    ok ? warnings : `${countOf(count("broken"), "check")} of ${checks.length} found something broken.`,
  ].join("\n");
}
