// Loaded before a program (node --import): notes what it does to the names of files, and what it syncs, into DISK_CALLS.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { resolve } from "node:path";

const { appendFileSync } = fs;
const paths = new Map();
const note = (call, path) => appendFileSync(process.env.DISK_CALLS, `${call} ${resolve(String(path))}\n`);

around(fs, "openSync", (descriptor, [path]) => paths.set(descriptor, path));
around(fs, "fsyncSync", (_, [descriptor]) => note("sync", paths.get(descriptor)));
around(fs, "mkdirSync", (_, [path]) => note("name", path));
for (const name of ["renameSync", "linkSync"]) {
  around(fs, name, (_, [from, to]) => {
    note("from", from);
    note("name", to);
  });
}
around(fs.promises, "mkdir", (promise, [path]) =>
  promise.then(
    () => note("name", path),
    () => undefined,
  ),
);
const { open } = fs.promises;
fs.promises.open = async (path, ...rest) => {
  const handle = await open(path, ...rest);
  around(handle, "sync", (promise) => promise.then(() => note("sync", path)));
  return handle;
};
syncBuiltinESMExports();

function around(target, name, after) {
  const real = target[name].bind(target);
  target[name] = (...args) => {
    const result = real(...args);
    const noted = after(result, args);
    return result instanceof Promise ? Promise.resolve(noted).then(() => result) : result;
  };
}
