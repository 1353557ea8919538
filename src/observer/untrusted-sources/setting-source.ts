import type { ProgramPlace, ProgramSource } from "./program-source.js";
import { hostNamedIn } from "./network-source.js";

/**
 * What a variable before a program makes it show: `BASE_URL=https://… npm test` asks somebody else, `GIT_EXTERNAL_DIFF=…`
 * starts another program, `PYTHONPATH=/tmp/x` loads code from there. Of what is only passed on, nothing.
 */
export function settingSource([name, value]: Setting, place: ProgramPlace): ProgramSource {
  const host = hostNamedIn([value]);
  if (host !== undefined) return { outside: { from: "network", what: host } };
  // It only says how the host is reached.
  if (/^GIT_SSH(?:_COMMAND)?$/.test(name) && /^(?:\S*\/)?ssh(?:\s+-[\w= ./~-]+)*$/.test(value.trim())) return {};
  if (loading.test(name) && /(?:^|[\s=,])data:/.test(value)) return { outside: { from: "command", what: name } };
  if (starting.test(name)) return value.trim() === "" ? {} : { lines: [value] };
  if (telling.test(name)) return { outside: { from: "command", what: `${name}=${value}`.slice(0, 200) } };
  if (!loading.test(name)) return {};
  // What the shell fills in is mostly what the variable held before.
  const paths = value.split(/[\s:;=,]+/).filter((path) => /^(?:~|\.\.?)?\//.test(path) && !path.includes("$"));
  return { runs: paths.filter((path) => !place.isInside(path)) };
}

export type Setting = readonly [name: string, value: string];

/** The variables that a part of a line sets for the program that it starts, or exports for the next ones. */
export function settingsIn(words: readonly string[]): Setting[] {
  const settings: Setting[] = [];
  for (const word of words) {
    const [, name, value] = /^([A-Za-z_]\w*)\+?=(.*)$/s.exec(word) ?? [];
    if (name !== undefined && value !== undefined) settings.push([name, value]);
    else if (!passing.test(word)) return settings;
  }
  // Without a program they are the line's own variables, if nothing exports them.
  return /^(?:export|declare|typeset)$/.test(words[0] ?? "") ? settings : [];
}

const passing =
  /^(?:-.*|env|cross-env|sudo|command|exec|nohup|time|then|do|else|elif|if|while|until|!|\{|export|declare|typeset)$/;
const starting =
  /^(?:(?:GIT_)?(?:SEQUENCE_)?EDITOR|VISUAL|(?:GIT_|MAN)?PAGER|GIT_EXTERNAL_DIFF|GIT_ASKPASS|GIT_SSH(?:_COMMAND)?|GIT_PROXY_COMMAND|PROMPT_COMMAND|LESSOPEN)$/;
const telling = /^(?:GIT_TRACE\w*|GIT_CURL_VERBOSE|GIT_CONFIG(?!_GLOBAL$|_SYSTEM$|_NOSYSTEM$)\w*)$/;
const loading =
  /^(?:BASH_ENV|ENV|LD_PRELOAD|LD_LIBRARY_PATH|DYLD_\w+|NODE_PATH|NODE_OPTIONS|PYTHONPATH|PYTHONSTARTUP|PYTHONHOME|RUBYLIB|RUBYOPT|PERL5LIB|PERL5OPT|CLASSPATH|JAVA_TOOL_OPTIONS|GIT_DIR|GIT_WORK_TREE|GIT_\w*OBJECT_DIRECTOR(?:Y|IES)|npm_config_script_shell|\w+_CONFIG(?:_FILE|_PATH)?)$/i;
