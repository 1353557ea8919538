import { mcpServer } from "../mcp-server.js";
import type { Place } from "../place.js";
import type { Agent } from "./agent.js";

export const gemini: Agent = {
  id: "gemini",
  title: "Gemini CLI",
  speaksAs: ["gemini"],
  commands: ["gemini"],
  traces: (place) => [folderOf(place)],
  targets: (place) => [
    {
      name: "settings",
      file: place.path.join(folderOf(place), "settings.json"),
      syntax: "jsonc",
      parts: [mcpServer(place, ["mcpServers", "tacit"])],
    },
  ],
};

/** GEMINI_CLI_HOME stands for the user's folder, not for its own in it. */
function folderOf({ env, home, path }: Place): string {
  return path.join(env["GEMINI_CLI_HOME"] || home, ".gemini");
}
