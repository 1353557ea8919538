// Fifty planted drifts. Each is a few files before and after, memories that the change concerns, with what should become of
// them, and memories that it does not concern. All of them lie in one project, so that the names of one are around when
// another is judged. `null` takes a file away.

/** In TypeScript, a function with a body of its own. */
const ts = (head, tag) =>
  `export ${head} {\n  const ${tag}Parts = ["${tag}", "a"].map((part) => part.trim());\n  return ${tag}Parts.join("-") as never;\n}\n`;
/** The same in Python. */
const py = (head, tag) =>
  `def ${head}:\n    ${tag}_parts = [part.strip() for part in ("${tag}", "a")]\n    return "-".join(${tag}_parts)\n\n\n`;

const renames = [
  {
    name: "a function, its body the same",
    before: {
      "src/store.ts":
        ts("function openStore(path: string): string", "store") + ts("function closeStore(): string", "shut"),
    },
    after: {
      "src/store.ts":
        ts("function openDatabase(path: string): string", "store") + ts("function closeStore(): string", "shut"),
    },
    affected: [
      ["`openStore` must be called before anything is read.", ["src/store.ts"], "moved"],
      ["Call openStore() once per process.", [], "moved"],
    ],
    unaffected: [
      ["`closeStore` waits for writers.", ["src/store.ts"]],
      ["Everything in here is synchronous on purpose.", ["src/store.ts"]],
    ],
  },
  {
    name: "a function in Python",
    before: { "app/loader.py": py("load_rows(path)", "load") + py("count_rows(path)", "count") },
    after: { "app/loader.py": py("read_rows(path)", "load") + py("count_rows(path)", "count") },
    affected: [["`load_rows` skips the header line.", ["app/loader.py"], "moved"]],
    unaffected: [["`count_rows` counts the header too.", ["app/loader.py"]]],
  },
  {
    name: "a method of a class",
    before: {
      "src/cache.ts": `export class Cache {\n  rows = new Map<string, string>();\n  fetchEntry(key: string): string {\n    const entry = this.rows.get(key);\n    return entry ?? "none";\n  }\n  dropEntry(key: string): void {\n    this.rows.delete(key);\n    this.rows.delete(key.trim());\n  }\n}\n`,
    },
    after: {
      "src/cache.ts": `export class Cache {\n  rows = new Map<string, string>();\n  readEntry(key: string): string {\n    const entry = this.rows.get(key);\n    return entry ?? "none";\n  }\n  dropEntry(key: string): void {\n    this.rows.delete(key);\n    this.rows.delete(key.trim());\n  }\n}\n`,
    },
    affected: [["`Cache.fetchEntry` gives stale rows for a second.", ["src/cache.ts"], "moved"]],
    unaffected: [
      ["`Cache.dropEntry` is safe to call twice.", ["src/cache.ts"]],
      ["The class Cache is not shared between workers.", ["src/cache.ts"]],
    ],
  },
  {
    name: "a function whose body was rewritten as well",
    before: {
      "src/mailer.ts":
        ts("function sendMail(to: string): string", "mail") + ts("function queueMail(to: string): string", "queue"),
    },
    after: {
      "src/mailer.ts":
        `export async function deliver(message: { to: string }): Promise<void> {\n  await fetch("/mail", { method: "POST", body: message.to });\n}\n` +
        ts("function queueMail(to: string): string", "queue"),
    },
    affected: [["`sendMail` never throws; look at its result.", ["src/mailer.ts"], "doubt"]],
    unaffected: [["`queueMail` keeps mail for a day.", ["src/mailer.ts"]]],
  },
  {
    name: "a function, and the same name elsewhere stays",
    before: {
      "src/left/parse.ts": ts("function parseLine(line: string): string", "left"),
      "src/right/parse.ts": ts("function parseLine(line: string, at: number): string", "right"),
    },
    after: { "src/left/parse.ts": ts("function parseRecord(line: string): string", "left") },
    affected: [["`parseLine` trims its input.", ["src/left/parse.ts"], "moved"]],
    unaffected: [["`parseLine` counts from one.", ["src/right/parse.ts"]]],
  },
  {
    name: "a short function, all on one line",
    before: {
      "src/ids.ts": `export const makeKey = (project: string, id: number): string => \`\${project}/\${id}/key\`;\nexport const otherKey = (id: number): string => \`key of \${id}\`;\n`,
    },
    after: {
      "src/ids.ts": `export const keyOf = (project: string, id: number): string => \`\${project}/\${id}/key\`;\nexport const otherKey = (id: number): string => \`key of \${id}\`;\n`,
    },
    affected: [["`makeKey(project, id)` is stable across versions.", ["src/ids.ts"], "moved"]],
    unaffected: [["`otherKey` is for tests only.", ["src/ids.ts"]]],
  },
  {
    name: "a class",
    before: {
      "src/pool.ts": `export class WorkerPool {\n  size = 4;\n  start(count: number): number[] {\n    return Array.from({ length: count }, (_, at) => at * this.size);\n  }\n}\n`,
    },
    after: {
      "src/pool.ts": `export class ThreadPool {\n  size = 4;\n  start(count: number): number[] {\n    return Array.from({ length: count }, (_, at) => at * this.size);\n  }\n}\n`,
    },
    affected: [["`WorkerPool` must be closed, or the process hangs.", ["src/pool.ts"], "moved"]],
    unaffected: [["Workers are cheap to start here.", ["src/pool.ts"]]],
  },
  {
    name: "a function that went to another file under another name",
    before: {
      "src/text.ts":
        ts("function slugify(title: string): string", "slug") + ts("function shout(title: string): string", "shout"),
      "src/urls.ts": ts("function urlOf(page: string): string", "url"),
    },
    after: {
      "src/text.ts": ts("function shout(title: string): string", "shout"),
      "src/urls.ts":
        ts("function urlOf(page: string): string", "url") + ts("function slugOf(title: string): string", "slug"),
    },
    affected: [["`slugify` keeps umlauts.", ["src/text.ts"], "moved"]],
    unaffected: [
      ["`shout` is not safe for Turkish.", ["src/text.ts"]],
      ["`urlOf` escapes its argument.", ["src/urls.ts"]],
    ],
  },
  {
    name: "a method in Python",
    before: {
      "app/session.py": `class Session:\n    def __init__(self, user):\n        self.user = user\n\n    def refresh_token(self, scope):\n        parts = [self.user, scope, "refresh"]\n        return ".".join(parts)\n\n    def log_out(self):\n        self.user = None\n        return self.user\n`,
    },
    after: {
      "app/session.py": `class Session:\n    def __init__(self, user):\n        self.user = user\n\n    def renew_token(self, scope):\n        parts = [self.user, scope, "refresh"]\n        return ".".join(parts)\n\n    def log_out(self):\n        self.user = None\n        return self.user\n`,
    },
    affected: [["Session.refresh_token is rate limited.", ["app/session.py"], "moved"]],
    unaffected: [["`Session.log_out` leaves the cookie.", ["app/session.py"]]],
  },
  {
    name: "a function while another one of the file is reformatted",
    before: {
      "src/format.ts":
        ts("function renderTable(rows: string[]): string", "table") +
        ts("function renderList(rows: string[]): string", "list"),
    },
    after: {
      "src/format.ts":
        ts("function tableOf(rows: string[]): string", "table") +
        `/** A list. */\nexport function renderList(\n  rows: string[],\n): string {\n  // One line each.\n  const listParts = ["list", "a"].map(\n    (part) => part.trim(),\n  );\n  return listParts.join("-") as never;\n}\n`,
    },
    affected: [["`renderTable` pads with blanks, never tabs.", ["src/format.ts"], "moved"]],
    unaffected: [["`renderList(rows)` ends with a line break.", ["src/format.ts"]]],
  },
  {
    name: "a function that a memory names among others",
    before: {
      "src/steps.ts":
        ts("function stepOne(): string", "one") +
        ts("function stepTwo(): string", "two") +
        ts("function stepThree(): string", "three"),
    },
    after: {
      "src/steps.ts":
        ts("function stepOne(): string", "one") +
        ts("function secondStep(): string", "two") +
        ts("function stepThree(): string", "three"),
    },
    affected: [["Run `stepOne`, then `stepTwo`, then `stepThree`.", ["src/steps.ts"], "moved"]],
    unaffected: [["`stepOne` needs a network; `stepThree` does not.", ["src/steps.ts"]]],
  },
  {
    name: "an interface",
    before: {
      "src/options.ts": `export interface UploadOptions {\n  chunkBytes: number;\n  parallel: number;\n  resume(): void;\n}\nexport interface DownloadOptions {\n  target: string;\n  overwrite: boolean;\n}\n`,
    },
    after: {
      "src/options.ts": `export interface UploadSettings {\n  chunkBytes: number;\n  parallel: number;\n  resume(): void;\n}\nexport interface DownloadOptions {\n  target: string;\n  overwrite: boolean;\n}\n`,
    },
    affected: [["`UploadOptions` is part of the public API.", ["src/options.ts"], "moved"]],
    unaffected: [["`DownloadOptions` is internal.", ["src/options.ts"]]],
  },
  {
    name: "a function that is gone, its caller stays",
    before: {
      "src/locks.ts":
        ts("function takeLock(name: string): string", "lock") + ts("function useLock(name: string): string", "uselock"),
    },
    after: { "src/locks.ts": ts("function useLock(name: string): string", "uselock") },
    affected: [
      ["`takeLock` blocks for up to 5 s.", ["src/locks.ts"], "doubt"],
      ["takeLock() is not reentrant", [], "doubt"],
    ],
    unaffected: [["`useLock` releases by itself.", ["src/locks.ts"]]],
  },
];

