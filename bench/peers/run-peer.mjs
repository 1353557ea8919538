import { fork } from "node:child_process";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { peers } from "./peers.mjs";

const child = join(import.meta.dirname, "measure-peer.mjs");
const guard = pathToFileURL(join(import.meta.dirname, "no-network.mjs")).href;

/**
 * Lets a process of its own do a task with a peer, so that no peer has the memory or the warmth of another. Gives the
 * task's answer and the milliseconds from starting the process to its answer, and tells how it goes. Throws when it takes
 * longer than `timeoutMs`.
 */
export async function runPeer(peer, task, input, { timeoutMs = 1_800_000 } = {}) {
  const started = performance.now();
  const running = fork(child, [peer, task, JSON.stringify(input)], {
    execArgv: ["--import", guard],
    env: environment(input.folder),
    // A peer may say what it likes; the answer comes by message.
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    timeout: timeoutMs,
  });
  let said = "";
  running.stderr.on("data", (text) => (said = `${said}${text}`.slice(-2000)));
  return new Promise((resolve, reject) => {
    let answer;
    running.on("message", (message) => {
      if (message.progress === undefined) answer = { ...message, ms: performance.now() - started };
      else console.error(`  ${peers[peer].name}: ${message.progress}`);
    });
    running.on("error", reject);
    running.on("exit", (code, signal) => {
      if (answer && code === 0) resolve(answer);
      else reject(new Error(`${peer}, ${task}: ended with ${signal ?? code}. ${said}`));
    });
  });
}

/** No key, no proxy and nobody's home: a peer gets what a program needs to run, and the switches against telemetry. */
function environment(folder) {
  const { PATH, SystemRoot, TMPDIR } = process.env;
  const given = {
    PATH,
    SystemRoot,
    TMPDIR,
    // Not the folder itself, whose size is measured.
    HOME: dirname(folder),
    TACIT_HOME: folder,
    MEM0_DIR: folder,
    MEM0_TELEMETRY: "false",
    ORT_DISABLE_TELEMETRY: "1",
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
