import { serverAgent } from "./server-agent.js";

/** Its guide says JSON and nothing of comments, so nothing else is relied on. */
export const windsurf = serverAgent({
  id: "windsurf",
  title: "Windsurf",
  folder: ({ home, path }) => path.join(home, ".codeium", "windsurf"),
  file: "mcp_config.json",
  syntax: "json",
  servers: "mcpServers",
});
