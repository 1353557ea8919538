import { serverAgent } from "./server-agent.js";

/** Its own guide had comments in examples; a comma behind the last has it show an error (upstash/context7 issue 563). */
export const cursor = serverAgent({
  id: "cursor",
  title: "Cursor",
  commands: ["cursor", "cursor-agent"],
  folder: ({ home, path }) => path.join(home, ".cursor"),
  file: "mcp.json",
  syntax: "commented-json",
  servers: "mcpServers",
});
