import type { Command } from "commander";
import type { ProjectIdentity, ProjectSummary, TacitMemory } from "../../index.js";
import type { Answer } from "../terminal/answer.js";
import { countOf } from "../../base/count-of.js";
import type { Page } from "../terminal/page.js";
import { quoteArgument } from "../terminal/quote-argument.js";
import { oneLine } from "../terminal/one-line.js";
import { renderFields } from "../terminal/render-fields.js";
import type { Shell } from "../terminal/shell.js";
import { wrongUsage } from "../terminal/wrong-usage.js";

const examples = `
Examples:
  tacit project list                 every project of the store, to find memories of a folder that was moved
  tacit project join 0198c1f0-…      go on with one of them in this folder
  tacit project accept               confirm that this folder is yours: what it shares and sets counts
`;

export function addProject(program: Command, shell: Shell): void {
  const command = program
    .command("project")
    .description("show which project this folder belongs to, and how Tacit knows")
    .addHelpText("after", examples)
    .action(async () => shell.print(await show(shell)));
  command
    .command("list")
    .description("show every project of the store")
    .action(async () => shell.print(await list(shell)));
  command
    .command("join")
    .description("make this folder part of a project that exists already")
    .argument("<id>", "the project's id; tacit project list shows all of them")
    .action(async (id: string) => shell.print(await join(shell, id)));
  command
    .command("accept")
    .description("confirm this folder, and let what came with it count: shared memories, settings, rules; needed once")
    .option("--off", "no longer read what changes there")
    .action(async (flags: { off?: boolean }) => shell.print(await accept(shell, flags)));
}

async function accept(shell: Shell, { off = false }: { off?: boolean }): Promise<Answer> {
  const { identity, notices, shared } = await shell.withMemory(async (memory) => {
    await memory.projects.accept(!off);
    const told = await memory.store.notices();
    return { identity: await memory.projects.current(), notices: told, shared: await memory.list() };
  });
  const visible = shared.filter(({ visibility }) => visibility !== "personal").length;
  return {
    document: { ...identity, accepted: !off, notices },
    text: (page) =>
      [
        off
          ? `What changes in the work tree of ${page.clean(identity.name)} is no longer read.`
          : `Accepted ${page.clean(identity.name)}: now active are ${countOf(visible, "shared memory")} and what its own files say.`,
        ...notices.map((notice) => page.paint("yellow", oneLine(notice, page))),
      ].join("\n"),
  };
}

async function show(shell: Shell): Promise<Answer> {
  const { identity, others } = await shell.withMemory(async (memory) => {
    const found = await memory.projects.current();
    return { identity: found, others: found.id === undefined && (await memory.projects.list()).length > 0 };
  });
  return {
    document: identity,
    text: (page) => {
      const hint = "tacit project list shows the others; tacit project join ID goes on with one of them here.";
      return [renderIdentity(identity, page), ...(others ? ["", page.paint("dim", hint)] : [])].join("\n");
    },
  };
}

async function list(shell: Shell): Promise<Answer> {
  const { projects, here } = await shell.withMemory(async (memory) => ({
    projects: await memory.projects.list(),
    here: shell.flags.project === undefined ? (await memory.projects.current()).id : undefined,
  }));
  return {
    document: { projects },
    ids: projects.map(({ id }) => id),
    text: (page) => {
      if (projects.length === 0) return "There is no project yet; the first memory makes one.";
      return projects.map((project) => renderSummary(project, project.id === here, page)).join("\n\n");
    },
  };
}

async function join(shell: Shell, id: string): Promise<Answer> {
  if (shell.flags.projectGiven !== undefined) {
    throw await wrongUsage(
      "project join is about this folder, and --project would look elsewhere.",
      "Write: tacit project join ID",
    );
  }
  const { identity, leftBehind } = await shell.withMemory(async (memory) => {
    const before = await memory.projects.current();
    const joined = await memory.projects.join(id);
    return { identity: joined, leftBehind: before.id === joined.id ? undefined : await findProject(memory, before.id) };
  });
  const left = leftBehind && leftBehind.memories > 0 ? leftBehind : undefined;
  return {
    document: {
      ...identity,
      ...(left && { leftBehind: { id: left.id, name: left.name, memories: left.memories } }),
    },
    text: (page) =>
      [
        oneLine(`This folder is now part of ${identity.name}.`, page),
        ...(left ? [page.paint("yellow", oneLine(leftBehindRemark(left), page))] : []),
        "",
        renderIdentity(identity, page),
      ].join("\n"),
  };
}

async function findProject(memory: TacitMemory, id: string | undefined): Promise<ProjectSummary | undefined> {
  return id === undefined ? undefined : (await memory.projects.list()).find((project) => project.id === id);
}

function leftBehindRemark({ id, name, memories }: ProjectSummary): string {
  const stay = memories === 1 ? "stays" : "stay";
  return `${countOf(memories, "memory")} ${stay} behind in ${name}, its project before: tacit --project ${quoteArgument(id)} list`;
}

function renderIdentity({ name, id, keys, notice }: ProjectIdentity, page: Page): string {
  const fields: [string, string][] = [
    ["project", name],
    ["id", id ?? "none yet; the first memory makes one"],
    ...keyFields(keys),
  ];
  const doubt = notice === undefined ? [] : ["", page.paint("yellow", oneLine(notice, page))];
  return [renderFields(fields, page), ...doubt].join("\n");
}

function renderSummary({ id, name, memories, keys }: ProjectSummary, isHere: boolean, page: Page): string {
  const fields: [string, string][] = [
    ["project", isHere ? `${name} (this folder)` : name],
    ["id", id],
    ["holds", countOf(memories, "memory")],
    ...keyFields(keys),
  ];
  return renderFields(fields, page);
}

function keyFields(keys: string[]): [string, string][] {
  return keys.map((key, index) => [index === 0 ? "known by" : "", key]);
}
