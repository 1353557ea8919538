import { readFileSync } from "node:fs";

/** True when the version is asked for, anywhere before `--`. */
export function asksForVersion(args: string[]): boolean {
  const end = args.indexOf("--");
  return args.slice(0, end < 0 ? args.length : end).some((arg) => arg === "--version" || arg === "-V");
}

/** The version as it is printed, with its line end. */
export function versionAnswer(json: boolean): string {
  const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  const { version }: { version: string } = JSON.parse(manifest);
  return json ? `${JSON.stringify({ version })}\n` : `${version}\n`;
}
