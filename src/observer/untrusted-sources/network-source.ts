import type { UntrustedSource } from "../observer.js";

/** A program with its arguments, and whether what it prints goes into a file. */
export interface Started {
  program: string;
  args: readonly string[];
  isKept: boolean;
}

/**
 * Of a program that goes to the network: from where it brings something, and whether that stays in files. It only says
 * more of what is outside; a program that is not named here is not inside for that.
 */
export function networkSource({ program, args, isKept }: Started): UntrustedSource | undefined {
  if (transfers.has(program)) {
    const hosts = hostsAsked(args);
    const isDownload = isKept || (program === "wget" ? !args.some((arg) => /^-\w*O-?$/.test(arg)) : args.some(keeps));
    return { from: isDownload ? "download" : "network", what: hosts[0] ?? program };
  }
  if (remotes.has(program)) {
    const named = args.find((arg) => !arg.startsWith("-"));
    const host = named === undefined ? undefined : (hostOf(named) ?? named.replace(/^.*@/, "").replace(/:.*$/, ""));
    return { from: "network", what: host ?? program };
  }
  if (copiers.has(program)) {
    const remote = args
      .map((arg) => /^(?:\w+:\/\/)?(?:[\w.-]+@)?([\w.-]{2,}|\[[\da-f:]+\])::?/i.exec(arg)?.[1])
      .find(Boolean);
    return remote === undefined ? undefined : { from: "download", what: remote };
  }
  if (clouds.has(program)) return { from: "network", what: program };
  if (databases.has(program)) return { from: "network", what: databaseHost(args) ?? program };
  const told = args.filter((arg) => !arg.startsWith("-")).join(" ");
  if (bringers.get(program)?.test(told) && !args.includes("--offline") && !isLocalInstall(program, told)) {
    const said = told.split(" ", 1)[0] ?? "";
    return { from: "download", what: hostsOf(args)[0] ?? `${program} ${said}`.trim() };
  }
  return undefined;
}

/** The first host of the addresses that stand in arguments, other than this machine. */
export function hostNamedIn(args: readonly string[]): string | undefined {
  return hostsOf(args).find((host) => !isLoopback(host));
}

/** Of `https://name:secret@Example.com:80/a` the `example.com`. */
export function hostOf(url: string): string | undefined {
  const found = /^(?:\w[\w+.-]*:\/\/(?:[^/@\s]*@)?|git@)(\[[^\]\s]*\]|[^/:?#\s"'`]+)/.exec(url)?.[1];
  return found === undefined || found === "" ? undefined : found.toLowerCase();
}

/** `go install ./...` builds what is here. */
function isLocalInstall(program: string, told: string): boolean {
  return program === "go" && /^(?:install|run)(?: \.{1,2}(?:\/\S*)?)+$/.test(told);
}

/** Of `-h db.example.com` and `postgres://db.example.com/a`. */
function databaseHost(args: readonly string[]): string | undefined {
  const named = args.flatMap((arg, index) => {
    const joined = /^(?:-h|--host=?)(.+)$/.exec(arg)?.[1];
    const address = /^[a-z][a-z\d+]{1,20}:\/\//i.test(arg) ? hostOf(arg.toLowerCase()) : undefined;
    return [joined, address, /^(?:-h|--host)$/.test(arg) ? args[index + 1] : undefined].filter(
      (host) => host !== undefined,
    );
  });
  return named[0];
}

const databases = words("psql pg_dump mysql mysqldump mariadb mongosh mongo redis-cli clickhouse-client cqlsh sqlcmd");
const transfers = words("curl wget http https httpie xh aria2c curlie lynx w3m");
const remotes = words("ssh sftp telnet nc ncat netcat ftp lftp mosh dig nslookup whois ping traceroute host");
const copiers = words("scp rsync rclone");
const clouds = words("gh glab aws gcloud az kubectl heroku doctl flyctl vercel netlify wrangler oc helm gsutil");

// What a program is told when it brings something from a registry.
const bringers: ReadonlyMap<string, RegExp> = new Map([
  [
    "npm",
    /^(?:i|in|install|ci|add|view|v|info|show|search|create|init \S|update|up|upgrade|outdated|audit|install-test|it|publish|login|whoami|dedupe|fund|docs|explain)\b/,
  ],
  ["pnpm", /^(?:i|install|add|view|info|show|create|dlx|update|up|upgrade|outdated|audit|fetch|publish)\b/],
  ["yarn", /^(?:$|(?:install|add|create|dlx|info|up|upgrade|outdated|audit|npm|publish)\b)/],
  ["bun", /^(?:i|install|add|a|create|update|outdated|info|publish|x|pm)\b/],
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
  ["go", /^(?:get|install|mod (?:download|tidy|vendor)|run \S*\.\w+\/\S*@)\b/],
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
  ["mise", /^(?:install|i|use|upgrade|self-update)\b/],
]);

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

const addresses =
  /(?:\b(?:https?|ftps?|wss?|ssh|git|postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|libsql):\/\/|\bgit@)(?:\[[\da-f:]*\]|[^\s"'`<>()\]{}])+/gi;

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

function isLoopback(host: string): boolean {
  return /^(?:localhost|.*\.localhost|127(?:\.\d+){1,3}|0\.0\.0\.0|\[(?:::1|::)\]|::1|host\.docker\.internal)$/i.test(
    host,
  );
}
