import type { Call, Result, UntrustedSource } from "../observer.js";
import { allRunsOf, type Run } from "../tools/command-runs.js";
import { plainWords } from "../tools/shell-program.js";
import { isKnownTool, isOwnWork } from "../tools/tool-deeds.js";
import { answerMark } from "../../base/files/files.js";
import { hostOf } from "./network-source.js";
import { isOutsidePath } from "./outside-path.js";
import { showsNoWords } from "./shows-no-words.js";

/**
 * Where the answer of a tool comes from, if not from the project, as far as the call alone tells. Inside are tools that are
 * known to show files of the root, to change them, or to order the agent's own work; every other one is outside. Of a
 * command line its programs are judged by `commandSource`. Which files inside are not the project's own is known only at
 * the end of the session.
 *
 * @example
 * untrustedSourceOf({ tool: "WebFetch", does: "fetch", url: "example.com/a" }, "/project") // { from: "web", what: "example.com" }
 */
export function untrustedSourceOf(call: Call, root: string): UntrustedSource | undefined {
  const { tool, does, url, command, files, search, own } = call;
  // Whether one with the name of a tool of ours is ours shows with its answer.
  if (own || seemsOwn(tool)) return undefined;
  const server = /^mcp__(.+?)__/.exec(tool)?.[1] ?? (/^(?:list|read)_?mcp_?resource/i.test(tool) ? tool : undefined);
  if (server !== undefined) return { from: "mcp", what: cut(server) };
  if (does === "fetch" || webTools.test(tool)) {
    const host = url === undefined ? undefined : (hostOf(url) ?? hostOf(`http://${url}`));
    return { from: "web", what: cut(host ?? tool) };
  }
  // A search for names shows no content, wherever it looks.
  const shows = does === "read" || (does === "search" && search?.by !== "name");
  const shown = shows ? [...(files ?? []), search?.where ?? ""] : [];
  const path = shown.find((one) => isOutsidePath(one, root));
  if (path !== undefined) return { from: "file", what: cut(path) };
  if (command || tool === "" || isOwnWork(tool)) return undefined;
  // What reads without a path may read anything.
  const isOfFiles = does === "edit" || (files?.length ?? 0) > 0 || search?.where !== undefined;
  return isKnownTool(tool, isOfFiles) ? undefined : { from: "mcp", what: cut(tool) };
}

/**
 * The same of an answer: one of our own that shows what waits for a person or what nobody vouches for, which is as good as
 * what it was made of. Such a memory stands in it with a mark before its text, so that no text can take that away; one that
 * only looks so is a false alarm. `isTrusted`: a command of ours has noted that it shows none.
 */
export function untrustedSourceOfAnswer(
  text: string,
  call: Call | undefined,
  { isTrusted = false }: { isTrusted?: boolean } = {},
): UntrustedSource | undefined {
  if (call?.does === "edit" || call?.outside) return undefined;
  const isOurs = call?.own !== undefined || seemsOwn(call?.tool ?? "");
  // What was read or searched through is judged by its files.
  if (!isOurs && !call?.command && (call?.does === "read" || call?.does === "search")) return undefined;
  const { shows, onlyKeeps } = tacitIn(call?.command?.line ?? "");
  const isShown =
    (shows && !isTrusted && /\b(?:unverified|tainted)\b/.test(text)) ||
    ((isOurs || text.includes("tacit-memory")) && blockMark.test(text)) ||
    (recordMark.test(text) && !(onlyKeeps && !otherMark.test(text)));
  return isShown ? { from: "waiting", what: cut(call?.tool || "Tacit") } : undefined;
}

/**
 * What a line runs of Tacit: whether any of it shows memories, and whether all that the line runs keeps what the agent says,
 * which is its own words again.
 */
function tacitIn(line: string): { shows: boolean; onlyKeeps: boolean } {
  if (!line.includes("tacit")) return { shows: false, onlyKeeps: false };
  const runs = allRunsOf(line);
  const verbs = runs.flatMap((run) => tacitVerb(run) ?? []);
  const others = runs.filter((run) => tacitVerb(run) === undefined && !/^(?:cd|pushd|true)$/.test(run.program));
  const keeps = verbs.filter((verb) => verb === "remember");
  return {
    shows: keeps.length < verbs.length,
    onlyKeeps: keeps.length > 0 && keeps.length === verbs.length && others.length === 0,
  };
}

/** `recall` of `tacit recall x` and of `sh bin/tacit recall x`; a path to anything else is none of ours. */
function tacitVerb({ program, args }: Run): string | undefined {
  const words = /^(?:(?:ba|z|da)?sh|node|bun|deno|npm|pnpm|yarn)$/.test(program) ? args : [program];
  const at = words.findIndex((word) => /(?:^|[/\\])tacit(?:-memory)?$/.test(word));
  if (at === -1) return undefined;
  return plainWords(words === args ? args.slice(at + 1) : args, ["--db", "--project"])[0] ?? "";
}

/**
 * Whether a tool has the name of one of ours, as an MCP client gives it. A name proves nothing: whose answer it was is known
 * by what our server has noted.
 */
export function seemsOwn(tool: string): boolean {
  return ownTool.test(tool);
}

/** Whether a tool with the name of one of ours gave an answer that no server of ours has given. */
export function isForeignAnswer(
  { answer, wordless }: Partial<Call & Result>,
  ownAnswers: ReadonlySet<string>,
): boolean {
  return answer !== undefined && !wordless && !ownAnswers.has(answer);
}

/** The same of the answer itself. The marks are read only where they are needed. */
export function isForeignText(text: string, { tool, own }: Call, readOwn: () => ReadonlySet<string>): boolean {
  return !own && seemsOwn(tool) && !showsNoWords(text) && !readOwn().has(answerMark(text));
}

const ownTool =
  /^mcp__.{1,100}__(?:recall|remember|forget|impact|session_context|search_memories|store_memory|forget_memory|search_memory|record_memory|get_session_context|analyzeImpact|getDependencies)$/i;

// As the quoted block and `pack` mark a memory, behind its label: `Gotcha (0.62, #ops, unverified): …`.
const blockMark = /\b(?:unverified|tainted|waiting)\b[^()\n]{0,100}\): /;
// As JSON holds a memory.
const recordMark = /trustFlags\\?":\s*\[[^\]]{0,200}"(?:unverified|tainted)\\?"/;

// What `remember` shows besides: a memory that was there, or that gave way.
const otherMark = /"merged":\s*true|"(?:contradicted|evicted)":\s*\[\s*\{/;

// Tools that go to the web, whatever their agent says they do.
const webTools =
  /web_?(?:search|fetch|browse)|(?:google|brave|bing|tavily|exa|perplexity)_?search|^browser_|^(?:fetch|browse)_?(?:url|web|page)/i;

function cut(what: string): string {
  return what.slice(0, 200);
}
