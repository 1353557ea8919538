import type { Deed } from "../observer.js";

/**
 * What a tool does, told by its name, whichever agent it belongs to. Names that no list has are guessed from their words;
 * where those say nothing it is `other`. Searching the web is a fetch: what it brings comes from outside.
 *
 * @example
 * deedOf("MultiEdit", {})                                        // "edit"
 * deedOf("str_replace_based_edit_tool", { command: "view" })     // "read"
 * deedOf("mcp__filesystem__read_text_file", { path: "a.ts" })    // "read"
 */
export function deedOf(tool: string, input: Record<string, unknown>): Deed {
  if (typeof tool !== "string") return "other";
  const isMcp = tool.startsWith("mcp__");
  const words = wordsOf(isMcp ? tool.slice(tool.lastIndexOf("__") + 2) : tool);
  const name = words.join("");
  if (editors.has(name)) return editorDeed(input);
  // On a server that can be anything, a bare "search" or "run" says too little.
  if (isMcp && words.length === 1 && vagueWords.has(name)) return "other";
  return deeds.get(name) ?? guess(words);
}

// Longer names say no more, and a name may be anything.
const longestName = 100;

function wordsOf(name: string): string[] {
  return name
    .slice(0, longestName)
    .replaceAll(/([a-z\d])(?=[A-Z])/gu, "$1 ")
    .toLowerCase()
    .split(/[^a-z\d]+/u)
    .filter((word) => word !== "");
}

/** Editors that do everything by one tool with a `command`. */
const editors = new Set(["strreplacebasededittool", "strreplaceeditor", "strreplaceedittool", "texteditor", "editor"]);

function editorDeed(input: Record<string, unknown> | null | undefined): Deed {
  return input?.["command"] === "view" ? "read" : "edit";
}

const vagueWords = new Set(["search", "find", "query", "list", "run", "execute", "exec", "replace", "write", "patch"]);

// The tools of Claude Code, opencode, Codex, Gemini CLI, Cursor, Cline, and what programs with the AI SDK and servers of
// files call theirs, without case and signs between.
const names: Record<Deed, string> = {
  read: `read readfile readfiles readmanyfiles readmultiplefiles readtextfile readmediafile notebookread readnotebook view
    viewfile viewimage cat openfile open getfile getfilecontent getfilecontents getfileinfo filecontent filecontents
    fileread showfile listcodedefinitionnames`,
  edit: `edit editfile editfiles multiedit multieditfile write writefile writefiles writetofile notebookedit editnotebook
    patch applypatch applydiff applyedit replace replaceinfile searchreplace searchandreplace strreplace insert
    insertcontent createfile createtextfile createnewfile addfile updatefile deletefile removefile movefile renamefile
    copyfile createdirectory fileedit filewrite reapply undoedit replacesymbolbody insertaftersymbol insertbeforesymbol`,
  search: `grep greptool glob globtool ls list listdir listdirectory listfiles search searchfile searchfiles searchcode
    searchfilecontent searchforpattern codebasesearch grepsearch filesearch find findfile findfiles findsymbol
    findreferences findreferencingsymbols directorytree repomap lsp`,
  run: `bash bashoutput bashtool shell localshell powershell terminal runcommand runcommands runshell runshellcommand
    runterminalcmd runinterminal runterminalcommand executecommand executeshell execcommand exec execute run runscript
    runtests runtest runcode executecode codeexecution codeinterpreter python runpython jupyter repl writestdin
    containerexec taskoutput getterminaloutput monitor`,
  // Of a server's resources and of opencode's codesearch: both come from elsewhere.
  fetch: `webfetch websearch fetch fetchurl fetchwebpage fetchwebcontent httprequest httpget geturl readurl readwebpage
    browser browseraction browse openurl googlewebsearch googlesearch searchweb bravewebsearch tavilysearch download
    downloadfile codesearch readmcpresource readmcpresourcetool accessmcpresource`,
  other: `task agent todowrite todoread todo updateplan exitplanmode enterplanmode askuserquestion question skill
    slashcommand killshell killbash taskstop toolsearch listmcpresources listmcpresourcestool savememory remember recall
    attemptcompletion newtask switchmode batch invalid think sequentialthinking computer`,
};

const deeds: ReadonlyMap<string, Deed> = new Map(
  (Object.keys(names) as Deed[]).flatMap((deed) => names[deed].split(/\s+/u).map((name) => [name, deed] as const)),
);

