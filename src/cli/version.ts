import { readFileSync } from "node:fs";

/** True when the version is all that was asked for, so that it can be answered before anything is loaded. */
export function isVersionQuestion(args: string[]): boolean {
  const asked = args.filter((arg) => arg !== "--json" && arg !== "--quiet");
  return asked.length === 1 && (asked[0] === "--version" || asked[0] === "-V");
}

/** The version as it is printed, with its line end. */
export function versionAnswer(json: boolean): string {
  const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  const { version }: { version: string } = JSON.parse(manifest);
  return json ? `${JSON.stringify({ version })}\n` : `${version}\n`;
}
