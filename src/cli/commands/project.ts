import type { Command } from "commander";
import type { ProjectIdentity } from "../../index.js";
import type { Answer } from "../answer.js";
import { oneLine, renderFields } from "../render-memory.js";
import type { Shell } from "../shell.js";

export function addProject(program: Command, shell: Shell): void {
  const command = program
    .command("project")
    .description("show which project this folder belongs to, and how Tacit knows")
    .action(async () => {
      const identity = await shell.withMemory((memory) => memory.project());
      await shell.print(aboutProject(identity, []));
    });
  command
    .command("join")
    .description("make this folder part of a project that exists already")
    .argument("<id>", "the project's id, as tacit project shows it elsewhere")
    .action(async (id: string) => {
      const identity = await shell.withMemory((memory) => memory.joinProject(id));
      await shell.print(aboutProject(identity, [`This folder is now part of ${identity.name}.`, ""]));
    });
}

function aboutProject(identity: ProjectIdentity, opening: string[]): Answer {
  return {
    document: identity,
    text: (page) => {
      const fields: [string, string][] = [
        ["project", identity.name],
        ["id", identity.id ?? "none yet; the first memory makes one"],
        ...identity.keys.map((key, index): [string, string] => [index === 0 ? "known by" : "", key]),
      ];
      const notice = identity.notice === undefined ? [] : ["", page.paint("yellow", oneLine(identity.notice, page))];
      return [...opening.map((line) => oneLine(line, page)), renderFields(fields, page), ...notice].join("\n");
    },
  };
}
