import { existsSync } from "node:fs";
import type { Machine } from "./machine.js";
import type { Agent } from "./agent.js";
import { serverAgent } from "./server-agent.js";

/** The user's own servers, for every workspace; those of a workspace are the project's affair. */
export const vscode: Agent = {
  ...serverAgent({
    id: "vscode",
    title: "VS Code",
    speaksAs: ["vscode", "visual-studio-code"],
    commands: ["code", "code-insiders"],
    folder: userFolder,
    file: "mcp.json",
    syntax: "jsonc",
    servers: "servers",
    more: { type: "stdio" },
  }),
  traces: (place) => foldersOf(place),
};

/** That of the usual edition, unless only the other one is there. */
function userFolder(place: Machine): string {
  const folders = foldersOf(place);
  return folders.find((folder) => existsSync(folder)) ?? (folders[0] as string);
}

function foldersOf({ env, home, platform, path }: Machine): string[] {
  const settings =
    platform === "win32"
      ? env["APPDATA"] || path.join(home, "AppData", "Roaming")
      : platform === "darwin"
        ? path.join(home, "Library", "Application Support")
        : env["XDG_CONFIG_HOME"] || path.join(home, ".config");
  return ["Code", "Code - Insiders"].map((edition) => path.join(settings, edition, "User"));
}
