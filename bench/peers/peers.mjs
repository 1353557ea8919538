/**
 * Everything that is measured side by side. `open(folder, collection)` gives `add(items)`, `search(question, limit)` with
 * the ids of the best, best first, `close()`, and `pid` where another process does the work. An item is
 * `{ id, session, text, createdAt }`. What was closed is there when it is opened again.
 *
 * A collection is a project or a user of one store where the peer has such a thing, otherwise a file of its own.
 * Only the child process that measures a peer loads it.
 */
export const peers = {
  "tacit-hybrid": {
    name: "Tacit, hybrid",
    open: async (...place) => (await import("./tacit.mjs")).openTacit("hybrid", ...place),
  },
  "tacit-words": {
    name: "Tacit, words",
    open: async (...place) => (await import("./tacit.mjs")).openTacit("words", ...place),
  },
  "plain-fts5": {
    name: "plain FTS5",
    open: async (...place) => (await import("./plain-fts5.mjs")).openPlainFts5(...place),
  },
  minisearch: {
    name: "minisearch",
    open: async (...place) => (await import("./minisearch.mjs")).openMiniSearch(...place),
  },
  orama: {
    name: "orama",
    open: async (...place) => (await import("./orama.mjs")).openOrama(...place),
  },
  "mcp-words": {
    name: "MCP memory server, a call a word",
    open: async (...place) => {
      const { openMcpMemory, searchByWords } = await import("./mcp-memory.mjs");
      return openMcpMemory(searchByWords, ...place);
    },
  },
  "mcp-whole": {
    name: "MCP memory server, the whole question",
    open: async (...place) => {
      const { openMcpMemory, searchWhole } = await import("./mcp-memory.mjs");
      return openMcpMemory(searchWhole, ...place);
    },
  },
  mem0: {
    name: "mem0, no model",
    open: async (...place) => (await import("./mem0.mjs")).openMem0(...place),
  },
};

export function isOurs(peer) {
  return peer.startsWith("tacit-");
}
