// What a model would say that does its work well: everything that it was shown stays, and one line is new.

/** A reply with the memory that the prompt quotes, and a new line in it. */
export function answerAsModel(message, historyEntry, newLine) {
  const shown = /The memory now:\n((?:\|.*\n?)*)/.exec(message)?.[1] ?? "";
  const lines = shown.split("\n").filter((line) => line !== "");
  const memory = lines.map((line) => line.replace(/^\| ?/, "")).join("\n");
  return JSON.stringify({ history_entry: historyEntry, memory_update: `${memory}\n\n## Facts\n\n- ${newLine}\n` });
}
