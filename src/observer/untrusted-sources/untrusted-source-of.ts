import type { Call, UntrustedSource } from "../observer.js";
import { isOutsidePath } from "./outside-path.js";
import { splitCommand, type Started } from "./split-command.js";

/**
 * Where the answer of a call comes from, if not from the project, as far as the call alone tells: the web, another MCP
 * server, a command of the network, a file outside of `root`. Which files inside are not the project's own is known only
 * at the end of the session.
 *
 * @example
 * untrustedSourceOf({ tool: "WebFetch", does: "fetch", url: "example.com/a" }, "/project") // { from: "web", what: "example.com" }
 */
export function untrustedSourceOf(call: Call, root: string): UntrustedSource | undefined {
  const { tool, does, url, command, files, search } = call;
  const server = /^mcp__(.+?)__/.exec(tool)?.[1] ?? (/^(?:list|read)_?mcp_?resource/i.test(tool) ? tool : undefined);
  if (server !== undefined) return ownTool.test(tool) ? undefined : { from: "mcp", what: cut(server) };
  if (does === "fetch" || webTools.test(tool)) {
    const host = url === undefined ? undefined : (hostOf(url) ?? hostOf(`http://${url}`));
    return host !== undefined && isLoopback(host) ? undefined : { from: "web", what: cut(host ?? tool) };
  }
  if (does === "other" && mayBring(tool)) return { from: "mcp", what: cut(tool) };
  const fetched = command && outsideOfCommand(command.line);
  if (fetched) return fetched;
  // A search for names shows no content, wherever it looks.
  const shows = does === "read" || (does === "search" && search?.by !== "name");
  const shown = shows ? [...(files ?? []), search?.where ?? ""] : [];
  const path = shown.find((one) => isOutsidePath(one, root));
  return path === undefined ? undefined : { from: "file", what: cut(path) };
}

/**
 * The same of an answer: one of our own that shows what waits for a person or what nobody vouches for, which is as good as
 * what it was made of. Such a memory stands in it with a mark before its text, so that no text can take that away; one that
 * only looks so is a false alarm.
 */
export function untrustedSourceOfAnswer(text: string, call: Call | undefined): UntrustedSource | undefined {
  if (call?.does === "edit" || call?.outside) return undefined;
  const isOurs = ownTool.test(call?.tool ?? "");
  // What was read or searched through is judged by its files.
  if (!isOurs && !call?.command && (call?.does === "read" || call?.does === "search")) return undefined;
  const isCommand = /\btacit\b/.test(call?.command?.line ?? "");
  const isShown =
    (isCommand && /\b(?:unverified|tainted)\b/.test(text)) ||
    ((isOurs || text.includes("tacit-memory")) && blockMark.test(text)) ||
    recordMark.test(text);
  return isShown ? { from: "waiting", what: cut(call?.tool || "Tacit") } : undefined;
}

// As the quoted block and `pack` mark a memory, behind its label: `Gotcha (0.62, #ops, unverified): …`.
const blockMark = /\b(?:unverified|tainted|waiting)\b[^()\n]{0,100}\): /;
// As JSON holds a memory.
const recordMark = /trustFlags\\?":\s*\[[^\]]{0,200}"(?:unverified|tainted)\\?"/;

// Tools that go to the web, whatever their agent says they do.
const webTools =
  /web_?(?:search|fetch|browse)|(?:google|brave|bing|tavily|exa|perplexity)_?search|^browser_|^(?:fetch|browse)_?(?:url|web|page)/i;

// The server by its whole name and one of its tools: any other server may call itself nearly so.
const ownTool =
  /^mcp__(?:tacit(?:[_-]memory)?|plugin_tacit(?:[_-][a-z\d-]+)*)__(?:recall|remember|forget|impact|session_context|search_memories|store_memory|forget_memory|search_memory|record_memory|get_session_context|analyzeImpact|getDependencies)$/i;

/** Whether the answer of a tool that no list knows counts as the agent's or Tacit's own, by the tool's name alone. */
export function isTrustedToolName(tool: string): boolean {
  return !mayBring(tool);
}

