// Compiles src/ into dist/, makes the command executable, and puts the bundled model and the grammars beside it.
import { spawnSync } from "node:child_process";
import { chmodSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildGrammars } from "./build-grammars.mjs";
import { buildModel } from "./build-model.mjs";
import { bundleHooks } from "./bundle-hooks.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");

rmSync(join(root, "dist"), { recursive: true, force: true });
const build = spawnSync(process.execPath, [tsc, "-p", "tsconfig.build.json"], { cwd: root, stdio: "inherit" });
if (build.status !== 0) process.exit(build.status ?? 1);
await bundleHooks(join(root, "dist"));
chmodSync(join(root, "dist", "cli", "main.js"), 0o755);
buildModel(join(root, "dist", "model"));
buildGrammars(join(root, "dist", "grammars"));
