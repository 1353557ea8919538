// The command line on a server, as a person or a hook runs it: one process for each command.
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { built, ended } from "../support/child-process.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { startSilence } from "./fake-servers.js";
import { startServer } from "./start-server.js";

describe("the command line on a server", () => {
  it("[S14] remembers, recalls, checks and backs up, each in a process that ends by itself", async () => {
    const { url } = await startServer();
    const copy = join(temporaryFolder(), "copy.db");

    const kept = await tacit("remember", "Deploy with blue-green on Fridays", "--db", url);
    const found = await tacit("recall", "deploy", "--db", url);
    const checked = await tacit("doctor", "--db", url);
    const saved = await tacit("backup", copy, "--db", url);
    const ofCopy = await tacit("recall", "deploy", "--db", copy);

    expect(kept).toMatchObject({ code: 0, stderr: "" });
    expect(found.document).toMatchObject({ results: [{ memory: { content: "Deploy with blue-green on Fridays" } }] });
    expect(checked).toMatchObject({ code: 0, document: { ok: true } });
    expect(saved.document).toMatchObject({ file: copy, memories: 1 });
    expect(ofCopy.document).toMatchObject({ results: [{ memory: { content: "Deploy with blue-green on Fridays" } }] });
  });

  it("[S15] says without a token that one is missing", async () => {
    const { url } = await startServer();

    const refused = await tacitWithToken(undefined, "recall", "deploy", "--db", url);

    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(JSON.parse(refused.stderr)).toMatchObject({
      error: { code: "store-denied", hint: expect.stringContaining("TACIT_AUTH_TOKEN") },
    });
  });

  it("[S14] ends by itself when the server never answers", async () => {
    const refused = await tacit("recall", "deploy", "--db", await startSilence());

    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(JSON.parse(refused.stderr)).toMatchObject({ error: { code: "store-unreachable" } });
  });
});

async function tacit(...args: string[]): Promise<Run> {
  return tacitWithToken(process.env["TACIT_AUTH_TOKEN"], ...args);
}

interface Run {
  code: number | null;
  stdout: string;
  stderr: string;
  document: unknown;
}

async function tacitWithToken(token: string | undefined, ...args: string[]): Promise<Run> {
  const child = spawn(process.execPath, [fileURLToPath(built("cli/main.js")), ...args, "--project", "test", "--json"], {
    env: { ...process.env, TACIT_AUTH_TOKEN: token ?? "" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended(child)]);
  return { code, stdout, stderr, document: stdout === "" ? undefined : JSON.parse(stdout) };
}
