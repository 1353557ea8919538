import { spawn, type ChildProcess } from "node:child_process";
import { pathToFileURL } from "node:url";
import { join } from "node:path";

/** Address of a file of the package, for programs that run in a process of their own. */
export function built(file: string): string {
  return pathToFileURL(join(import.meta.dirname, "..", "..", "dist", file)).href;
}

/** Address of one module of the product, which the package has in a bundle only. */
export function compiled(file: string): string {
  return pathToFileURL(join(import.meta.dirname, "..", "..", "build", file)).href;
}

/** Starts a small ES module in a process of its own and resolves when it has printed its first line. */
export async function startProgram(program: string): Promise<ChildProcess> {
  const child = runProgram(program);
  await new Promise<void>((ready, fail) => {
    child.stdout?.once("data", () => ready());
    child.once("exit", (code) => fail(new Error(`the program ended with ${String(code)} before it was ready`)));
  });
  return child;
}

/** Runs a small ES module in a process of its own. */
export function runProgram(program: string): ChildProcess {
  return spawn(process.execPath, ["--input-type=module", "-e", program], {
    cwd: join(import.meta.dirname, "..", ".."),
    stdio: ["ignore", "pipe", "inherit"],
  });
}

export async function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  return new Promise((done) => child.once("exit", (code) => done(code)));
}

/** Another process that takes the write lock of a store and keeps it until it is ended. */
export async function holdLock(db: string): Promise<ChildProcess> {
  return startProgram(`
    import { connect } from ${JSON.stringify(compiled("storage/connect.js"))};
    const client = await connect({ kind: "file", path: ${JSON.stringify(db)} }, 5000);
    await client.transaction("write");
    console.log("locked");
    setTimeout(() => {}, 60_000);
  `);
}
