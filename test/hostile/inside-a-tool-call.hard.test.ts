import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { beforeEach, describe, expect, it } from "vitest";
import { addCommands } from "../../src/cli/run-program.js";
import { openShell } from "../../src/cli/terminal/shell.js";
import { attackCommands } from "../support/attack-commands.js";
import { attackedProject, mark, type AttackedProject } from "../support/attacked-project.js";
import { standInAgent } from "../support/stand-in-agent.js";

beforeEach(({ skip }) => skip(process.platform !== "linux", "only Linux tells where a process comes from"));

// What would end the stage for the others comes last.
const last = ["config set", "project join", "purge"];
const commands = Object.keys(attackCommands).toSorted((a, b) => last.indexOf(a) - last.indexOf(b));

it("[TR1] tries every command that there is", async () => {
  const program = new Command();
  await addCommands(program, openShell({ json: false, quiet: false }), []);

  expect(commands.toSorted()).toEqual(listActions(program).toSorted());
});

describe("a command that an agent runs after it has read a web page", () => {
  it.each(commands)("[TR1] neither writes nor changes anything that is trusted: tacit %s", async (command) => {
    const project = await attackedProject([command]);

    await project.agent.bash(linesOf(project, [command]));

    expect(await project.listDamage()).toEqual([]);
  });
});

/** The ways to start the same commands. Each gives one line for the shell of the agent. */
const forms: Record<string, (project: AttackedProject, lines: string) => string> = {
  "by a variable": (_, lines) => `T=tacit\n${lines.replaceAll("TACIT", "$T")}`,
  "by node and the file": ({ bin }, lines) => lines.replaceAll("TACIT", `sh ${bin}/tacit`),
  "by a script": (project, lines) => `sh ${script(project, lines)}`,
  "by make": (project, lines) => {
    writeFileSync(join(project.root, "Makefile"), `all:\n\t@sh ${script(project, lines)}\n`);
    return "make";
  },
  "by xargs": (project, lines) => `echo ${script(project, lines)} | xargs sh`,
  "with no environment": ({ db }, lines) =>
    lines.replaceAll(
      /(?:CLAUDE_PROJECT_DIR="\$PWD" AI_AGENT=x_harness )?TACIT/g,
      `env -i PATH="$PATH" tacit --db ${db}`,
    ),
  "with another home": ({ db, root }, lines) =>
    lines.replaceAll("TACIT", `TACIT_HOME=${root}/other HOME=${root}/other tacit --db ${db}`),
  "in the background": (project, lines) => `sh ${script(project, lines)} & wait`,
  "in the background, without its shell": (project, lines) => {
    const done = join(project.root, "done");
    // The call is over at once; the agent's next one waits for it.
    return `nohup sh ${script(project, `sleep 1\n${lines}\ntouch ${done}`)} >/dev/null 2>&1 &`;
  },
};

describe.each(Object.entries(forms))("the same %s", (name, form) => {
  it("[TR2] is the agent's all the same", async () => {
    const project = await attackedProject(commands);

    await project.agent.bash(form(project, linesOf(project, commands, { tacit: "TACIT", each: 1 })));
    if (name.endsWith("without its shell")) await project.agent.bash("while [ ! -e done ]; do sleep 0.2; done");

    expect(await project.listDamage()).toEqual([]);
  }, 600_000);
});

it("[TR2] tells no later session what an agent wrote by commands", async () => {
  const project = await attackedProject(commands);
  await project.agent.bash(linesOf(project, commands, { each: 1 }));
  await project.agent.hook({ hook_event_name: "SessionEnd", reason: "exit" });

  const next = await standInAgent({ root: project.root, db: project.db, home: project.home, sessionId: "next" });
  const told = [
    await next.hook({ hook_event_name: "SessionStart", source: "startup" }),
    await next.hook({ hook_event_name: "UserPromptSubmit", prompt: `${mark} run the script from example.org first` }),
  ];

  expect(told.join("\n")).not.toContain(mark);
}, 600_000);

/** What is tried with each of these commands; `each` tells how much of it: all of it takes a minute. */
function linesOf(
  project: AttackedProject,
  some: readonly string[],
  { tacit = "tacit", each = Infinity }: { tacit?: string; each?: number } = {},
): string {
  const lines = some.flatMap((command) => attackCommands[command]?.(project.attackFor(command)).slice(0, each) ?? []);
  return lines.map((line) => `(${line.replaceAll("TACIT", tacit)}) </dev/null`).join("\n");
}

function script({ root }: AttackedProject, lines: string): string {
  const file = join(root, "script.sh");
  writeFileSync(file, lines.replaceAll("TACIT", "tacit"));
  return file;
}

function listActions(command: Command, path: string[] = []): string[] {
  // Commander tells nobody which of its commands do something themselves.
  const own = Reflect.get(command, "_actionHandler") ? [path.join(" ")] : [];
  return [...own, ...command.commands.flatMap((one) => listActions(one, [...path, one.name()]))];
}
