// Loaded before a program with `--import`: its threads get no WebAssembly memory, as where the address space is used up.
import { syncBuiltinESMExports } from "node:module";
import threads from "node:worker_threads";

if (threads.isMainThread) {
  threads.Worker = class extends threads.Worker {
    constructor(file, options) {
      super(file, { ...options, execArgv: ["--import", import.meta.url] });
    }
  };
  syncBuiltinESMExports();
} else {
  WebAssembly.Memory = function Memory() {
    throw new RangeError("WebAssembly.Memory(): could not allocate memory");
  };
}
