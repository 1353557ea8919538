// How much of what was planted in generated sessions Tacit learns, and how much that was not.
// `node bench/observer.mjs [--seed N] [--sessions N] [--mix even|noisy|sparse|hostile] [--verbose]`
import { parseArgs } from "node:util";
import { learnFrom } from "./observer/learn.mjs";
import { scoreLearned } from "./observer/score.mjs";
import { renderTable } from "./render-table.mjs";

export async function measureObserver({ seed = 1, sessions = 200, mix = "even", isVerbose = false } = {}) {
  const learned = await learnFrom({ seed, sessions, mix });
  const score = scoreLearned(learned);
  const { precision, strictPrecision, recall, heldBack, leaked, doubted, late, synthesised } = score;
  return {
    text: [
      `${learned.sessions.length} sessions, mix ${mix}, seed ${seed}: ${learned.planted.length} patterns planted beside ${learned.decoys.length} that only look like one; ${learned.memories.length} memories made.`,
      tableOf(score, learned.decoys),
      ...(isVerbose ? [listOf(score)] : []),
    ].join("\n\n"),
    rows: [
      { what: "precision: planted or following from it / all made", value: precision, atLeast: 0.9 },
      { what: "… planted alone / all made", value: strictPrecision },
      { what: "recall of what was planted", value: recall, atLeast: 0.85 },
      { what: "… later than when enough sessions had shown it", value: late.length },
      {
        what: "held back for taint without outside content, %",
        value: (100 * heldBack.all.length) / Math.max(1, heldBack.of),
        atMost: 2,
      },
      {
        what: `is worded after outside content and speaks all the same, of ${doubted}`,
        value: leaked.length,
        atMost: 0,
      },
      { what: "proposed by synthesis, for review (not counted above)", value: synthesised },
    ],
  };
}

function tableOf({ judged, found }, decoys) {
  const signals = [
    ...new Set([...found.map(({ plan }) => plan.signal), ...judged.flatMap(({ memory }) => memory.signals)]),
  ];
  const lines = signals
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map((signal) => {
      const own = judged.filter(({ memory }) => memory.signals.includes(signal));
      const plans = found.filter(({ plan }) => plan.signal === signal);
      const count = (verdict) => own.filter((one) => one.verdict === verdict).length;
      const values = {
        planted: plans.length,
        found: plans.filter(({ by }) => by.length > 0).length,
        decoys: decoys.filter((one) => one.signal === signal).length,
        made: own.length,
        right: count("planted"),
        follows: count("follows"),
        wrong: count("wrong"),
      };
      return { what: signal, values, isCount: true };
    });
  const names = ["planted", "found", "decoys", "made", "right", "follows", "wrong"];
  return renderTable({ names: Object.fromEntries(names.map((name) => [name, name])), lines });
}

function listOf({ wrong, missed, late, leaked, judged, heldBack }) {
  const told = ({ memory, isEarly }) =>
    `- ${memory.signals.join("+")}${isEarly ? " (too early)" : ""} after ${memory.madeAfter}, seen in ${memory.shownIn.join(" ").replaceAll("made-up-", "")}: ${memory.content}${because(memory)}`;
  const because = ({ isWaiting, evidence }) => {
    const outside = evidence.flatMap(({ sessions }) => sessions.flatMap((one) => one.outside ?? []));
    return isWaiting ? ` [waits: ${[...new Set(outside)].join("; ")}]` : "";
  };
  const plan = ({ signal, files, says = [], what = "", sessions, firesAt }) =>
    `- ${signal} in ${sessions.join(" ")}, due after ${firesAt}: ${[...files, ...says, what].join(" | ")}`;
  const isHeld = ({ memory }) => heldBack.all.includes(memory);
  return [
    "Wrong:",
    ...wrong.map(told),
    "",
    "Follows:",
    ...judged.filter(({ verdict }) => verdict === "follows").map(told),
    "",
    "Missed:",
    ...missed.map(plan),
    "",
    "Late:",
    ...late.map((one) => plan(one.plan)),
    "",
    "Leaked:",
    ...leaked.map((one) => plan(one.plan)),
    "",
    "Held back:",
    ...judged.filter(isHeld).map(told),
  ].join("\n");
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: {
      seed: { type: "string" },
      sessions: { type: "string" },
      mix: { type: "string" },
      verbose: { type: "boolean" },
    },
  });
  const { text, rows } = await measureObserver({
    seed: Number(values.seed ?? 1),
    sessions: Number(values.sessions ?? 200),
    mix: values.mix ?? "even",
    isVerbose: values.verbose ?? false,
  });
  const isHeld = ({ value, atLeast = -Infinity, atMost = Infinity }) => value >= atLeast && value <= atMost;
  console.log(`${text}\n`);
  for (const row of rows) console.log(`${row.what}: ${Number(row.value.toFixed(3))}${isHeld(row) ? "" : " (missed)"}`);
  process.exitCode = rows.every(isHeld) ? 0 : 1;
}