const deletions = [
  [
    "src/legacy.ts",
    ts("function legacyMode(): string", "legacy"),
    "Old clients still need the legacy mode.",
    "Nothing of the legacy mode is tested.",
  ],
  [
    "src/feature-flags.ts",
    ts("function isEnabled(flag: string): string", "flag"),
    "Flags are read once, in src/feature-flags.ts.",
    undefined,
  ],
  [
    "app/migrate.py",
    py("migrate_all(version)", "migrate"),
    "`migrate_all` in app/migrate.py must run before a deployment.",
    undefined,
  ],
  [
    "src/sentry.ts",
    ts("function report(error: string): string", "sentry"),
    "src/sentry.ts swallows errors in tests.",
    undefined,
  ],
  ["config/limits.yaml", "limits:\n  uploads: 3\n", "The limits of a tenant are in config/limits.yaml.", undefined],
  ["docs/release.md", "# Release\n\nTag, then push.\n", "How to release is written in docs/release.md.", undefined],
  [
    "src/auth/basic.ts",
    ts("function basicAuth(header: string): string", "basic"),
    "Basic auth compares in constant time.",
    undefined,
  ],
  [
    "src/workers/resize.ts",
    ts("function resizeImage(bytes: string): string", "resize"),
    "Images are resized in a worker (`resizeImage`).",
    undefined,
  ],
  ["app/tasks/nightly.py", py("nightly_report(day)", "nightly"), "The nightly report takes 40 minutes.", undefined],
  [
    "src/i18n/de.ts",
    `export const german = { hello: "Hallo", bye: "Tschüss" };\n`,
    "Translations of the shop live in src/i18n/de.ts",
    undefined,
  ],
  [
    "src/polyfill.ts",
    ts("function polyfillAll(): string", "poly"),
    "The polyfill has to be imported first.",
    undefined,
  ],
  ["scripts/seed.py", py("seed_database(url)", "seed"), "`seed_database` empties the tables first.", undefined],
].map(([path, text, told], at) => ({
  name: `${path}`,
  before: {
    [path]: text,
    [path.replace(/[^/]+$/, `kept${at}.ts`)]: ts(`function kept${at}(): string`, `kept${at}`),
    [`src/moved${at}.ts`]: ts(`function goes${at}(): string`, `goes${at}`),
  },
  after: {
    [path]: null,
    [path.replace(/[^/]+$/, `kept${at}.ts`)]: `// Looked at again.\n${ts(`function kept${at}(): string`, `kept${at}`)}`,
    [`src/moved${at}.ts`]: null,
    [`src/there/moved${at}.ts`]: ts(`function goes${at}(): string`, `goes${at}`),
  },
  // Half of them are only filed under it.
  affected: [[told, told.includes(path) && at % 2 === 1 ? [] : [path], "doubt"]],
  unaffected: [
    [`\`kept${at}\` is there for a reason.`, [path.replace(/[^/]+$/, `kept${at}.ts`)]],
    // Its file went elsewhere, and it goes along.
    [`\`goes${at}\` is pure.`, [`src/moved${at}.ts`]],
  ],
}));

