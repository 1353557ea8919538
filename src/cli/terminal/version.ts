import { readFileSync } from "node:fs";
import { builtFile } from "../../base/built-file.js";

/** True when the version is asked for, anywhere before `--`. */
export function asksForVersion(args: string[]): boolean {
  const end = args.indexOf("--");
  return args.slice(0, end < 0 ? args.length : end).some((arg) => arg === "--version" || arg === "-V");
}

/** The version as it is printed, with its line end. */
export function versionAnswer(json: boolean): string {
  const manifest = readFileSync(builtFile("../package.json"), "utf8");
  const { version }: { version: string } = JSON.parse(manifest);
  return json ? `${JSON.stringify({ version })}\n` : `${version}\n`;
}
