/** The languages of which short programs are read. */
export type Language = "python" | "javascript" | "ruby" | "perl" | "php";

/**
 * Whether a short program uses of the modules that open files, start programs or know the environment only members that are
 * known: those that open a file by the name that stands there, and those that say nothing of a file. Everything else of them
 * (another member, one that is computed, the module under another name) may show anything. `bare` is the code without what
 * it quotes. A language that is not told is held to the rules of all that have modules.
 */
export function keepsToKnownMembers(bare: string, code: string, language: Language | undefined): boolean {
  // A file that is the screen, or a program that is opened as a file.
  if (/["'](?:\/dev\/|\/proc\/|\|)/.test(code)) return false;
  if (language === "python") return keepsToMembers(bare, python) && isPlainPython(bare);
  if (language === "javascript") return isPlainScript(bare, code);
  if (language === "ruby") return isPlainRuby(bare);
  if (language === "perl") return isSubstitution(code) || !ofPerl.test(bare.replace(matches, " "));
  return language !== "php" || isPlainPhp(bare);
}

type Members = ReadonlyMap<string, RegExp>;

const ofPaths =
  "path(?:\\.(?:join|exists|basename|dirname|isfile|isdir|islink|getsize|relpath|splitext|getmtime|abspath|normpath|split|realpath|commonpath|sep))?";

const python: Members = new Map([
  [
    "os",
    new RegExp(
      `^(?:${ofPaths}|sep|linesep|getcwd|stat|lstat|makedirs|mkdir|remove|rename|replace|unlink|rmdir|cpu_count|name|getpid|chmod|utime|truncate|system)$`,
    ),
  ],
  ["io", /^(?:StringIO|BytesIO|TextIOWrapper|open|SEEK_\w+)$/],
  ["shutil", /^(?:copy|copy2|copyfile|copytree|copymode|move|rmtree|get_terminal_size|disk_usage)$/],
  [
    "sys",
    /^(?:stdin(?:\.\w+)*|stdout(?:\.\w+)*|stderr(?:\.\w+)*|exit|version|version_info(?:\.\w+)*|platform|maxsize|getsizeof|setrecursionlimit|getrecursionlimit|byteorder|maxunicode|implementation(?:\.\w+)*)$/,
  ],
  ["pathlib", /^(?:Path|PurePath|PurePosixPath)$/],
]);

/** Whether each mention of a module is one of its known members, or brings it or such members in by name. */
function keepsToMembers(bare: string, modules: Members): boolean {
  const rest = bare.replace(
    /(^|[;\n])[ \t]*from[ \t]+(\w+)(?:\.path)?[ \t]+import[ \t]+\(?([\w, \t]{1,500})\)?/g,
    (whole, start: string, module: string, list: string) => {
      const known = modules.get(module);
      if (known === undefined) return start;
      const all = list.split(",").map((name) => name.trim());
      return all.every((name) => known.test(name) || /^(?:path|join|exists|basename|dirname)$/.test(name))
        ? start
        : whole;
    },
  );
  const plain = rest.replace(
    /(^|[;\n])[ \t]*import[ \t]+[\w., \t]{1,300}?(?=[ \t]*(?:$|[;\n#]))/g,
    (whole, start: string) =>
      /\bas\b/.test(whole) && [...modules.keys()].some((name) => new RegExp(`\\b${name}\\s+as\\b`).test(whole))
        ? whole
        : start,
  );
  for (const [module, known] of modules) {
    for (const { 1: member = "" } of plain.matchAll(
      new RegExp(`(?<![.\\w])${module}\\b(?:\\s{0,9}\\.\\s{0,9}([\\w.]{1,100}))?`, "g"),
    )) {
      if (!known.test(member) && !known.test(member.replace(/\.\w+$/, ""))) return false;
    }
  }
  return true;
}

/** A path that is put together, a way from an object to what opens it, and `open` by another name. */
function isPlainPython(bare: string): boolean {
  if (/__(?!(?:name|main|init|str|repr|len|version|doc)__)\w+__/.test(bare)) return false;
  if (/\b(?:open|Path)\b(?!\s*\()(?!\s*(?:,|$|[;\n)]))|=\s*(?:open|Path)\b(?!\s*\()/.test(bare)) return false;
  if (!/\bPath\b/.test(bare)) return true;
  return !/\/\s*""|""\s*\/|\bPath\s*\([^()]*\)\s*\/|\.(?:joinpath|parents?|with_\w+|expanduser|home|cwd|absolute|resolve|readlink|iterdir|glob|rglob|walk|from_uri)\b/.test(
    bare,
  );
}

const ofFs =
  /^(?:promises|constants|(?:readFile|writeFile|appendFile|exists|stat|lstat|access|mkdir|mkdtemp|unlink|rm|rmdir|rename|copyFile|cp|utimes|chmod|truncate)(?:Sync)?|create(?:Read|Write)Stream)$/;
const ofProcess =
  /^(?:stdout|stdin|stderr|exit|exitCode|cwd|version|versions|platform|arch|memoryUsage|hrtime|uptime|nextTick|pid|on|once|argv)$/;

/** Of JavaScript: what it takes of `fs` and of `process`, and nothing that node has at hand without being asked for it. */
function isPlainScript(bare: string, code: string): boolean {
  if (/\b(?:global|Bun|Deno|Reflect|Proxy|constructor|prototype|__proto__|with|arguments|mainModule)\b/.test(bare))
    return false;
  if (
    /(?<![.\w])(?:https?|http2|net|tls|dgram|dns|vm|v8|worker_threads|cluster|inspector|repl|module|wasi|sqlite)\s*(?:[.[]|\?\.)/.test(
      bare,
    )
  )
    return false;
  if (/\brequire\b(?!\s*\(\s*["'`])/.test(bare) || /\brequire\s*\(\s*`/.test(bare)) return false;
  const names = new Set(["fs", "fsp"]);
  let isKnown = true;
  const take = (name: string) => {
    names.add(name);
    return ";";
  };
  const list = (members: string) => {
    isKnown &&= members
      .split(",")
      .every((one) => one.trim() === "" || ofFs.test(one.replace(/\s+as\s.*|:.*/s, "").trim()));
    // Under another name it could be called with anything.
    isKnown &&= !/\bas\b|:/.test(members);
    return ";";
  };
  const plain = code
    .replace(
      /\b(?:const|let|var)\s+(\w+)\s*=\s*(?:await\s+import|require)\s*\(\s*["'](?:node:)?fs(?:\/promises)?["']\s*\)(?:\.promises)?\s*(?=[;\n,]|$)/g,
      (_, name: string) => take(name),
    )
    .replace(/\bimport\s+(?:\*\s*as\s+)?(\w+)\s+from\s*["'](?:node:)?fs(?:\/promises)?["']/g, (_, name: string) =>
      take(name),
    )
    .replace(
      /\b(?:const|let|var)\s*\{([^{}]*)\}\s*=\s*(?:await\s+import|require)\s*\(\s*["'](?:node:)?fs(?:\/promises)?["']\s*\)/g,
      (_, members: string) => list(members),
    )
    .replace(/\bimport\s*\{([^{}]*)\}\s*from\s*["'](?:node:)?fs(?:\/promises)?["']/g, (_, members: string) =>
      list(members),
    )
    .replace(/\brequire\s*\(\s*["'](?:node:)?fs(?:\/promises)?["']\s*\)/g, "fs");
  if (!isKnown || /["'](?:node:)?fs(?:\/promises)?["']/.test(plain)) return false;
  const rest = plain.replace(/(["'])(?:(?!\1)[^\\\n]|\\.){0,1000}\1/g, '""');
  for (const name of names) if (!usesOnly(rest, name, ofFs)) return false;
  // What reads a file is called at once, and with its name.
  return usesOnly(rest, "process", ofProcess) && !/\b(?:readFile(?:Sync)?|createReadStream)\b(?!\s*\()/.test(rest);
}

function usesOnly(code: string, name: string, known: RegExp): boolean {
  for (const { 1: member = "" } of code.matchAll(
    new RegExp(`(?<![.\\w])${name}\\b(?:\\s{0,9}\\??\\.\\s{0,9}(\\w{1,100}))?`, "g"),
  )) {
    if (!known.test(member)) return false;
  }
  // `fs.promises["readFile"]`.
  return !new RegExp(`(?<![.\\w])${name}\\b[\\w.?\\s]{0,100}\\[`).test(code);
}

const rubyNames =
  /^(?:File|JSON|YAML|CSV|String|Array|Hash|Integer|Float|Time|Date|DateTime|Set|Math|Regexp|Comparable|Struct|STDIN|STDOUT|STDERR|Rational|Complex|Random|Range|Symbol|SecureRandom|Digest|MD5|SHA1|SHA256|RUBY_VERSION|RUBY_PLATFORM|BEGIN|END|StringIO|OpenStruct|[A-Z])$/;
const rubyFile =
  /^(?:read|readlines|binread|foreach|open|write|exists?|basename|extname|dirname|join|size|file|directory|mtime)$/;

/** Of Ruby: constants are its modules. */
function isPlainRuby(bare: string): boolean {
  for (const [name] of bare.matchAll(/(?<![\w@$:])[A-Z]\w*/g)) if (!rubyNames.test(name)) return false;
  for (const { 1: member = "" } of bare.matchAll(/\bFile\b(?:\s*(?:\.|&\.)\s*(\w+))?/g))
    if (!rubyFile.test(member)) return false;
  return !/(?<![.\w])(?:load|require_relative|autoload|open|syscall|fork|binding|gets|readlines?)\b|\b(?:public_)?send\b|\b__send__\b|\b(?:method|instance_eval|class_eval|module_eval|const_get|define_method)\b|\$[<*]|::\s*[a-z]/.test(
    bare,
  );
}

/** `s/a/b/` and nothing else: what stands in it are no programs' names. */
export function isSubstitution(code: string): boolean {
  return /^\s*(?:(?:s|tr|y)([/|#,!])(?:(?!\1)[^\\]|\\.){0,2000}\1(?:(?!\1)[^\\]|\\.){0,2000}\1[gimsxrd]*\s*;?\s*)+$/s.test(
    code,
  );
}

// What it looks for is no program's name, unless it holds code.
const matches =
  /(?:\b(?:if|unless|and|or|not|m)\s{0,9}|[=~!(&|]\s{0,9})\/(?:(?!\(\?\??\{|@\{)[^/\\\n]|\\.){1,300}\/[a-z]{0,9}/g;

const ofPerl =
  /\b(?:open|opendir|sysopen|dbmopen|readpipe|readlink|readdir|syscall|exec|fork|glob|do\s*(?:"|\$|\()|require\s*(?:"|\$|\()|use\s+lib|DATA|IO|File|Cwd|POSIX)\b|@?\bARGV\b|%INC|@INC|\bdo\s*"|\brequire\s*"|<\s*\$|&\s*\{|->\s*\(/;

const phpCalls =
  /^(?:echo|print|print_r|printf|sprintf|var_dump|var_export|json_\w+|file_get_contents|file_put_contents|strlen|mb_\w+|count|implode|explode|join|str_\w+|preg_\w+|array_(?!map$|filter$|walk\w*$|reduce$)\w+|array_(?:map|filter)|date|time|microtime|version_compare|phpversion|is_\w+|in_array|trim|rtrim|ltrim|substr\w*|strpos|strrpos|strto\w+|ucfirst|ucwords|lcfirst|number_format|range|max|min|round|floor|ceil|abs|isset|empty|unset|intval|floatval|exit|die|if|foreach|for|while|switch|function|fn|list|array|sort|ksort|usort|file_exists|basename|dirname|nl2br|htmlspecialchars|md5|sha1|hash|uniqid|random_int|readfile|unlink|mkdir)$/;

function isPlainPhp(bare: string): boolean {
  for (const { 1: name = "" } of bare.matchAll(/(?<![\w$>])([A-Za-z_\\][\w\\]*)\s*\(/g))
    if (!phpCalls.test(name)) return false;
  return !/\b(?:include|require)(?:_once)?\b|\bnew\b|::|\$_(?!GET|POST)|\$GLOBALS|\$\w+\s*\(|""\s*\(|`/.test(bare);
}
