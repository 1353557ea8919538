import { existsSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import nodePath from "node:path";
import { fileURLToPath } from "node:url";
import { builtFile } from "../../base/built-file.js";
import { homeFolder, userHome } from "../../base/files/files.js";

/** The computer that agents are looked for on. Everything that differs between systems arrives here, so that tests can be any. */
export interface Machine {
  /** The user's own folder. */
  home: string;
  /** Tacit's folder. */
  tacitHome: string;
  platform: NodeJS.Platform;
  env: Readonly<Record<string, string | undefined>>;
  /** `node:path` of that system. */
  path: typeof nodePath;
  installation: Installation;
  /** The folder that is emptied now and then; default the system's own. */
  temporary?: string;
}

/** What agents are to start. */
export interface Installation {
  node: string;
  /** The file behind the command `tacit`. */
  main: string;
  /** The address of the plug-in for opencode. */
  plugin: string;
}

/** This computer, this user and this installation. */
export function openMachine({ tacitHome = homeFolder() }: { tacitHome?: string } = {}): Machine {
  return {
    home: userHome(),
    tacitHome: nodePath.resolve(tacitHome),
    platform: process.platform,
    env: process.env,
    path: nodePath,
    installation: {
      node: lastingNode(process.execPath),
      main: fileURLToPath(builtFile("cli/main.js")),
      plugin: builtFile("agents/opencode/opencode.js").href,
    },
  };
}

// Homebrew and snap keep each version in a folder of its own and remove it with the next; a link beside them stays.
const passing: [pattern: RegExp, lasting: string][] = [
  [/^(.*)\/Cellar\/([^/]+)\/[^/]+\/bin\/node$/, "$1/opt/$2/bin/node"],
  [/^\/snap\/node\/\d+\/bin\/node$/, "/snap/node/current/bin/node"],
];

/** The path of this Node that an update does not take away, where there is one. */
export function lastingNode(node: string, real: (path: string) => string | undefined = realOf): string {
  const other = passing.find(([pattern]) => pattern.test(node));
  const lasting = other && node.replace(...other);
  return lasting !== undefined && real(lasting) === real(node) ? lasting : node;
}

function realOf(path: string): string | undefined {
  return existsSync(path) ? realpathSync(path) : undefined;
}

// Where programs that run a package without installing it put it, by the name of a folder on the way.
const runners: [name: RegExp, title: string][] = [
  [/^_npx$/, "npx's cache"],
  [/^dlx(?:-\d+)?$/, "the cache of pnpm dlx"],
  [/^bunx-/, "bunx's cache"],
];

/** What is wrong with connecting agents to this installation; undefined where it is there to stay. */
export function warnOfPassing(place: Machine): string | undefined {
  const where = passingFolderOf(place.installation.main, place);
  if (where === undefined) return undefined;
  return `This installation lies in ${where}, which is emptied now and then; agents would lose it. Better: npm install -g tacit-memory, then tacit install`;
}

/** What kind of folder a file lies in that will be emptied; undefined where it is there to stay. */
export function passingFolderOf(file: string, { path, temporary = tmpdir() }: Machine): string | undefined {
  const folders = file.split(path.sep);
  const [, title] = runners.find(([name]) => folders.some((folder) => name.test(folder))) ?? [];
  // On macOS it is named by a link, and the file by what the link leads to.
  const isBelow = [temporary, realOf(temporary)].some((folder) => folder && file.startsWith(folder + path.sep));
  return title ?? (isBelow ? "a temporary folder" : undefined);
}

/** Tacit's folder where it is not the usual one, so that agents have to be told. */
export function unusualHome(place: Machine): string | undefined {
  return place.tacitHome === usualHome(place) ? undefined : place.tacitHome;
}

/** Where Tacit's folder is if nobody says otherwise. */
export function usualHome({ home, path }: Machine): string {
  return path.join(home, ".tacit");
}

/** True where a command of this name would be found. */
export function isOnPath(command: string, { env, platform, path }: Machine): boolean {
  const endings = platform === "win32" ? (env["PATHEXT"] ?? ".EXE;.CMD;.BAT").split(";") : [""];
  const folders = (env["PATH"] ?? env["Path"] ?? "").split(path.delimiter).filter((folder) => folder !== "");
  return folders.some((folder) => endings.some((ending) => existsSync(path.join(folder, command + ending))));
}