/**
 * Whether a tool is one of those that agents bring along to work on files, by its whole name. Those whose name could be
 * anything's (`search`, `open`) are known only where they are given a file or a folder.
 */
export function isKnownTool(tool: string, isOfFiles: boolean): boolean {
  const name = wordsOf(tool).join("");
  if (editors.has(name)) return true;
  const deed = deeds.get(name);
  if (deed === "edit") return true;
  if (deed === "read") return isOfFiles;
  return deed === "search" && (isOfFiles || !vagueWords.has(name));
}

/** Whether a tool, by its whole name, only orders the agent's own work or hands back what the agent itself had started. */
export function isOwnWork(tool: string): boolean {
  return ownWork.has(wordsOf(tool).join(""));
}

// What an agent is handed back by these is its own words, its person's, or those of an agent or a command that it started,
// which are judged by themselves.
const ownWork =
  wordSet(`task agent todowrite todoread todo todolist writetodos updateplan exitplanmode enterplanmode planexit
  planenter askuserquestion question skill slashcommand killshell killbash bashoutput taskoutput taskstop taskcreate
  taskupdate taskget tasklist attemptcompletion newtask switchmode batch invalid think thinking sequentialthinking
  sendmessage structuredoutput enterworktree exitworktree teamcreate teamdelete monitor done finish complete submit exit
  stop wait sleep runtests runtest schedulewakeup toolsearch`);

/** Only where the words leave little doubt: a verb alone says enough to run, but not to edit. */
function guess(words: readonly string[]): Deed {
  const has = (some: ReadonlySet<string>) => words.some((word) => some.has(word));
  if (has(ownBusiness)) return "other";
  if (has(ofTheWeb)) return "fetch";
  if (has(running)) return "run";
  if (has(alwaysLooking)) return "search";
  if (!has(ofFiles)) return "other";
  // Who searches and replaces, changes.
  if (has(changing)) return "edit";
  if (has(looking)) return "search";
  return has(reading) ? "read" : "other";
}

const ownBusiness =
  wordSet(`todo todos plan plans memory memories remember recall task tasks agent agents subagent issue
  issues pull comment comments message messages email ticket user users calendar`);
const ofTheWeb = wordSet("web fetch url urls http https browser browse internet crawl scrape download webpage google");
const running = wordSet("bash shell terminal command commands cmd exec execute script subprocess");
const alwaysLooking = wordSet("grep glob ripgrep");
const ofFiles = wordSet(`file files directory directories dir dirs folder folders code codebase symbol symbols notebook
  path paths repo repository workspace`);
const changing = wordSet("edit write create update patch replace insert delete remove rename move append modify save");
const looking = wordSet("search find list query lookup locate tree references");
const reading = wordSet("read view show cat open get content contents load");

/** What a tool does that works a browser: acts on a page, goes to one, waits, looks, runs code in it. */
export type BrowserDeed = "act" | "go" | "wait" | "look" | "run";

/**
 * What a tool does in a browser; undefined for one that works none. Known by its family's name, in its own or its server's,
 * or where its name leaves no doubt.
 *
 * @example
 * browserDeed("mcp__playwright__browser_click") // "act"
 * browserDeed("take_screenshot")                // "look"
 */
export function browserDeed(tool: string): BrowserDeed | undefined {
  const [, server = "", name = tool] = /^mcp__(.{1,100}?)__(.*)$/.exec(tool) ?? [];
  const words = wordsOf(name);
  const isOfFamily = families.has(words[0] ?? "") || wordsOf(server).some((word) => families.has(word));
  if (!isOfFamily && !browserNames.has(words.join(""))) return undefined;
  const has = (some: ReadonlySet<string>) => words.some((word) => some.has(word));
  if (has(waiting)) return "wait";
  if (has(watching)) return "look";
  if (has(acting)) return "act";
  if (has(going)) return "go";
  return has(scripting) ? "run" : "look";
}

const families = wordSet("browser playwright puppeteer electron chrome devtools cypress selenium webdriver");
const browserNames = wordSet("clickbytext clickbyselector fillinput takescreenshot getpagestructure takesnapshot eval");
const waiting = wordSet("wait sleep");
const watching = wordSet("screenshot snapshot structure get list console network");
const acting = wordSet("click fill type press select hover drag check uncheck tap upload submit dialog scroll");
const going = wordSet("navigate goto open visit reload back forward");
const scripting = wordSet("eval evaluate run execute script");

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/u));
}
