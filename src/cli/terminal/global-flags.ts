/** The flags that may stand anywhere on the line, before `--`. */
export interface GlobalFlags {
  db?: string;
  project?: string;
  /** Where `--project` stood, seen from the command; after it also when it stood on both sides. */
  projectGiven?: "before" | "after";
  json: boolean;
  quiet: boolean;
}

export interface TakenFlags {
  flags: GlobalFlags;
  /** What is left for the command, in its order. */
  rest: string[];
  /** Told rather than thrown, so that the flags are known and the error can be printed in the right form. */
  problem?: { message: string; hint: string };
}

const expected = {
  "--db": "a file, for example --db ./memory.db",
  "--project": "an id, for example --project my-app",
};

/**
 * Takes the global flags off the command line before it is parsed, because even an error about the rest of the
 * line must know whether to speak JSON.
 *
 * @example
 * takeGlobalFlags(["recall", "ports", "--db", "m.db", "--json"]).rest // ["recall", "ports"]
 */
export function takeGlobalFlags(args: string[]): TakenFlags {
  const flags: GlobalFlags = { json: false, quiet: false };
  const rest: string[] = [];
  const problems: { message: string; hint: string }[] = [];
  const bare: (keyof typeof expected)[] = [];

  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? "";
    if (arg === "--") {
      rest.push(...args.slice(index));
      break;
    }
    const { name, attached } = splitFlag(arg);
    if (name === "--json" || name === "--quiet") {
      flags[name === "--json" ? "json" : "quiet"] = true;
      if (attached !== undefined) problems.push({ message: `${name} takes no value.`, hint: `Write ${name} alone.` });
    } else if (name === "--db" || name === "--project") {
      const next = args[index + 1];
      const takesNext = attached === undefined && next !== undefined && !next.startsWith("-");
      if (takesNext) index++;
      const value = takesNext ? next : attached;
      if (name === "--project") flags.projectGiven = rest.some(isWord) ? "after" : (flags.projectGiven ?? "before");
      if (value === undefined) bare.push(name);
      else if (value === "") problems.push(emptyValue(name));
      else flags[name === "--db" ? "db" : "project"] = value;
    } else {
      rest.push(arg);
    }
  }

  // `purge --project` alone means the project of this folder; before the command it is an id that got lost, and
  // together with an id it could mean either.
  const mayBeBare = rest.find(isWord) === "purge" && flags.projectGiven === "after" && flags.project === undefined;
  const missing = bare.find((name) => !(mayBeBare && name === "--project"));
  const problem = problems[0] ?? (missing && missingValue(missing));
  return { flags, rest, ...(problem && { problem }) };
}

function isWord(arg: string): boolean {
  return !arg.startsWith("-");
}

function splitFlag(arg: string): { name: string; attached?: string } {
  const equals = arg.indexOf("=");
  if (!arg.startsWith("--") || equals < 0) return { name: arg };
  return { name: arg.slice(0, equals), attached: arg.slice(equals + 1) };
}

function missingValue(name: keyof typeof expected): { message: string; hint: string } {
  return {
    message: `${name} needs ${expected[name]}.`,
    hint: `A value that begins with a dash is attached: ${name}=-value`,
  };
}

function emptyValue(name: keyof typeof expected): { message: string; hint: string } {
  return { message: `${name} was given an empty value.`, hint: `It needs ${expected[name]}.` };
}
