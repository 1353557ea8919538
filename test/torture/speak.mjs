// How the programs beside this file talk with the test that started them: settings in, one JSON document a line out.
import { once } from "node:events";

export const settings = JSON.parse(process.argv[2] ?? "{}");

/** Standard output is a pipe, and writing to a pipe is synchronous: what was said has left the process. */
export function say(document) {
  process.stdout.write(`${JSON.stringify(document)}\n`);
}

/** Waits until the test says anything. */
export async function told() {
  process.stdin.resume();
  await once(process.stdin, "data");
  process.stdin.pause();
  process.stdin.unref();
}

export function describeError(error) {
  return { name: error?.name, code: error?.code, message: error?.message ?? String(error), hint: error?.hint };
}
