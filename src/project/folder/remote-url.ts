import { dirname, resolve, sep, win32 } from "node:path";

const longestUrl = 4096;
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}]/u;
const defaultPorts = new Map([
  ["http", "80"],
  ["https", "443"],
  ["git", "9418"],
]);
const sshSchemes = new Set(["ssh", "git+ssh", "ssh+git"]);
const caseBlindHosts = new Set(["github.com", "gitlab.com", "bitbucket.org"]);
/** Doors of the same house, for networks that let only port 443 through. */
const hostAliases = new Map([
  ["ssh.github.com", "github.com"],
  ["altssh.gitlab.com", "gitlab.com"],
  ["altssh.bitbucket.org", "bitbucket.org"],
]);

/**
 * The url that decides to which project a repository belongs, out of the text of its git configuration: that of
 * `origin`, else of the only remote, else of `upstream`. Undefined when others compete or the text does not parse.
 * Includes are not followed.
 *
 * @example
 * findDecidingUrl('[remote "origin"]\n\turl = git@github.com:owner/repo.git'); // "git@github.com:owner/repo.git"
 */
export function findDecidingUrl(config: string): string | undefined {
  const urls = parseRemoteUrls(config.replaceAll("\r\n", "\n"));
  const [only] = urls.size === 1 ? urls.values() : [];
  return urls.get("origin") ?? only ?? urls.get("upstream");
}

/** The first url of each remote; none at all when git would refuse the text. */
function parseRemoteUrls(config: string): Map<string, string> {
  const blank = /(?:\s|[#;][^\n]*)*/y;
  const section = /\[([a-z0-9.-]+)(?:[ \t]+"((?:[^"\\\n]|\\[^\n])*)")?\]/iy;
  const variable = /([a-z][a-z0-9-]*)[ \t]*(?:=((?:[^"\\\n#;]|\\[\n"\\ntb]|"(?:[^"\\\n]|\\[\n"\\ntb])*")*))?/iy;
  const urls = new Map<string, string>();
  let remote: string | undefined;
  let position = 0;
  const take = (pattern: RegExp) => {
    pattern.lastIndex = position;
    const match = pattern.exec(config);
    position += match?.[0].length ?? 0;
    return match;
  };
  while (take(blank) && position < config.length) {
    const header = take(section);
    if (header) {
      remote = nameOfRemote(header[1] ?? "", header[2]);
      continue;
    }
    const [, key, value] = take(variable) ?? [];
    const ends = value === undefined ? ["\n", undefined] : ["\n", undefined, "#", ";"];
    if (key === undefined || !ends.includes(config[position])) return new Map();
    const url = unescapeValue(value ?? "").trim();
    if (remote !== undefined && key.toLowerCase() === "url" && url !== "" && !urls.has(remote)) urls.set(remote, url);
  }
  return urls;
}

/** The quoted name keeps its case; the old spelling `[remote.name]` never had one. */
function nameOfRemote(section: string, quotedName: string | undefined): string | undefined {
  const lowered = section.toLowerCase();
  if (quotedName !== undefined) return lowered === "remote" ? quotedName.replace(/\\(.)/g, "$1") : undefined;
  return lowered.startsWith("remote.") ? lowered.slice("remote.".length) : undefined;
}

function unescapeValue(value: string): string {
  const meanings: Record<string, string> = { "\n": "", n: "\n", t: "\t", b: "\b" };
  return value.replace(/\\([^])|"/g, (_, escaped?: string) => (escaped ? (meanings[escaped] ?? escaped) : ""));
}

/**
 * The form in which two spellings of one remote are equal: without protocol, user, credentials, `.git` and trailing
 * slash. Undefined for what is no remote, and where a credential cannot be told from the path for certain.
 *
 * @example
 * normaliseRemote("git@github.com:Owner/Repo.git", "/code/repo/.git"); // "github.com/owner/repo"
 * normaliseRemote("../shared.git", "/code/repo/.git"); // "file:/code/shared"
 */
export function normaliseRemote(url: string, gitDirectory: string): string | undefined {
  const text = url.trim();
  if (text === "" || text.length > longestUrl || unprintable.test(text)) return undefined;
  if (isWindowsPath(text)) return fileKey(text, gitDirectory);

  const [, region, repository] = /^codecommit::([a-z0-9-]+):\/\/(?:[^@/]*@)?([^@/]+)$/i.exec(text) ?? [];
  if (region && repository) return hostKey(`git-codecommit.${region}.amazonaws.com`, `v1/repos/${repository}`);
  const callsHelper = /^[a-z0-9]+::/i.test(text);
  if (callsHelper) return undefined;

  const [, scheme, authority, path] = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)(.*)$/i.exec(text) ?? [];
  if (scheme !== undefined && authority !== undefined && path !== undefined) {
    const host = authority.slice(authority.lastIndexOf("@") + 1);
    if (scheme.toLowerCase() === "file") return fileUrlKey(host, path, gitDirectory);
    return urlKey(scheme.toLowerCase(), host, path);
  }

  const [, scpHost, scpPath] = /^(?:[^/:[]*@)?(\[[^\]/]+\]|[^/:@[\]]+):(.*)$/.exec(text) ?? [];
  if (scpHost !== undefined && scpPath !== undefined) return hostKey(unwrapHost(scpHost), scpPath);
  // What git takes for a host but we do not, and a URL that lost its protocol: either may hold a credential.
  if (/^[^/]*:/.test(text) || /\/\/.*@/.test(text)) return undefined;
  return fileKey(text, gitDirectory);
}

function urlKey(scheme: string, authority: string, path: string): string | undefined {
  const [, host, port] = /^(\[[^\]]*\]|[^:]*)(?::(\d*))?$/.exec(authority) ?? [];
  if (host === undefined) return undefined;
  if (sshSchemes.has(scheme)) return hostKey(host, path);
  const defaultPort = defaultPorts.get(scheme);
  const key = hostKey(host, path, !port || port === defaultPort ? "" : `:${port}`);
  // Another protocol names its places by its own rules: the bucket of `s3://bucket/x` is no host.
  return key === undefined || defaultPort !== undefined ? key : `${scheme}:${key}`;
}