/** A tool that no list knows may answer with anything. Those that only order the agent's own work cannot. */
function mayBring(tool: string): boolean {
  const parts = tool
    .slice(0, 100)
    .replaceAll(/([a-z\d])(?=[A-Z])/g, "$1 ")
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((part) => part !== "");
  return parts.length > 0 && !ownNames.has(parts.join("")) && !parts.some((part) => ordering.has(part));
}

const ownNames = words(
  "recall remember forget impact sessioncontext searchmemories searchmemory getsessioncontext analyzeimpact storememory forgetmemory savememory recordmemory addmemory batch invalid toolsearch bashoutput monitor sendmessage structuredoutput lsp",
);
const ordering = words(
  "todo todos todowrite plan plans planmode task tasks taskstop agent agents subagent delegate handoff exit enter mode think thinking ask question skill slash slashcommand kill stop wait sleep attempt complete completion finish done submit approve toolsearch",
);

function outsideOfCommand(line: string): UntrustedSource | undefined {
  for (const started of splitCommand(line)) {
    const outside = outsideOfStarted(started);
    if (outside) return { ...outside, what: cut(outside.what) };
  }
  return undefined;
}

function outsideOfStarted(started: Started): UntrustedSource | undefined {
  const { program, args, isRedirected } = started;
  if (fetchers.has(program)) return outsideOfPackage(started);
  if (args.every((arg) => /^(?:-h|-V|-v|--help|--version|version|help)$/.test(arg)) && args.length > 0)
    return undefined;
  if (transfers.has(program)) {
    const hosts = hostsAsked(args);
    if (hosts.length > 0 && hosts.every(isLoopback)) return undefined;
    const isKept = isRedirected || (program === "wget" ? !args.some((arg) => /^-\w*O-?$/.test(arg)) : args.some(keeps));
    return { from: isKept ? "download" : "network", what: hosts.find((host) => !isLoopback(host)) ?? program };
  }
  if (remotes.has(program)) {
    const named = args.find((arg) => !arg.startsWith("-"));
    const host = named === undefined ? undefined : (hostOf(named) ?? named.replace(/^.*@/, "").replace(/:.*$/, ""));
    return host !== undefined && isLoopback(host) ? undefined : { from: "network", what: host ?? program };
  }
  if (copiers.has(program)) {
    const remote = args
      .map((arg) => /^(?:\w+:\/\/)?(?:[\w.-]+@)?([\w.-]{2,}|\[[\da-f:]+\])::?/i.exec(arg)?.[1])
      .find(Boolean);
    return remote === undefined || isLoopback(remote) ? undefined : { from: "download", what: remote };
  }
  if (clouds.has(program)) return { from: "network", what: program };
  if (program === "tacit" || program === "tacit-memory") return outsideOfTacit(args);
  if (databases.has(program)) {
    const host = databaseHost(args);
    return host === undefined ? undefined : { from: "network", what: host };
  }
  const bringing = bringers.get(program);
  const told = args.filter((arg) => !arg.startsWith("-")).join(" ");
  if (bringing?.test(told) && !args.includes("--offline")) {
    const said = told.split(" ", 1)[0] ?? "";
    return { from: "download", what: hostsOf(args).find((host) => !isLoopback(host)) ?? `${program} ${said}`.trim() };
  }
  const module = /^(?:python|py)[\d.]*$/.test(program) && args[0] === "-m" ? args[1] : undefined;
  if (module !== undefined) return outsideOfStarted({ ...started, program: module, args: args.slice(2) });
  if (speakers.has(program)) return undefined;
  const host = hostsOf(args).find((one) => !isLoopback(one));
  return host === undefined ? undefined : { from: "network", what: host };
}

