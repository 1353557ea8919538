// Sessions of agents that the Entire CLI keeps in a repository, on a branch of their own beside its history.
import { execFileSync } from "node:child_process";

const branch = "entire/checkpoints/v1";
const agents = new Set(["Claude Code", "Agent", undefined]);

/**
 * The sessions of Claude Code in a repository, oldest first, each with its whole transcript as far as it is there. Several
 * checkpoints hold parts of one session that grow, and older versions of the CLI wrote only what was new: together they
 * are the session.
 */
export function readSessions(repository) {
  const files = listFiles(repository);
  const starts = readStarts(repository);
  const sessions = new Map();
  let missing = 0;
  for (const [path, sha] of files) {
    if (!path.endsWith("/full.jsonl")) continue;
    const metadata = readJson(repository, files.get(path.replace(/full\.jsonl$/, "metadata.json")));
    if (!agents.has(metadata.agent)) continue;
    const text = readBlob(repository, sha);
    // The largest files of a mirror may be listed and absent.
    if (text === undefined) missing += 1;
    const id = String(metadata.session_id ?? "").replace(/^\d{4}-\d\d-\d\d-(?=[\da-f-]{36}$)/, "");
    const session = sessions.get(id) ?? { id, parts: [] };
    session.parts.push({ checkpoint: metadata.checkpoint_id, at: Date.parse(metadata.created_at), metadata, text });
    sessions.set(id, session);
  }
  const whole = [...sessions.values()].flatMap((session) => joinParts(session, starts));
  return { sessions: whole.toSorted((a, b) => a.startedAt - b.startedAt), missing };
}

function joinParts({ id, parts }, starts) {
  const lines = new Map();
  parts.sort((a, b) => a.at - b.at);
  for (const { text = "" } of parts) {
    for (const line of text.split("\n")) {
      if (line.trim() !== "") lines.set(/"uuid":"([\w-]{36})"/.exec(line)?.[1] ?? line, line);
    }
  }
  const entries = [...lines.values()].flatMap((line) => parsed(line) ?? []);
  const times = entries.map(({ timestamp }) => Date.parse(timestamp)).filter(Number.isFinite);
  const cwd = entries.find((entry) => entry.cwd !== undefined)?.cwd;
  if (cwd === undefined || times.length === 0) return [];
  const checkpoints = parts.map(({ checkpoint }) => checkpoint);
  const [first] = checkpoints.flatMap((checkpoint) => starts.get(checkpoint) ?? []);
  return [
    {
      id: entries.find(({ sessionId }) => sessionId)?.sessionId ?? id,
      lines: [...lines.values()],
      cwd,
      startedAt: Math.min(...times),
      endedAt: Math.max(...times),
      checkpoints,
      base: first?.base,
      author: first?.author,
    },
  ];
}

/** By checkpoint: the commit that its session had begun at, and who made it. */
function readStarts(repository) {
  const format = "%ae%x09%an%x09%s%x09%(trailers:key=Ephemeral-branch,valueonly,separator=%x20)";
  const starts = new Map();
  for (const line of git(repository, ["log", "--reverse", `--format=${format}`, branch]).split("\n")) {
    const [email, name, subject = "", ephemeral = ""] = line.split("\t");
    const checkpoint = /^Checkpoint: ([\da-f]{12})$/.exec(subject)?.[1];
    if (checkpoint === undefined || starts.has(checkpoint)) continue;
    starts.set(checkpoint, { base: /^entire\/([\da-f]{7,40})\b/.exec(ephemeral)?.[1], author: { email, name } });
  }
  return starts;
}

function listFiles(repository) {
  const listed = git(repository, ["ls-tree", "-r", "-z", branch]).split("\0").filter(Boolean);
  return new Map(
    listed.map((line) => {
      const [meta, path] = line.split("\t");
      return [path, meta.split(" ")[2]];
    }),
  );
}

function readJson(repository, sha) {
  return (sha && parsed(readBlob(repository, sha) ?? "")) || {};
}

function readBlob(repository, sha) {
  try {
    return git(repository, ["cat-file", "blob", sha]);
  } catch {
    return undefined;
  }
}

function parsed(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

export function git(folder, args) {
  const env = { ...process.env, GIT_NO_LAZY_FETCH: "1" };
  return execFileSync("git", ["-C", folder, ...args], {
    encoding: "utf8",
    env,
    maxBuffer: 1 << 30,
    stdio: ["ignore", "pipe", "ignore"],
  });
}
