import type { Json } from "../../base/base.js";
import type { Syntax } from "../config-files/document.js";
import { homeOfServer, mcpServer } from "./mcp-server.js";
import type { Machine } from "./machine.js";
import type { Agent, AgentId } from "./agent.js";

/** What there is to know of an agent that takes us as an MCP server, in one file. */
export interface ServerAgent {
  id: AgentId;
  title: string;
  /** How the names begin under which it speaks; its id where nothing else is said. */
  speaksAs?: readonly string[];
  /** Its id where nothing else is said. */
  commands?: readonly string[];
  /** Where the file is. */
  folder: (place: Machine) => string;
  file: string;
  syntax: Syntax;
  /** The key under which it keeps its servers. */
  servers: string;
  /** What its entries have beside the call. */
  more?: { [key: string]: Json };
}

/** An agent that can ask Tacit, and is not watched. */
export function serverAgent(known: ServerAgent): Agent {
  const { id, title, speaksAs = [id], commands = [id], folder, file, syntax, servers, more } = known;
  const at = [servers, "tacit"];
  return {
    id,
    title,
    isWatched: false,
    speaksAs,
    commands,
    traces: (place) => [folder(place)],
    targets: (place) => [
      {
        name: "servers",
        file: place.path.join(folder(place), file),
        syntax,
        parts: [mcpServer(place, at, more)],
        homeIn: (document) => homeOfServer(document, at, place),
      },
    ],
  };
}
