// What may be wrong while an agent waits for a hook. Each is entered for a home of `stageHooks`, gives what the hooks are run
// with, and can be left again.
import { spawn, spawnSync } from "node:child_process";
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { canRead, heedModes } from "./heed-modes.mjs";

/**
 * `enter` gives a `reason` where it cannot be had here. `isSilent`: nothing can be told meanwhile, so that nothing may be
 * printed; else what is printed is what is always told. `keepsNotes`: what hooks note meanwhile is there afterwards.
 */
export const troubles = [
  { name: "a writer holds the database", keepsNotes: true, enter: ({ db }) => holding(db, "BEGIN IMMEDIATE") },
  {
    name: "another process has the database for itself",
    isSilent: true,
    keepsNotes: true,
    enter: ({ db }) => holding(db, "PRAGMA locking_mode = EXCLUSIVE", "BEGIN EXCLUSIVE"),
  },
  {
    name: "another process has the database for itself, with a rollback journal",
    isSilent: true,
    keepsNotes: true,
    enter: ({ db }) => holding(db, "PRAGMA journal_mode = DELETE", "BEGIN EXCLUSIVE"),
  },
  {
    name: "the database begins with garbage",
    isSilent: true,
    keepsNotes: true,
    enter: ({ db }) => hurting(db, () => overwrite(db, 0, "no database at all ".repeat(6))),
  },
  {
    name: "pages of the database are garbage",
    keepsNotes: true,
    enter: ({ db }) =>
      hurting(db, () => {
        for (let page = 1; page < readFileSync(db).length / 4096; page += 1)
          overwrite(db, page * 4096, "\x07".repeat(4096));
      }),
  },
  {
    name: "half of the database is gone",
    keepsNotes: true,
    enter: ({ db }) => hurting(db, () => truncateSync(db, Math.floor(readFileSync(db).length / 8192) * 4096)),
  },
  {
    name: "the database is cut in its first page",
    isSilent: true,
    keepsNotes: true,
    enter: ({ db }) => hurting(db, () => truncateSync(db, 600)),
  },
  {
    name: "there is no database",
    isSilent: true,
    keepsNotes: true,
    enter: ({ db }) => hurting(db, () => undefined, true),
  },
  {
    name: "the database is a folder",
    isSilent: true,
    keepsNotes: true,
    enter: ({ db }) => hurting(db, () => mkdirSync(db), true),
  },
  {
    name: "the database may not be read",
    isSilent: true,
    keepsNotes: true,
    enter: ({ home, db }) => closing(home, "000", db),
  },
  {
    name: "the folder may not be written",
    isSilent: true,
    enter: ({ home }) => closing(home, "a-w", home),
  },
  {
    name: "the folder is a file",
    isSilent: true,
    enter: ({ home }) => {
      renameSync(home, `${home}-away`);
      writeFileSync(home, "no folder");
      return {
        leave: () => {
          rmSync(home);
          renameSync(`${home}-away`, home);
        },
      };
    },
  },
  { name: "the disk is full", isSilent: true, enter: fullDisk },
  { name: "no file may grow", isSilent: true, enter: () => ({ under: 'ulimit -f 0; exec "$@"' }) },
  {
    name: "the settings are broken",
    isSilent: true,
    enter: ({ home }) => withFile(join(home, "tacit.config.json"), '{ "enabled": tru, "autoInject": '),
  },
  {
    name: "the database is of a newer version",
    isSilent: true,
    keepsNotes: true,
    enter: ({ db }) =>
      hurting(db, () => sql(db, "INSERT INTO schema_migrations (number, name) VALUES (9999, 'of tomorrow')")),
  },
  { name: "the models do not answer", keepsNotes: true, enter: ({ home }) => withSilentModels(home) },
  {
    name: "the store is a server that does not answer",
    isSilent: true,
    enter: async () => {
      const { port, close } = await silentServer();
      return { args: [`--db=http://127.0.0.1:${port}`], leave: close };
    },
  },
  { name: "the input does not end", isSilent: true, enter: () => ({ keepOpen: true }) },
  { name: "the input is garbage", isSilent: true, enter: () => ({ input: () => '{"session_id": \0\xff[[[' }) },
  { name: "there is no input", isSilent: true, enter: () => ({ input: () => "" }) },
  {
    name: "the input has 64 MB",
    enter: () => ({ input: (text) => text.replace(/^\{/, `{"more":"${"x".repeat(64 * 1024 * 1024)}",`) }),
  },
];

/** Another process runs these statements and stays. */
async function holding(db, ...statements) {
  const child = spawn(process.execPath, ["--input-type=module", "-e", holder, db, ...statements], {
    cwd: import.meta.dirname,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((done) => child.once("exit", done));
  await new Promise((ready, fail) => {
    child.stdout.once("data", ready);
    child.once("exit", () => fail(new Error("The database could not be locked.")));
  });
  return {
    leave: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

const holder = `
  import Database from "libsql";
  const [db, ...statements] = process.argv.slice(1);
  const connection = new Database(db);
  for (const statement of statements) connection.exec(statement);
  connection.prepare("SELECT count(*) FROM sqlite_master").get();
  console.log("held");
  setInterval(() => connection, 1000);`;

/** In a process of its own, which leaves no log behind. */
function sql(db, statement) {
  const program = `import Database from "libsql"; const [db, statement] = process.argv.slice(1);
    const connection = new Database(db); connection.exec(statement); connection.close();`;
  const words = ["--input-type=module", "-e", program, db, statement];
  const { status, stderr } = spawnSync(process.execPath, words, { cwd: import.meta.dirname, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
}

/** Keeps the database as it is beside it, and puts it back. Its log goes into it first, so that nothing mends the damage. */
function hurting(db, hurt, isMoved = false) {
  sql(db, "PRAGMA journal_mode = DELETE");
  if (isMoved) renameSync(db, `${db}.kept`);
  else copyFileSync(db, `${db}.kept`);
  hurt();
  return {
    leave: () => {
      for (const end of ["", "-wal", "-shm", "-journal"]) rmSync(`${db}${end}`, { recursive: true, force: true });
      renameSync(`${db}.kept`, db);
    },
  };
}

function overwrite(path, at, text) {
  const file = openSync(path, "r+");
  writeSync(file, text, at, "latin1");
  closeSync(file);
}

function closing(home, mode, path) {
  const heeding = heedModes();
  if (heeding.reason !== undefined) return heeding;
  spawnSync("chmod", ["-R", mode, path]);
  return { ...heeding, leave: () => spawnSync("chmod", ["-R", "u+rwX", home]) };
}

/** A copy of the folder on a file system without a free block, which each hook has for itself. */
function fullDisk({ home }) {
  const room = `${home}-full`;
  mkdirSync(room);
  const fill = `cp -a "${home}/." "${room}" && { cat /dev/zero > "${room}/filler" 2> /dev/null || true; }`;
  const inside = `mount -t tmpfs -o size=16m none "${room}" && ${fill} && exec "$@"`;
  const under = `exec unshare -rm bash -c '${inside}' bash "$@"`;
  if (!canRead(under, import.meta.filename))
    return { reason: "this system gives no private mount to make a full disk with" };
  return { under, env: { TACIT_HOME: room } };
}

function withFile(path, text) {
  writeFileSync(path, text);
  return { leave: () => existsSync(path) && rmSync(path) };
}

async function withSilentModels(home) {
  const { port, close } = await silentServer();
  const address = `http://127.0.0.1:${port}/v1`;
  const settings = {
    embeddingProvider: "ollama",
    embeddingUrl: address,
    languageModelProvider: "ollama",
    languageModel: "none",
    languageModelUrl: address,
  };
  const { leave } = withFile(join(home, "tacit.config.json"), JSON.stringify(settings));
  return {
    env: { TACIT_EMBEDDING: "" },
    leave: async () => {
      leave();
      await close();
    },
  };
}

/** Takes whoever comes, and says nothing. */
async function silentServer() {
  const sockets = new Set();
  const server = createServer((socket) => void sockets.add(socket.on("error", () => undefined)));
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    port: server.address().port,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((done) => server.close(done));
    },
  };
}
