// Compiles src/ into build/, bundles that into dist/, and puts the bundled model and the grammars beside it. Only dist/ is
// published; tests and benchmarks import single modules from build/.
import { spawnSync } from "node:child_process";
import { chmodSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildGrammars } from "./build-grammars.mjs";
import { buildModel } from "./build-model.mjs";
import { bundleHooks } from "./bundle-hooks.mjs";
import { bundleProduct } from "./bundle-product.mjs";
import { copyLicences } from "./bundled-packages.mjs";
import { pruneDeclarations } from "./prune-declarations.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");

for (const folder of ["build", "dist"]) rmSync(join(root, folder), { recursive: true, force: true });
const compiled = spawnSync(process.execPath, [tsc, "-p", "tsconfig.build.json"], { cwd: root, stdio: "inherit" });
if (compiled.status !== 0) process.exit(compiled.status ?? 1);
pruneDeclarations(root);
await bundleProduct(root);
await bundleHooks(root);
copyLicences(root);
chmodSync(join(root, "dist", "cli", "main.js"), 0o755);
buildModel(join(root, "dist", "model"));
buildGrammars(join(root, "dist", "grammars"));
