import { parse } from "smol-toml";
import { aboutFact } from "./about-fact.js";
import { entryOf, tableOf, versionsOf } from "./checked-values.js";
import type { ProjectFolder } from "./open-project-folder.js";
import type { ProjectFact } from "./project-facts.js";

const file = "pyproject.toml";

/** What a pyproject.toml says, with or without Poetry. Throws where it is no TOML. */
export function pythonFacts(text: string, { names }: Pick<ProjectFolder, "names">): ProjectFact[] {
  const manifest: unknown = parse(text);
  const ofProject = (key: string) => entryOf(manifest, "project", key) ?? entryOf(manifest, "tool", "poetry", key);
  const manager = managers.find(({ lock }) => names.has(lock));
  const within = manager?.within ?? "";
  const python = versionsOf(
    entryOf(manifest, "project", "requires-python") ?? entryOf(manifest, "tool", "poetry", "dependencies", "python"),
  );
  const tests = usesPytest(manifest, names) ? "pytest" : names.has("tox.ini") ? "tox" : undefined;
  const has = (tool: string) => entryOf(manifest, "tool", tool) !== undefined;
  const facts: (ProjectFact | undefined)[] = [
    ...aboutFact(file, ofProject("name"), ofProject("description")),
    tests === undefined ? undefined : { subject: "test", file, content: `The tests run with \`${within}${tests}\`.` },
    manager && {
      subject: "install",
      file: manager.lock,
      content: `Dependencies are installed with \`${manager.install}\`.`,
    },
    python === undefined ? undefined : { subject: "needs", file, content: `It needs Python ${python}.` },
    has("ruff") ? { subject: "lint", file, content: `The linter runs with \`${within}ruff check\`.` } : undefined,
    has("mypy")
      ? { subject: "types", file, content: "Types are checked with mypy, as pyproject.toml sets it up." }
      : undefined,
  ];
  return facts.filter((fact) => fact !== undefined);
}

const managers = [
  { lock: "uv.lock", install: "uv sync", within: "uv run " },
  { lock: "poetry.lock", install: "poetry install", within: "poetry run " },
  { lock: "pdm.lock", install: "pdm install", within: "pdm run " },
  { lock: "Pipfile.lock", install: "pipenv install", within: "pipenv run " },
  { lock: "requirements.txt", install: "pip install -r requirements.txt", within: "" },
];

/** Set up, or among what is needed for development. */
function usesPytest(manifest: unknown, names: ReadonlySet<string>): boolean {
  if (entryOf(manifest, "tool", "pytest") !== undefined || names.has("pytest.ini") || names.has("conftest.py"))
    return true;
  const groups = [
    entryOf(manifest, "dependency-groups"),
    entryOf(manifest, "project", "optional-dependencies"),
    entryOf(manifest, "tool", "poetry", "dev-dependencies"),
    ...Object.values(tableOf(entryOf(manifest, "tool", "poetry", "group"))).map((group) =>
      entryOf(group, "dependencies"),
    ),
  ];
  return groups.some((group) =>
    Object.entries(tableOf(group)).some(([key, value]) =>
      [key, ...(Array.isArray(value) ? value : [])].some((one) => /^pytest(?![\w-])/.test(String(one))),
    ),
  );
}
