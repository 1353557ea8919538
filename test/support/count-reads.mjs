// Loaded before a program with `--import`: notes each file the program opens, a line each, in the file that $READS names.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import threads from "node:worker_threads";

const { open } = fs.promises;
fs.promises.open = async (path, ...rest) => {
  fs.appendFileSync(process.env["READS"], `${String(path)}\n`);
  return open(path, ...rest);
};

// A thread would start without what its process was started with.
threads.Worker = class extends threads.Worker {
  constructor(file, options) {
    super(file, { ...options, execArgv: ["--import", import.meta.url] });
  }
};
syncBuiltinESMExports();