/** `npx -y pkg` brings what it runs, unless that is what projects check themselves with and mostly there already. */
function outsideOfPackage(started: Started): UntrustedSource | undefined {
  const { program, args } = started;
  const at = args.findIndex((arg) => !arg.startsWith("-"));
  const name = (args[at] ?? "").replace(/(?<=.)@[^/]*$/, "");
  const inner = name === "" ? undefined : outsideOfStarted({ ...started, program: name, args: args.slice(at + 1) });
  if (inner || name === "") return inner;
  const isAsked = program === "uvx" || args.slice(0, at).some((arg) => /^(?:-y|--yes)$/.test(arg));
  return isAsked && !usual.has(name) ? { from: "download", what: `${program} ${name}` } : undefined;
}

/** What waits for a person is not to be read by an agent: it is as good as what it was made of. */
function outsideOfTacit(args: readonly string[]): UntrustedSource | undefined {
  const verb = args.find((arg) => /^[a-z]/.test(arg)) ?? "";
  const isShown =
    verb === "review" ||
    verb === "show" ||
    verb === "export" ||
    ((verb === "list" || verb === "recall") && args.some((arg) => /^--(?:status|all|include-tainted)/.test(arg)));
  return isShown ? { from: "waiting", what: `tacit ${verb}` } : undefined;
}

/** Of `-h db.example.com` and `postgres://db.example.com/a`. A name without a dot is a container or a socket of one's own. */
function databaseHost(args: readonly string[]): string | undefined {
  const named = args.flatMap((arg, index) => {
    const joined = /^(?:-h|--host=?)(.+)$/.exec(arg)?.[1];
    const address = /^[a-z][a-z\d+]{1,20}:\/\//i.test(arg) ? hostOf(arg.toLowerCase()) : undefined;
    return [joined, address, /^(?:-h|--host)$/.test(arg) ? args[index + 1] : undefined].filter(
      (host) => host !== undefined,
    );
  });
  return named.find((host) => host.includes(".") && !host.startsWith("/") && !isLoopback(host));
}

const usual = words(
  "tacit tacit-memory vitest jest mocha ava playwright cypress tsc tsx ts-node eslint prettier biome oxlint oxfmt stylelint knip vite webpack rollup esbuild tsup turbo nx lerna prisma drizzle-kit svelte-check vue-tsc markdownlint ruff black isort mypy pyright pytest flake8 pylint tox nox pre-commit",
);
const fetchers = words("npx bunx pnpx uvx");
const databases = words("psql pg_dump mysql mysqldump mariadb mongosh mongo redis-cli clickhouse-client cqlsh sqlcmd");
const transfers = words("curl wget http https httpie xh aria2c curlie lynx w3m");
const remotes = words("ssh sftp telnet nc ncat netcat ftp lftp mosh dig nslookup whois");
const copiers = words("scp rsync rclone");
const clouds = words("gh glab aws gcloud az kubectl heroku doctl flyctl vercel netlify wrangler oc helm gsutil");

