import { spawn, type ChildProcess } from "node:child_process";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, inject, onTestFinished } from "vitest";
import { ended } from "../support/child-process.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { freePort } from "./fake-servers.js";

export interface Server {
  url: string;
  /** As a crash would: not one more byte is written. */
  kill(): Promise<void>;
  /** Starts it again on the same data at the same address. */
  start(): Promise<void>;
}

// For the case that nobody is left to end it: killed from outside, in the middle of a test.
const idleSeconds = 120;

/** A libSQL server of the running test's own on loopback, ended when the test ends. */
export async function startServer(): Promise<Server> {
  const sqld = inject("sqld");
  if (!sqld) throw new Error("There is a server in `npm run test:remote` only.");
  const folder = temporaryFolder();
  // sqld can choose a port by itself, but does not say which.
  const port = await freePort();
  let child: ChildProcess | undefined;
  const server: Server = {
    url: `http://127.0.0.1:${port}`,
    async kill() {
      if (!child) return;
      child.kill("SIGKILL");
      await ended(child);
    },
    async start() {
      child = spawn(
        sqld.program,
        [
          "--no-welcome",
          `--db-path=${join(folder, "data")}`,
          `--http-listen-addr=127.0.0.1:${port}`,
          `--auth-jwt-key-file=${sqld.keyFile}`,
          `--idle-shutdown-timeout-s=${idleSeconds}`,
        ],
        { stdio: "ignore" },
      );
      await answering(server.url, child);
    },
  };
  onTestFinished(() => server.kill());
  await server.start();
  appendFileSync(sqld.ledger, `${expect.getState().testPath ?? ""} ${expect.getState().currentTestName ?? ""}\n`);
  return server;
}

async function answering(url: string, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 500; attempt += 1) {
    if (child.exitCode !== null) throw new Error(`sqld ended with ${child.exitCode} before it was ready`);
    const answer = await fetch(`${url}/health`).catch(() => undefined);
    if (answer?.ok) return;
    await sleep(20);
  }
  throw new Error("sqld did not answer within ten seconds");
}