/** name, language, before, after, what a memory says of it, what another says that holds. */
const signatures = [
  [
    "a parameter more",
    "ts",
    "function retry(times: number): string",
    "function retry(times: number, delayMs: number): string",
    "`retry(times)` gives up silently.",
  ],
  [
    "a parameter less",
    "ts",
    "function connect(host: string, port: number): string",
    "function connect(host: string): string",
    "Pass the port to `connect`: it has no default.",
  ],
  [
    "another type",
    "ts",
    "function setExpiry(at: Date): string",
    "function setExpiry(at: number): string",
    "`setExpiry` wants a Date, not a number.",
  ],
  [
    "parameters become an object",
    "ts",
    "function createUser(name: string, mail: string): string",
    "function createUser(user: { name: string; mail: string }): string",
    "`createUser(name, mail)` sends the first mail.",
  ],
  [
    "it becomes asynchronous",
    "ts",
    "function readConfig(path: string): string",
    "async function readConfig(path: string): Promise<string>",
    "`readConfig` is synchronous, so that start-up stays simple.",
  ],
  [
    "another result",
    "ts",
    "function findUser(id: string): string",
    "function findUser(id: string): string | undefined",
    "`findUser` throws for an unknown id, and never gives undefined.",
  ],
  [
    "another order",
    "ts",
    "function copyFile(from: string, to: string): string",
    "function copyFile(to: string, from: string): string",
    "`copyFile(from, to)` overwrites.",
  ],
  [
    "another default",
    "ts",
    "function listPage(size = 20): string",
    "function listPage(size = 50): string",
    "`listPage` gives 20 entries unless told otherwise.",
  ],
  [
    "a parameter more, in Python",
    "py",
    "publish(topic, message)",
    "publish(topic, message, key)",
    "`publish(topic, message)` keeps the order of one topic.",
  ],
  [
    "a parameter renamed, in Python",
    "py",
    "resample(values, rate)",
    "resample(values, hertz)",
    "Call `resample` with rate=44100.",
  ],
  [
    "only by name, in Python",
    "py",
    "plot(series, title)",
    "plot(series, *, title)",
    "`plot` takes the title as its second argument.",
  ],
  [
    "an optional one more, and the memory writes it out",
    "ts",
    "function hashOf(text: string): string",
    "function hashOf(text: string, salt?: string): string",
    "`hashOf(text)` is the same on every machine.",
  ],
  [
    "another result, in Python",
    "py",
    "fetch_all(url) -> list",
    "fetch_all(url) -> dict",
    "`fetch_all` gives a list in the order of the pages.",
  ],
].map(([name, language, before, after, told], at) => {
  const make = language === "ts" ? ts : py;
  const file = language === "ts" ? `src/signature${at}.ts` : `app/signature${at}.py`;
  // Its body and its comments change, and a type is written down that everybody knew.
  const bystander = language === "ts" ? `function same${at}(value: string): string` : `same${at}(value)`;
  const changed = language === "ts" ? `function same${at}(\n  value: string,\n): string` : `same${at}(value: str)`;
  const wider = language === "ts" ? `function wide${at}(value: string, more = 1): string` : `wide${at}(value, more=1)`;
  const narrow = language === "ts" ? `function wide${at}(value: string): string` : `wide${at}(value)`;
  const note = language === "ts" ? "// Another comment.\n" : "# Another comment.\n";
  return {
    name,
    before: { [file]: make(before, `sig${at}`) + make(bystander, `same${at}`) + make(narrow, `wide${at}`) },
    after: { [file]: note + make(after, `sig${at}`) + make(changed, `other${at}`) + make(wider, `wide${at}`) },
    affected: [[told, [file], "doubt"]],
    unaffected: [
      [`\`same${at}(value)\` is slow for long values.`, [file]],
      [`\`wide${at}\` never writes.`, [file]],
    ],
  };
});

