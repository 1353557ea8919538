import { existsSync } from "node:fs";
import { mcpServer } from "../mcp-server.js";
import type { Place } from "../place.js";
import type { Agent } from "./agent.js";

/** The user's own servers, for every workspace; those of a workspace are the project's affair. */
export const vscode: Agent = {
  id: "vscode",
  title: "VS Code",
  speaksAs: ["vscode", "visual-studio-code"],
  commands: ["code", "code-insiders"],
  traces: (place) => editions.map((edition) => folderOf(place, edition)),
  targets: (place) => [
    {
      name: "servers",
      file: place.path.join(userFolder(place), "mcp.json"),
      syntax: "jsonc",
      parts: [mcpServer(place, ["servers", "tacit"], { type: "stdio" })],
    },
  ],
};

const editions = ["Code", "Code - Insiders"];

/** That of the usual edition, unless only the other one is there. */
function userFolder(place: Place): string {
  const folders = editions.map((edition) => folderOf(place, edition));
  return folders.find((folder) => existsSync(folder)) ?? (folders[0] as string);
}

function folderOf({ env, home, platform, path }: Place, edition: string): string {
  const settings =
    platform === "win32"
      ? env["APPDATA"] || path.join(home, "AppData", "Roaming")
      : platform === "darwin"
        ? path.join(home, "Library", "Application Support")
        : env["XDG_CONFIG_HOME"] || path.join(home, ".config");
  return path.join(settings, edition, "User");
}
