// A project that does not exist: modules with sources that import each other, tests, configuration, pages.

/** Where most work goes on. Of each, some files are left to what is planted, so that noise seldom comes by. */
const ordinary = [
  "billing",
  "catalog",
  "orders",
  "search",
  "shipping",
  "accounts",
  "notify",
  "reports",
  "media",
  "audit",
  "sync",
  "pricing",
];
/** Modules that noise stays away from, for what is told of a whole module. */
const quiet = [
  "ledger",
  "kiosk",
  "returns",
  "vouchers",
  "labels",
  "imports",
  "quotas",
  "webhooks",
  "archive",
  "tariffs",
  "geodata",
  "glossary",
  "forecast",
  "barcodes",
  "customs",
  "loyalty",
];
const words =
  "adapter batch broker cache client codec cursor digest draft engine events export factory feed filter format gateway guard handler hooks index journal keys ledger limits loader mapper merge model parser policy pool query queue reader registry render report resolver retry rules scanner schema select session signer slots sorter state store stream table timer tokens tracker transform tree validate view window worker writer".split(
    " ",
  );

const configs = {
  "package.json": '{\n  "name": "shop",\n  "type": "module",\n  "scripts": { "test": "vitest run" }\n}\n',
  "tsconfig.json": '{ "compilerOptions": { "strict": true } }\n',
  "vite.config.ts": 'import { defineConfig } from "vite";\nexport default defineConfig({});\n',
  "docker-compose.yml": "services:\n  db:\n    image: postgres:16\n",
  "eslint.config.js": "export default [];\n",
  ".env.example": "PORT=3000\n",
  "config/queues.yaml": "queues: []\n",
  "config/limits.yaml": "limits: {}\n",
  "config/routes.toml": "routes = []\n",
  "config/feature-flags.yaml": "flags: {}\n",
  "nginx.conf": "server { listen 80; }\n",
  Dockerfile: "FROM node:20\n",
  "playwright.config.ts": "export default {};\n",
  "turbo.json": "{}\n",
};
const pages = {
  "README.md": "# Shop\n\nRun `npm test`.\n",
  "CONTRIBUTING.md": "# Contributing\n\nOne change at a time.\n",
  "docs/architecture.md": "# Architecture\n\nModules talk through events.\n",
  "docs/releases.md": "# Releases\n",
};
/** What a search leaves out unless it is told otherwise. */
const hidden = [
  ".storybook",
  ".github/workflows",
  "src/generated",
  ".devcontainer",
  "vendor/legacy",
  ".changeset",
  "coverage/rules",
  ".husky",
];

/**
 * The files of the project with their texts, and which of them are for what: `modules[name].open` for noise, `reserved`
 * (taken one by one) for what is planted.
 */
export function makeProject(random) {
  const files = new Map([...Object.entries(configs), ...Object.entries(pages)]);
  const modules = {};
  for (const name of ordinary) modules[name] = makeModule(random, files, name, random.int(15, 19));
  for (const name of quiet) modules[name] = makeModule(random, files, name, random.int(9, 13));
  for (const folder of hidden)
    for (const word of random.sample(words, 3))
      files.set(`${folder}/${word}.${folder === ".github/workflows" ? "yml" : "ts"}`, source(random, [], word));
  const reserved = random.shuffle(ordinary.flatMap((name) => modules[name].sources.slice(6)));
  const quietLeft = random.shuffle(quiet);
  for (const name of ordinary) modules[name].open = modules[name].sources.slice(0, 6);

  return {
    files,
    modules,
    ordinary,
    configs: Object.keys(configs),
    pages: Object.keys(pages),
    hidden: random.shuffle(hidden),
    text: (file) => files.get(file) ?? "export {};\n",
    /** A file that noise hardly ever opens, of another module than those given. */
    takeFile: (not = []) => takeFrom(reserved, (file) => !not.includes(moduleOf(file))),
    /** One of the same module. */
    takeBeside: (file) => takeFrom(reserved, (other) => moduleOf(other) === moduleOf(file)),
    takeModule: () => takeFrom(quietLeft, () => true),
    /** Lets a file import another, as everybody who reads it sees. */
    link(from, to) {
      files.set(from, `import { ${symbolOf(to)} } from "${relative(from, to)}";\n${files.get(from)}`);
    },
    /** A file that is long. */
    fatten(file, bytes) {
      let text = files.get(file);
      while (text.length < bytes) text += body(random, `${symbolOf(file)}${random.int(1, 9999)}`);
      files.set(file, text);
    },
  };
}

/** One of the files that noise works on. */
export function anyOpen({ random, project }) {
  return random.pick(project.modules[random.pick(project.ordinary)].open);
}

export function moduleOf(file) {
  return file.split("/").slice(0, -1).slice(0, 2).join("/") || ".";
}

export function testOf(file) {
  return file.replace(/\.ts$/, ".test.ts");
}

/** `src/orders/cart-tokens.ts` has `cartTokens`. */
export function symbolOf(file) {
  return file
    .replace(/^.*\//, "")
    .replace(/\..*$/, "")
    .replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
}

function takeFrom(list, suits) {
  const at = list.findIndex(suits);
  if (at === -1) throw new Error("The made-up project has too few files for what is planted.");
  return list.splice(at, 1)[0];
}

function makeModule(random, files, name, count) {
  const folder = `src/${name}`;
  const heads = random.sample(words, count);
  const tails = random.shuffle(words);
  const sources = heads.map((head, n) => `${folder}/${n % 3 === 0 ? head : `${head}-${tails[n]}`}.ts`);
  for (const [n, file] of sources.entries()) {
    const imported = sources.slice(0, n).filter(() => random.chance(1.5 / (n + 1)));
    files.set(
      file,
      source(
        random,
        imported.map((other) => [relative(file, other), symbolOf(other)]),
        symbolOf(file),
      ),
    );
    files.set(testOf(file), source(random, [[relative(testOf(file), file), symbolOf(file)]], `${symbolOf(file)}Test`));
  }
  return { name, folder, sources, open: [] };
}

function relative(from, to) {
  const [a, b] = [from.split("/").slice(0, -1), to.split("/")];
  let same = 0;
  while (same < a.length && a[same] === b[same]) same++;
  const up = a.slice(same).map(() => "..");
  return [...(up.length > 0 ? up : ["."]), ...b.slice(same)].join("/").replace(/\.ts$/, ".js");
}

function source(random, imports, symbol) {
  const head = imports.map(([path, name]) => `import { ${name} } from "${path}";\n`).join("");
  let text = `${head}\n`;
  for (let n = random.int(1, 8); n > 0; n--) text += body(random, n === 1 ? symbol : `${symbol}${n}`);
  return text;
}

function body(random, name) {
  const [a, b] = random.sample(words, 2);
  return `export function ${name}(${a}: number, ${b}: string): string {\n  const ${a}Of = ${a} * ${random.int(2, 99)};\n  if (${a}Of > ${random.int(100, 9999)}) return ${b}.trim();\n  return \`\${${b}} \${${a}Of}\`;\n}\n\n`;
}
