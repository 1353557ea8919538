// An agent as a process: it starts what it is told to, one line of JSON each, and prints what came of it. What it starts are its children.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

for await (const line of createInterface({ input: process.stdin })) run(JSON.parse(line));

function run({ id, command, args, cwd, env, input = "" }) {
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env } });
  const [out, err] = [[], []];
  child.stdout.on("data", (chunk) => out.push(chunk));
  child.stderr.on("data", (chunk) => err.push(chunk));
  child.stdin.on("error", () => {}).end(input);
  child.once("error", (error) => err.push(Buffer.from(String(error))));
  child.once("close", (code) => {
    const [stdout, stderr] = [out, err].map((chunks) => Buffer.concat(chunks).toString());
    process.stdout.write(`${JSON.stringify({ id, code, stdout, stderr })}\n`);
  });
}
