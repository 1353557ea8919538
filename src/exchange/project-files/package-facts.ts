import { aboutFact } from "./about-fact.js";
import { entryOf, isPlainCommand, tableOf, versionsOf } from "./checked-values.js";
import type { ProjectFolder } from "./open-project-folder.js";
import type { ProjectFact } from "./project-facts.js";

const file = "package.json";

/** What a package.json says, and what the lock file beside it tells of the package manager. Throws where it is no JSON. */
export function packageFacts(text: string, { names }: Pick<ProjectFolder, "names">): ProjectFact[] {
  const manifest = JSON.parse(text.replace(/^\uFEFF/, "")) as unknown;
  const scripts = tableOf(entryOf(manifest, "scripts"));
  const manager = findManager(manifest, names);
  const run = manager?.name ?? "npm";
  const node = versionsOf(entryOf(manifest, "engines", "node"));
  const facts: (ProjectFact | undefined)[] = [
    ...aboutFact(file, entryOf(manifest, "name"), entryOf(manifest, "description")),
    ...tasks.map(({ subject, scripts: wanted, say }) => scriptFact(scripts, run, subject, wanted, say)),
    manager && {
      subject: "install",
      file: manager.file,
      content: `Dependencies are installed with \`${run} install\`.`,
    },
    node === undefined ? undefined : { subject: "needs", file, content: `It needs Node ${node}.` },
    entryOf(manifest, "type") === "module"
      ? { subject: "modules", file, content: 'Its .js files are ES modules: package.json has "type": "module".' }
      : undefined,
    otherScripts(scripts, run),
  ];
  return facts.filter((fact) => fact !== undefined);
}

const tasks: { subject: ProjectFact["subject"]; scripts: string[]; say: string }[] = [
  { subject: "test", scripts: ["test", "tests", "test:unit"], say: "The tests run with" },
  { subject: "build", scripts: ["build", "compile"], say: "It is built with" },
  { subject: "lint", scripts: ["lint"], say: "The linter runs with" },
  {
    subject: "types",
    scripts: ["types", "typecheck", "type-check", "check-types", "check:types"],
    say: "Types are checked with",
  },
  { subject: "start", scripts: ["start"], say: "It is started with" },
  { subject: "dev", scripts: ["dev", "develop"], say: "During development it runs with" },
];

function scriptFact(
  scripts: Record<string, unknown>,
  run: string,
  subject: ProjectFact["subject"],
  wanted: readonly string[],
  say: string,
): ProjectFact | undefined {
  const name = wanted.find((one) => typeof entryOf(scripts, one) === "string");
  const command = name === undefined ? undefined : entryOf(scripts, name);
  // What npm puts there where there is no test.
  if (name === undefined || /no test specified/.test(String(command))) return undefined;
  const behind = isPlainCommand(command) ? ` (${command})` : "";
  return { subject, file, content: `${say} \`${lineOf(run, name)}\`${behind}.` };
}

/** `npm test`, `npm run build`; the short form only where it is the same everywhere. */
function lineOf(run: string, script: string): string {
  return ["test", "start"].includes(script) && run !== "bun" ? `${run} ${script}` : `${run} run ${script}`;
}

// What npm calls by itself around another script, or for itself.
const called = /^(?:pre|post)|^(?:install|prepare|publish|version|pack)$/;
const maxScripts = 12;

/** Their names are for whoever wrote the file to choose. */
function otherScripts(scripts: Record<string, unknown>, run: string): ProjectFact | undefined {
  const told = new Set(tasks.flatMap((task) => task.scripts));
  const others = Object.keys(scripts).filter(
    (name) => !told.has(name) && !called.test(name) && /^[a-z][\w:.-]{0,30}$/i.test(name),
  );
  if (others.length === 0) return undefined;
  const more = others.length > maxScripts ? " and more" : "";
  const list = others.slice(0, maxScripts).map((name) => `\`${name}\``);
  const content = `package.json has more scripts, for \`${run} run\`: ${list.join(", ")}${more}.`;
  return { subject: "scripts", file, content, isQuoted: true };
}

const lockFiles: [file: string, name: string][] = [
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
  ["package-lock.json", "npm"],
  ["npm-shrinkwrap.json", "npm"],
];

function findManager(manifest: unknown, names: ReadonlySet<string>): { name: string; file: string } | undefined {
  const [, stated] = /^(npm|pnpm|yarn|bun)@\d/.exec(String(entryOf(manifest, "packageManager"))) ?? [];
  if (stated !== undefined) return { name: stated, file };
  const lock = lockFiles.find(([lockFile]) => names.has(lockFile));
  return lock && { name: lock[1], file: lock[0] };
}