// What a program is told when it brings something from a registry. What git does with the project's own remote is not
// among them, as long as it does not ask for what anybody may have proposed there.
const bringers: ReadonlyMap<string, RegExp> = new Map([
  [
    "git",
    /^(?:clone|ls-remote|submodule (?:update|add))\b|^(?:fetch|pull)\b.*(?:\bpull\/|\bmerge-requests\/|:\/\/|\w@[\w.-]+:)/,
  ],
  [
    "npm",
    /^(?:i|in|install|ci|add|view|v|info|show|search|create|init \S|update|up|upgrade|outdated|audit|install-test|it)\b/,
  ],
  ["pnpm", /^(?:i|install|add|view|info|show|create|dlx|update|up|upgrade|outdated|audit|fetch)\b/],
  ["yarn", /^(?:$|(?:install|add|create|dlx|info|up|upgrade|outdated|audit|npm)\b)/],
  ["bun", /^(?:i|install|add|a|create|update|outdated|info)\b/],
  ["deno", /^(?:install|add|cache)\b/],
  ["pip", /^(?:install|download|index|search|wheel)\b/],
  ["pip3", /^(?:install|download|index|search|wheel)\b/],
  ["pipx", /^(?:install|run|upgrade)\b/],
  ["uv", /^(?:add|sync|lock|pip (?:install|download|sync|compile)|tool (?:install|run))\b/],
  ["poetry", /^(?:add|install|update|lock)\b/],
  ["pipenv", /^(?:install|update|sync)\b/],
  ["conda", /^(?:install|create|update|search|env)\b/],
  ["mamba", /^(?:install|create|update|search|env)\b/],
  ["cargo", /^(?:install|add|update|fetch|search|info)\b/],
  ["go", /^(?:get|install|mod (?:download|tidy))\b/],
  ["gem", /^(?:install|update|fetch|search|info|specification)\b/],
  ["bundle", /^(?:install|update|add)\b/],
  ["composer", /^(?:install|require|update|create-project|show)\b/],
  ["brew", /^(?:install|upgrade|update|search|info|fetch|reinstall)\b/],
  ["apt", /^(?:install|update|upgrade|download|search|show)\b/],
  ["apt-get", /^(?:install|update|upgrade|download|source)\b/],
  ["apk", /^(?:add|update|upgrade|search|fetch)\b/],
  ["dnf", /^(?:install|update|upgrade|search|info)\b/],
  ["yum", /^(?:install|update|upgrade|search|info)\b/],
  ["pacman", /./],
  ["docker", /^(?:pull|run|search|compose pull|image pull)\b/],
  ["podman", /^(?:pull|run|search|image pull)\b/],
  ["dotnet", /^(?:restore|add|tool (?:install|update))\b/],
  ["mix", /^(?:deps\.get|deps\.update|archive\.install)\b/],
]);

// An address among their arguments is text: a message, a pattern, the project's own remote.
const speakers = words(
  "git echo printf cat tee tacit grep egrep fgrep rg ag ack sed awk gawk perl find fd jq test [ [[ export alias read ls cd xdg-open open",
);

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}

function keeps(arg: string): boolean {
  return /^(?:--output(?:=|$)|--remote-name|--download|-[a-zA-Z]*[oO])/.test(arg) && !arg.startsWith("--output=-");
}

/** The hosts of the addresses that stand in arguments. */
function hostsOf(args: readonly string[]): string[] {
  return args.flatMap((arg) =>
    [...arg.slice(0, 5000).matchAll(addresses)].flatMap(([address]) => hostOf(address) ?? []),
  );
}

const addresses = /(?:\b(?:https?|ftps?|wss?|ssh|git):\/\/|\bgit@)(?:\[[\da-f:]*\]|[^\s"'`<>()\]{}])+/gi;

/** For programs of the network also of words such as `localhost:3000/a`. */
function hostsAsked(args: readonly string[]): string[] {
  const plain = args.filter((_, index) => !takesValue.test(args[index - 1] ?? ""));
  const whole = hostsOf(plain);
  if (whole.length > 0) return whole;
  return plain.flatMap((arg) => {
    if (/^:\d*(?:\/|$)/.test(arg)) return ["localhost"];
    const isBare = /^(?:[\w-]+(?:\.[\w-]+)+|localhost|\[[\da-f:]+\])(?::\d+)?(?:[/?]|$)/i.test(arg);
    return isBare ? (hostOf(`http://${arg}`) ?? []) : [];
  });
}

const takesValue =
  /^(?:-[a-zA-Z]*[oXHdFuTAebcmwP]|--(?:output|request|header|data(?:-\w+)?|form|user|user-agent|max-time|output-document|write-out|cookie))$/;

/** Of `https://name:secret@Example.com:80/a` the `example.com`. */
function hostOf(url: string): string | undefined {
  const found = /^(?:\w[\w+.-]*:\/\/(?:[^/@\s]*@)?|git@)(\[[^\]\s]*\]|[^/:?#\s"'`]+)/.exec(url)?.[1];
  return found === undefined || found === "" ? undefined : found.toLowerCase();
}

function isLoopback(host: string): boolean {
  return /^(?:localhost|.*\.localhost|127(?:\.\d+){1,3}|0\.0\.0\.0|\[(?:::1|::)\]|::1|host\.docker\.internal)$/i.test(
    host,
  );
}

function cut(what: string): string {
  return what.slice(0, 200);
}
