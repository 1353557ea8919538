/**
 * The words of a program's arguments that are no options and no option's value: the files that a reader is given. Which
 * options take the next word, each program says for itself. Of an option that is not listed here the next word counts as a
 * file: a value taken for a file costs a mark, a file taken for a value would pass unseen.
 *
 * @example
 * fileWords("cat", ["-n", "a.md"])       // ["a.md"]
 * fileWords("head", ["-n", "5", "a.md"]) // ["a.md"]
 */
export function fileWords(program: string, args: readonly string[]): string[] {
  const taking = valuesOf.get(program);
  const plain: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at] as string;
    if (word === "--") return [...plain, ...args.slice(at + 1)];
    if (word.length < 2 || !word.startsWith("-")) plain.push(word);
    else at += takenWords(word, args[at + 1], taking);
  }
  return plain;
}

/** How many words behind an option are its values. */
function takenWords(option: string, next: string | undefined, taking: ReadonlySet<string> | undefined): number {
  if (taking === undefined || next === undefined) return 0;
  if (taking.has(`${option}##`)) return 2;
  if (option.startsWith("--") || taking.has(option)) return taking.has(option) ? 1 : 0;
  // Of `-rnA 3` the last letter takes the value; of `-d,` it stands behind the letter.
  const letters = option.slice(1).split("");
  const at = letters.findIndex((letter) => taking.has(`-${letter}`) || taking.has(`-${letter}#`));
  if (at === -1 || at !== letters.length - 1) return 0;
  return taking.has(`-${letters[at] as string}`) || /^\d+$/.test(next) ? 1 : 0;
}

const valuesOf = new Map<string, ReadonlySet<string>>();

/** `-A#` takes the next word only if it is a number, `--arg##` takes two. What names a file to read is not listed. */
function add(programs: string, options: string): void {
  for (const program of programs.split(" ")) valuesOf.set(program, new Set(options.split(/\s+/)));
}

add("head", "-n -c --lines --bytes");
add("tail", "-n -c -s -b --lines --bytes --sleep-interval --pid --max-unchanged-stats");
add("less zless", "-b -h -j -p -P -t -x -y -z");
add("more", "-n --lines");
add(
  "bat batcat",
  `-l -H -r -m --language --highlight-line --line-range --map-syntax --style --theme --color --paging --wrap
  --terminal-width --tabs --file-name --decorations --italic-text --diff-context`,
);
add(
  "nl",
  `-b -d -f -h -i -l -n -s -v -w --body-numbering --section-delimiter --footer-numbering --header-numbering
  --line-increment --join-blank-lines --number-format --number-separator --starting-line-number --number-width`,
);
add("strings", "-n -t -e -T -U --bytes --radix --encoding --target --output-separator --unicode");
add("xxd", "-c -g -l -s -o -cols -len -seek");
add("od", "-A -j -N -S -t --address-radix --skip-bytes --read-bytes --format --endian");
add("hexdump", "-e -n -s --format --length --skip");
add("tac", "-s --separator");
add("fold", "-w --width");
add("paste", "-d --delimiters");
add("comm", "--output-delimiter");
add("join", "-1 -2 -a -e -j -o -t -v");
add(
  "column",
  `-c -s -o -N -R -H -T -W -E -O -l -r -i -p --separator --output-separator --table-columns --table-right --table-hide
  --table-truncate --table-wrap --output-width`,
);
add("base64", "-w -b --wrap --break");
add(
  "sort",
  "-k -t -S -T -o --key --field-separator --buffer-size --temporary-directory --output --batch-size --parallel --sort",
);
add("uniq", "-f -s -w --skip-fields --skip-chars --check-chars");
add("cut", "-b -c -d -f --bytes --characters --delimiter --fields --output-delimiter");
add(
  "diff colordiff",
  "-U -C -W -x -I -F -L --label --exclude --ignore-matching-lines --show-function-line --width --tabsize",
);
add("sdiff", "-w -o -I --width --output --ignore-matching-lines");
add("delta", "-w --width");
add("json.tool", "--indent");
add("iconv", "-f -t -o --from-code --to-code --output");
add(
  "pr",
  "-D -h -l -N -o -w -W --date-format --header --length --first-line-number --indent --width --page-width --pages",
);
add("expand", "-t --tabs");
add("shuf", "-n -i -o --head-count --input-range --output");
add(
  "grep egrep fgrep zgrep",
  `-A -B -C -m -e -f -d -D --regexp --file --include --exclude --exclude-dir --exclude-from --max-count --context
  --after-context --before-context --directories --devices --label --binary-files`,
);
add(
  "rg",
  `-A -B -C -m -g -t -T -e -f -M -d -j -r -E --glob --iglob --type --type-not --regexp --file --max-count --context
  --after-context --before-context --max-columns --max-depth --threads --replace --encoding --sort --sortr --color --colors
  --context-separator --path-separator --type-add --type-clear --ignore-file --max-filesize --engine`,
);
add("ag", "-A# -B# -C# -G -m --after# --before# --context# --ignore --ignore-dir --depth --max-count");
add("ack", "-A# -B# -C# -m --after-context --before-context --context# --ignore-dir --ignore-file --max-count");
add(
  "fd fdfind",
  `-e -t -E -d -S -c -j -g -o --extension --type --exclude --max-depth --min-depth --exact-depth --size --color --threads
  --owner --changed-within --changed-before`,
);
add("sed", "-e -f -l --expression --file --line-length");
add("awk gawk mawk", "-F -v -f -e -i -l --field-separator --assign --file --source --include --load");
add("jq", "-f -L --from-file --indent --arg## --argjson## --slurpfile## --rawfile##");
add("yq", "-o -p -I --output-format --input-format --indent --expression --from-file --arg## --argjson##");