const constants = [
  [
    "goes to another file",
    "ts",
    "MAX_RETRIES",
    "5",
    "5",
    "moved",
    "`MAX_RETRIES` is 5: the gateway cuts us off after that.",
  ],
  [
    "goes to another file, which the text names",
    "ts",
    "PAGE_SIZE",
    "250",
    "250",
    "moved",
    "`PAGE_SIZE` in FILE decides how much is read at once.",
  ],
  [
    "goes to another file, in Python",
    "py",
    "BATCH_ROWS",
    "1000",
    "1000",
    "moved",
    "BATCH_ROWS must stay a multiple of 8.",
  ],
  [
    "goes to another file, its memory names only the file",
    "ts",
    "HOSTNAME",
    '"api.example.org"',
    '"api.example.org"',
    "moved",
    "The host is set in FILE (`HOSTNAME`).",
  ],
  [
    "goes elsewhere and changes",
    "ts",
    "TIMEOUT_MS",
    "30_000",
    "60_000",
    "doubt",
    "`TIMEOUT_MS` is 30 s, because the proxy ends calls after that.",
  ],
  ["changes where it is", "ts", "MAX_UPLOADS", "3", "8", "doubt", "At most 3 uploads run at once (MAX_UPLOADS).", true],
  [
    "changes where it is, in Python",
    "py",
    "CACHE_SECONDS",
    "60 * 60",
    "60 * 5",
    "doubt",
    "`CACHE_SECONDS` keeps answers for 1 hour.",
    true,
  ],
  [
    "a text changes",
    "ts",
    "DEFAULT_REGION",
    '"eu-west-1"',
    '"eu-central-1"',
    "doubt",
    "`DEFAULT_REGION` is eu-west-1.",
    true,
  ],
  [
    "a part of it changes",
    "ts",
    "POLICY",
    '{ attempts: 4, backoff: "linear", jitter: true }',
    '{ attempts: 4, backoff: "exponential", jitter: true }',
    "doubt",
    "`POLICY` uses a `linear` backoff.",
    true,
  ],
  ["a switch is turned", "ts", "STRICT_MODE", "true", "false", "doubt", "STRICT_MODE = true everywhere.", true],
  ["is gone", "py", "RETRY_CODES", "(429, 503)", undefined, "doubt", "`RETRY_CODES` lists what may be tried again."],
  [
    "goes to another file and is called otherwise",
    "ts",
    "KNOWN_HOSTS",
    '["a.example.org", "b.example.org", "c.example.org"]',
    '["a.example.org", "b.example.org", "c.example.org"]',
    "moved",
    "`KNOWN_HOSTS` must be kept in step with the DNS.",
    false,
    "TRUSTED_HOSTS",
  ],
].map(([name, language, constant, before, after, outcome, told, stays = false, called = constant], at) => {
  const [extension, folder, keyword] = language === "ts" ? ["ts", "src", "export const "] : ["py", "app", ""];
  const [file, other] = [`${folder}/constants${at}.${extension}`, `${folder}/limits${at}.${extension}`];
  const line = (what, value) =>
    value === undefined ? "" : `${keyword}${what} = ${value}${language === "ts" ? ";" : ""}\n`;
  const [rest, more] = [line(`OTHER_${at}`, `${at + 100}`), line(`UNTOLD_${at}`, `"before${at}"`)];
  const moreNow = line(`UNTOLD_${at}`, `"after${at}"`);
  return {
    name: `${constant} ${name}`,
    before: { [file]: line(constant, before) + rest + more, [other]: line(`LIMIT_${at}`, `${at + 300}`) },
    after: {
      [file]: (stays ? line(called, after) : "") + rest + moreNow,
      [other]: line(`LIMIT_${at}`, `${at + 300}`) + (stays ? "" : line(called, after)),
    },
    affected: [[told.replaceAll("FILE", file), [file], outcome]],
    unaffected: [
      [`\`OTHER_${at}\` is ${at + 100} by contract.`, [file]],
      // It changes, and the memory says nothing of what it was.
      [`\`UNTOLD_${at}\` is only for people.`, [file]],
    ],
  };
});

const kinds = {
  "renamed function": renames,
  "deleted file": deletions,
  "changed signature": signatures,
  "moved constant": constants,
};

/** Every case in a folder of its own, so that all of them fit into one project. */
export const cases = Object.entries(kinds).flatMap(([kind, list]) =>
  list.map((one, at) => {
    const folder = `${kind.split(" ").at(-1)}${at}`;
    const placed = (files) =>
      Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]));
    const told = ([text, files, outcome]) => {
      // A text that names a file names it from the root.
      const paths = [...new Set([...Object.keys(one.before), ...Object.keys(one.after)])].toSorted(
        (a, b) => b.length - a.length,
      );
      const named = paths.find((path) => text.includes(path));
      return {
        text: named === undefined ? text : text.replace(named, `${folder}/${named}`),
        files: files.map((path) => `${folder}/${path}`),
        ...(outcome !== undefined && { outcome }),
      };
    };
    return {
      kind,
      name: one.name,
      before: placed(one.before),
      after: placed(one.after),
      affected: one.affected.map(told),
      unaffected: one.unaffected.map(told),
    };
  }),
);
