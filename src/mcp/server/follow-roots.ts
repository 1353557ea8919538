import { stat } from "node:fs/promises";
import { posix, win32 } from "node:path";
import { fileURLToPath } from "node:url";
import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  inputResponse,
  type InputRequiredResult,
  type McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import type { CallContext } from "../tools/tool.js";

/** Where a call is made from; or what to answer instead, so that the client says it and asks again. */
export type FindPlace = (asked: ServerContext) => Promise<CallContext | InputRequiredResult>;

// A client answers from what it holds in memory, though an editor that has just started is busy; the wrong project would be
// worse than waiting. One that never answers is waited for once.
const patienceMs = 2000;
// What comes later holds for later calls.
const latestMs = 30_000;
// More than anybody opens at once.
const maxRoots = 50;

/**
 * Finds where the calls of a client are made from, by the folders that it has open (its roots): an editor starts one server
 * for everything, in a folder of its own. The first folder counts that is there. The client is asked by its first call, and
 * again when it says that they have changed; where it has none, or is silent for two seconds, `here` counts.
 */
export function followRoots(
  { server }: McpServer,
  here: CallContext,
  contextAt: (directory: string) => CallContext,
): FindPlace {
  let place = here;
  let asking: Promise<void> | undefined;
  let askedAt: number | undefined;
  let changes = 0;

  const take = async (roots: readonly unknown[]): Promise<void> => {
    const folder = await findFolder(roots);
    place = folder === undefined ? here : contextAt(folder);
  };
  const ask = async (): Promise<void> => {
    const before = changes;
    try {
      const { roots } = await server.request({ method: "roots/list" }, told, { timeout: latestMs });
      if (changes === before) await take(roots);
    } catch {
      // It offered to tell and did not: what was known before counts.
    }
  };
  server.setNotificationHandler("notifications/roots/list_changed", () => {
    changes++;
    asking = undefined;
  });

  return async ({ mcpReq: { method, envelope, inputResponses } }) => {
    const declared = capabilitiesIn(envelope) ?? server.getClientCapabilities();
    if (typeof declared !== "object" || declared === null || !("roots" in declared)) return here;
    if (envelope === undefined) {
      asking ??= Promise.race([ask(), new Promise<void>((late) => setTimeout(late, patienceMs).unref())]);
      await asking;
      return place;
    }
    // The newest protocol has no requests of a server: a call is answered with a question, and comes again with the answer.
    if (!answerable.has(method)) return place;
    if (inputResponses !== undefined) {
      const response = inputResponse(inputResponses, "roots");
      askedAt = 0;
      await take(response.kind === "roots" ? response.roots : []);
    }
    askedAt ??= Date.now();
    // Whoever does not answer has been asked by its first calls, and not by all of them.
    if (askedAt === 0 || Date.now() - askedAt > patienceMs) return place;
    return inputRequired({ inputRequests: { roots: inputRequired.listRoots() } });
  };
}

// The library would refuse all of them for one that is no file, such as a folder of an editor on another machine.
const told = z.object({ roots: z.array(z.unknown()) });

// What may be answered with a question.
const answerable = new Set(["tools/call", "prompts/get", "resources/read"]);

function capabilitiesIn(envelope: Record<string, unknown> | undefined): unknown {
  return envelope?.[CLIENT_CAPABILITIES_META_KEY];
}

async function findFolder(roots: readonly unknown[]): Promise<string | undefined> {
  for (const root of roots.slice(0, maxRoots)) {
    const folder = folderOfRoot(root);
    if (folder !== undefined && (await isFolder(folder))) return folder;
  }
  return undefined;
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}

/**
 * The folder that a root names; undefined for what is not on this machine. A path on another is not even looked at: Windows
 * would sign in there.
 *
 * @example folderOfRoot({ uri: "file:///c%3A/Users/ada/shop" }) // on Windows: "c:\\Users\\ada\\shop"
 */
export function folderOfRoot(root: unknown, { windows = process.platform === "win32" } = {}): string | undefined {
  const uri = typeof root === "object" && root !== null && "uri" in root ? root.uri : undefined;
  if (typeof uri !== "string") return undefined;
  try {
    const url = new URL(uri);
    if (url.protocol !== "file:" || url.host !== "") return undefined;
    const path = fileURLToPath(url, { windows });
    return /^[\\/]{2}|\0/.test(path) ? undefined : (windows ? win32 : posix).resolve(path);
  } catch {
    return undefined;
  }
}
