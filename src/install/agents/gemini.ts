import { serverAgent } from "./server-agent.js";

/** It takes comments out before it reads its settings as JSON, and no comma (its settings.ts). */
export const gemini = serverAgent({
  id: "gemini",
  title: "Gemini CLI",
  // GEMINI_CLI_HOME stands for the user's folder, not for its own in it.
  folder: ({ env, home, path }) => path.join(env["GEMINI_CLI_HOME"] || home, ".gemini"),
  file: "settings.json",
  syntax: "commented-json",
  servers: "mcpServers",
});
