import type { Command } from "commander";
import type { RepositoryMapOptions } from "../../index.js";
import { resolveNamedFile } from "../../base/files/files.js";
import { wholeNumber } from "../terminal/option-values.js";
import { setOnly } from "../terminal/set-only.js";
import type { Shell } from "../terminal/shell.js";

const details = `
Files with the lines that define what is most central in them, as many as the tokens allow. For a TASK in a few words, and
for files in play, it shows what lies near them; without either, what is central and has changed lately. Test files are
left out, unless they are in play.

Examples:
  tacit map
  tacit map "retry writes that fail" --tokens 2000
  tacit map --files src/store.ts src/http.ts
`;

interface MapFlags {
  tokens?: number;
  files?: string[];
}

export function addMap(program: Command, shell: Shell): void {
  program
    .command("map")
    .description("show the most central definitions of the code on a page, for a task or as a whole")
    .argument("[task]", "what is to be done, in words")
    .option("--tokens <count>", "how many model tokens it may take (1000, unless said otherwise)", wholeNumber)
    .option("--files <file...>", "files in play")
    .addHelpText("after", details)
    .action(async (task: string | undefined, { tokens, files }: MapFlags) => {
      const options = setOnly<RepositoryMapOptions>({
        tokens,
        prompt: task,
        files: files?.map((file) => resolveNamedFile(file)),
      });
      const map = await shell.withMemory((memory) => memory.code.map(options));
      await shell.print({
        document: map,
        ids: map.files.map(({ file }) => file),
        text: (page) =>
          [
            map.text === "" ? "There is nothing to show: no definition fits, or none is known." : page.clean(map.text),
            ...map.notes.map((note) => page.clean(note)),
          ].join("\n\n"),
      });
    });
}
