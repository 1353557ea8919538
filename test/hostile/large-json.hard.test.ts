// Documents that are valid JSON and made to be walked for ever: what reads them must not.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { largeDocuments } from "../../bench/large-documents.mjs";
import { parseBoundedObject } from "../../src/base/input/input.js";
import { serveHttp } from "../../src/mcp/http/serve-http.js";
import { gitRepository } from "../support/git-repository.js";
import { runHookText } from "../support/hook-process.js";
import "../support/own-home.js";
import { temporaryFolder } from "../support/temporary-folder.js";

describe.each(Object.keys(largeDocuments))("%s", (kind) => {
  const value = largeDocuments[kind] ?? "";
  const event = `{"session_id":"s1","hook_event_name":"PostToolUse","tool_name":"WebFetch","tool_input":{},"tool_response":${value}}`;

  it("[TR88] is a text for whoever reads the event, and nothing to walk", () => {
    expect(parseBoundedObject(event)).toMatchObject({
      session_id: "s1",
      tool_response: expect.any(String) as string,
    });
  });

  it("[TR88] lets a hook end well, which notes that so much may hold anything", async () => {
    const root = gitRepository();
    const db = join(temporaryFolder(), "memory.db");

    await runHookText({ root, db }, event);

    expect(spooledOf(db)).toMatch(/"kind":"result".*"instructions":\["\*"\]/);
  });

  it("[TR88] is refused over HTTP before it is walked, and the next request is answered", async () => {
    const { url, token } = await serve();
    const post = async (params: string): Promise<number> => {
      const headers = {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      };
      const body = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":${params}}`;
      return (await fetch(url, { method: "POST", headers, body })).status;
    };
    const plain = '{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}';

    expect(await post(plain.replace("{}", value))).toBe(413);
    expect(await post(plain)).toBe(200);
  });
});

function spooledOf(db: string): string {
  const sessions = join(process.env["TACIT_HOME"] ?? "", "sessions");
  const files = readdirSync(sessions, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const texts = files.map((file) => readFileSync(join(file.parentPath, file.name), "utf8"));
  return texts.find((text) => text.includes(db)) ?? "";
}

async function serve(): Promise<{ url: string; token: string }> {
  const stopping = new AbortController();
  const token = "0123456789abcdef0123456789abcdef";
  const db = join(temporaryFolder(), "memory.db");
  let serving: Promise<void> | undefined;
  const url = await new Promise<string>((listening, failed) => {
    const options = { db, project: "p", version: "0", signal: stopping.signal };
    serving = serveHttp({ ...options, port: 0, token, onListening: listening });
    serving.catch(failed);
  });
  onTestFinished(async () => {
    stopping.abort();
    await serving;
  });
  return { url, token };
}
