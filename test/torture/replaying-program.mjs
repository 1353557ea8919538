// Replays a made-up transcript that is never on disk, and says how much memory that took.
import { agentSession } from "../../bench/agent-session.mjs";
import { say, settings } from "./speak.mjs";

const { openMemory } = await import(settings.library);
const memory = await openMemory({ db: ":memory:", directory: settings.directory, embedder: null });
const day = 86_400_000;
let bytes = 0;
let resident = 0;
const look = () => (resident = Math.max(resident, process.memoryUsage().rss));

async function* transcript() {
  for (let round = 0; bytes < settings.bytes; round += 1) {
    const id = `session-${round}`;
    const session = agentSession({ id, root: settings.directory, at: Date.now() - 30 * day + round * 60_000 });
    for (let n = 0; n < 20; n += 1) {
      session.reads(`src/f${(round * 7 + n) % 300}.ts`, { text: `     1\texport const n = ${n};\n`.repeat(150) });
      session.edits(`src/f${(round * 7 + n) % 300}.ts`, `old ${round} ${n}`, `new ${round} ${n}`);
      session.runs("npm test", { text: `Error: number ${n} of ${round}`, failed: n % 5 === 0 });
    }
    for (const line of session.lines()) {
      // One that goes on for long, and many that are short.
      const chunk = Buffer.from(
        `${round % 3 === 0 ? line.replace(`"sessionId":"${id}"`, '"sessionId":"long"') : line}\n`,
      );
      bytes += chunk.length;
      yield chunk;
    }
    look();
  }
}

// What is loaded and warmed up is not what a longer transcript adds.
await memory.sessions.replay(
  (async function* warm() {
    for await (const chunk of agentSession({ id: "warm", root: settings.directory, at: 1 }).reads("a.ts").stream())
      yield chunk;
  })(),
);
const before = process.memoryUsage().rss;
const { transcript: report, sessions } = await memory.sessions.replay(transcript());
look();
await memory.close();
say({
  bytes: report.bytes,
  lines: report.lines,
  skipped: report.skipped,
  sessions: sessions.length,
  growth: resident - before,
});
