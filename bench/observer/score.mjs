// How far what was learned is what was planted.

/**
 * Each memory is right because it matches something planted, because it follows from it (files of one pattern that are
 * changed together are told as such, too), or wrong. Memories of synthesis are proposals over many sessions, always for a
 * person; they are counted apart.
 */
export function scoreLearned({ planted, decoys, memories, sessions }) {
  const units = new Set(
    sessions.filter(({ events }) => events?.some(({ kind }) => kind === "unit")).map(({ session }) => session.id),
  );
  const observed = memories.filter(({ signals }) => !signals.includes("synthesis") || signals.length > 1);
  const judged = observed.map((memory) => judge(memory, planted, decoys, units));
  const found = planted.map((plan) => ({
    plan,
    by: judged.filter(({ plans, isEarly }) => plans.includes(plan) && !isEarly),
  }));
  const right = judged.filter(({ verdict }) => verdict === "planted").length;
  const following = judged.filter(({ verdict }) => verdict === "follows").length;

  const outside = new Set(sessions.filter(({ isOutside }) => isOutside).map(({ session }) => session.id));
  const clean = observed.filter(({ shownIn }) => !shownIn.some((id) => outside.has(id)));
  const doubted = found.flatMap(({ plan, by }) =>
    by.filter(({ memory }) => plan.cleanUntil(memory.madeAfter) < plan.needed).map(({ memory }) => ({ plan, memory })),
  );
  return {
    judged,
    found,
    right,
    following,
    wrong: judged.filter(({ verdict }) => verdict === "wrong"),
    missed: found.filter(({ by }) => by.length === 0).map(({ plan }) => plan),
    late: found.filter(({ plan, by }) => by.length > 0 && by.every(({ memory }) => memory.madeAfter > plan.firesAt)),
    precision: ratio(right + following, judged.length),
    strictPrecision: ratio(right, judged.length),
    recall: ratio(found.filter(({ by }) => by.length > 0).length, planted.length),
    synthesised: memories.length - observed.length,
    heldBack: { all: clean.filter(({ isWaiting }) => isWaiting), of: clean.length },
    /** What an agent worded after content from outside and speaks all the same. */
    leaked: doubted.filter(({ memory }) => !memory.isWaiting && !saysValues(memory)),
    doubted: doubted.length,
  };
}

// Paths, counts, names of tracked code and known commands pass whatever a session has read.
const ofValues = new Set(
  "co-access config-touch file-access import-chase read-abandon repeated-search glob-ignore token-spike step-overrun parallel-conflict test-order tool-sequence time-anomaly backtrack".split(
    " ",
  ),
);

function saysValues({ signals }) {
  return signals.length > 0 && signals.every((signal) => ofValues.has(signal));
}

function judge(memory, planted, decoys, units) {
  const plans = planted.filter((plan) => plan.matches(memory));
  // Three sessions means three: what is known after two was not learned but guessed.
  const isEarly = plans.length > 0 && plans.every(({ firesAt }) => memory.madeAfter < firesAt);
  if (plans.length > 0 && !isEarly) return { memory, plans, isEarly, verdict: "planted" };
  const isUnit = memory.signals.includes("work-unit") && memory.shownIn.every((id) => units.has(id));
  const follows = isUnit || (!isEarly && [...planted, ...decoys].some((plan) => followsFrom(memory, plan)));
  return { memory, plans, isEarly, verdict: follows ? "follows" : "wrong" };
}

/** Whether a pattern makes a memory true that it was not planted for. */
function followsFrom({ signals, relatedFiles, content }, { together = [], alsoDeadEnd, files = [], sessions, signal }) {
  const isOf = (all) => relatedFiles.length > 0 && relatedFiles.every((file) => all.includes(file));
  if (signals.includes("co-access"))
    return (
      relatedFiles.length === 2 &&
      sessions.length >= 3 &&
      isOf([...together, ...(signal === "file-access" ? files : [])])
    );
  // What is tried and taken back twice is no way to go either; what else it names must not be made up.
  if (signals.includes("dead-end") && alsoDeadEnd) return isOf(files) && content.includes(files[0]);
  return false;
}

function ratio(part, whole) {
  return whole === 0 ? 0 : part / whole;
}
