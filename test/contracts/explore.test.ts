import { expect, it } from "vitest";
import { outcomeOf, performVerb } from "../support/perform-verb.js";
import { effects, expectedOf, titleOf } from "../support/writing-verb.js";
import { sessionVerbs } from "../support/session-verbs.js";
it.each(sessionVerbs.map((v) => [titleOf(v), v] as const))("%s", async (_, verb) => {
  const trace = await performVerb(verb);
  const bad = effects.flatMap((e) => { const o = outcomeOf(e, trace); const x = expectedOf(verb, e).outcome; return o === x ? [] : [`${e}:${o}`]; });
  console.log("ROW", titleOf(verb), bad.join(" | "), JSON.stringify(trace.after), bad.length ? JSON.stringify(trace.watched.map((w) => w.what + " " + w.detail.slice(0, 60))) : "", JSON.stringify(trace.embedded));
});