function hostKey(spelledHost: string, spelledPath: string, port = ""): string | undefined {
  // An `@` behind the host may end a password that holds a slash; a token must never get into a key.
  if (spelledPath.includes("@")) return undefined;
  const lowered = spelledHost.toLowerCase().replace(/\.$/, "");
  const host = hostAliases.get(lowered) ?? lowered;
  if (!/^(?:[\p{L}\p{N}_][\p{L}\p{N}._-]*|\[[0-9a-f:.]+\])$/u.test(host)) return undefined;

  const decoded = decode(spelledPath.replace(/[?#].*$/, ""));
  const path = trimRepository(caseBlindHosts.has(host) ? decoded.toLowerCase() : decoded);
  if (path === "" || unprintable.test(path)) return undefined;
  return azureKey(host, path) ?? `${host}${port}/${path}`;
}

/** Azure spells the path of one repository differently for ssh and https; this is the https spelling. */
function azureKey(host: string, path: string): string | undefined {
  const [, owner, project, repository] = /^v3\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
  if (owner === undefined) return undefined;
  if (host === "ssh.dev.azure.com") return `dev.azure.com/${owner}/${project}/_git/${repository}`;
  if (host === "vs-ssh.visualstudio.com") {
    return `${owner.toLowerCase()}.visualstudio.com/${project}/_git/${repository}`;
  }
  return undefined;
}

/** `[host:2222]` of the scp form to `host`; an IPv6 address keeps its brackets. */
function unwrapHost(host: string): string {
  const [, name] = /^\[(?:[^\]]*@)?([^:\]]+)(?::\d+)?\]$/.exec(host) ?? [];
  return name ?? host;
}

function fileUrlKey(host: string, path: string, gitDirectory: string): string | undefined {
  const decoded = decode(path);
  if (unprintable.test(decoded)) return undefined;
  if (/^[a-z]:$/i.test(host)) return fileKey(host + decoded, gitDirectory);
  if (host !== "" && host.toLowerCase() !== "localhost") {
    return path.includes("@") ? undefined : fileKey(`\\\\${host}${decoded}`, gitDirectory);
  }
  const isDrivePath = /^\/[a-z]:/i.test(decoded);
  return fileKey(isDrivePath ? decoded.slice(1) : decoded, gitDirectory);
}

function fileKey(path: string, gitDirectory: string): string | undefined {
  const resolved = isWindowsPath(path) ? win32.normalize(path) : resolve(dirname(gitDirectory), path);
  const slashed = isWindowsPath(path) || sep === "\\" ? resolved.replaceAll("\\", "/") : resolved;
  const trimmed = slashed
    .replace(/\/$/, "")
    .replace(/\/?\.git$/, "")
    .replace(/^[a-z]:/, (drive) => drive.toUpperCase());
  return trimmed === "" ? undefined : `file:${trimmed}`;
}

/** Known by its look on every system, so that one configuration means the same everywhere. */
function isWindowsPath(text: string): boolean {
  return /^(?:[a-z]:[\\/]|\\\\)/i.test(text);
}

function trimRepository(path: string): string {
  const single = path.replace(/\/{2,}/g, "/").replace(/^\/|\/$/g, "");
  return single.replace(/\/?\.git$/, "");
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
