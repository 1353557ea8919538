// Reads MEMORY.md again and again until it is told to stop. Says each text that is torn, and each line that was there before
// and is gone.
import { readFileSync } from "node:fs";
import { setTimeout as breathe } from "node:timers/promises";
import { say, settings, told } from "./speak.mjs";

const stopped = new AbortController();
let [reads, texts, last] = [0, 0, ""];
let lines = [];
void told().then(() => stopped.abort());
say({ ready: true });

while (!stopped.signal.aborted) {
  for (let n = 0; n < 50; n += 1) look();
  await breathe(1);
}
say({ reads, texts, lines: lines.length });

function look() {
  let text;
  try {
    text = readFileSync(settings.file, "utf8");
  } catch (error) {
    // Before it is written for the first time it is not there; afterwards it always is.
    if (error.code !== "ENOENT" || texts > 0) say({ torn: error.message });
    return;
  }
  reads += 1;
  if (text === last) return;
  [texts, last] = [texts + 1, text];
  if (!text.startsWith("# Memory\n") || !text.endsWith(" -->\n")) say({ torn: text });
  const now = text.split("\n").filter((line) => line.startsWith("- "));
  for (const line of lines) if (!now.includes(line)) say({ lost: line });
  lines = now;
}
