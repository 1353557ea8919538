/**
 * The first path among a build tool's arguments that leads out of the project: what it builds, tests or loads from there
 * is not the project's. Where it only writes to, does not matter.
 */
export function findPathElsewhere(args: readonly string[], isInside: (path: string) => boolean): string | undefined {
  for (const [index, arg] of args.entries()) {
    const [, option, value = arg] = /^(--?[\w.-]+)=(.*)$/s.exec(arg) ?? [];
    const before = args[index - 1] ?? "";
    const named = option ?? (before.startsWith("-") && !before.includes("=") ? before : "");
    if (taking.test(named.replace(/^--?/, ""))) continue;
    if (/^(?:~|\.\.)?\/[\w.@~+/*-]*$|^\.\.$/.test(value) && !isInside(value)) return value;
  }
  return undefined;
}

// Options that name where something is written to, or no path at all.
const taking =
  /^(?:o|B|t|k|g|m|out|outdir|outfile|out-\w+|output\w*|output-\w+|dest\w*|cache\w*|cache-\w+|\w*-cache-dir|basetemp|te?mp\w*|temp-\w+|log\w*|report-?(?:file|dir|path|folder)|coverage\w*|coverage-\w+|cover\w*|junit\w*|target-dir|tsBuildInfoFile|declarationDir|\w*profile|cpu-?prof\w*|grep|run|filter|name|testNamePattern|message|build-dir|install-prefix|gradle-user-home|func|html|debug\w*|json\w*)$/i;
