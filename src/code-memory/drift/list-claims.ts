import { listCodeNames, type CodeName } from "../links/list-code-names.js";

/** What a text says that can be looked up in code. */
export interface Claims {
  names: CodeName[];
  /** Paths, or the ends of paths, without the line. */
  files: string[];
  /** Scripts of package.json that it tells to run. */
  scripts: string[];
}

// What names more is an overview of many things, and any change of one of them would put it in doubt.
const most = 12;
// Nobody writes longer paths, and the pattern takes its time over what is none: 6 s for 20,000 brackets (2026-11).
const longest = 300;

// Whatever a path may consist of or stand beside.
const pathRun = /[\p{L}\p{N}_$@:/\\.+()[\]-]+/gu;
const path =
  /(?<![\p{L}\p{N}_$@:/\\.-])(?:\.\/)?((?:[\p{L}\p{N}_$@.+()[\]-]+\/)*[\p{L}\p{N}_$@.+()[\]-]*\.[A-Za-z]\w{0,9})(?![\p{L}\p{N}_$(/])/gu;
const script =
  /\b(?:(?:npm|pnpm|bun|yarn)\s+run\s+|(?:pnpm|yarn)\s+)([A-Za-z](?:[\w:.-]*\w)?)|\bnpm\s+(test|start|stop)\b/g;
// What pnpm and yarn do by themselves.
const builtIn = new Set(
  "add install i remove rm up update upgrade run exec dlx init link why list ls outdated publish pack config create import audit dedupe store rebuild global workspace workspaces set version node npm plugin cache info bin help".split(
    " ",
  ),
);

/** @example listClaims("`retry` in src/http.ts:12; check with npm run lint").scripts // ["lint"] */
export function listClaims(text: string): Claims {
  const runs = (text.match(pathRun) ?? []).filter(({ length }) => length <= longest);
  const written = runs.flatMap((one) => [...one.matchAll(path)]);
  const files = new Set(written.map(([, found = ""]) => found.replace(/^[([]+/, "")));
  const scripts = [...text.matchAll(script)]
    .map(([, run, short]) => run ?? short ?? "")
    .filter((name) => name !== "" && !builtIn.has(name));
  return {
    names: listCodeNames(text).slice(0, most),
    files: [...files].slice(0, most),
    scripts: [...new Set(scripts)].slice(0, most),
  };
}

/** How a text writes a call of something: the names in the brackets behind it; undefined where it does not. */
export function statedParameters(text: string, name: string): string[] | undefined {
  const escaped = name.replaceAll(/[$.*+?^(){}|[\]\\]/g, String.raw`\$&`);
  const [, inner] = new RegExp(String.raw`(?<![\p{L}\p{N}_$])${escaped}\(([^()\n]{0,200})\)`, "u").exec(text) ?? [];
  if (inner === undefined || inner.trim() === "") return undefined;
  return inner.split(",").map((part) => part.trim().replace(/[?:=\s].*$/su, ""));
}
