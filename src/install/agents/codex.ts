import { serverAgent } from "./server-agent.js";

/** Its command line, its window and its extension read the same file. */
export const codex = serverAgent({
  id: "codex",
  title: "Codex",
  folder: ({ env, home, path }) => env["CODEX_HOME"] || path.join(home, ".codex"),
  file: "config.toml",
  syntax: "toml",
  servers: "mcp_servers",
});
