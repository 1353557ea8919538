import { moduleOf } from "../scratchpad/module-of.js";
import type { Scratchpad } from "../scratchpad/session-view.js";
import { evidenceOf } from "./action-evidence.js";
import { isImported, keyOf } from "./import-keys.js";
import { textOf, textsOf } from "./past-data.js";
import type { Draft, History, PastSighting, Sighting, Signal } from "./signal.js";
import { listTouches, type Touch } from "./touched-files.js";
import { code, codes } from "./wording.js";

/**
 * A session reads a file, then one that it imports, then one that that imports, and only there is what it was after. It
 * must not see reading that goes back to where it began, nor files that are read one after the other for other reasons.
 */
export const importChase: Signal = {
  name: "import-chase",
  wording: { by: "values" },
  diagnostic: 0.5,
  crossSession: 0.5,
  falsePositives: 0.4,
  promotesTo: ["causal_dependency"],
  sessions: 4,
  detect,
  compose,
};

// A look at something else in between does not end a chase; a walk through the whole project is none.
const maxRecent = 5;
const leastChain = 3;
const longestChain = 6;
const maxChains = 20;

function detect(pad: Scratchpad): Sighting[] {
  const touches = listTouches(pad);
  const edits = new Map(touches.flatMap(({ file, isEdit, action }) => (isEdit ? [[file, action] as const] : [])));
  return findChains(touches)
    .filter((chain) => edits.size === 0 || chain.findIndex(({ file }) => edits.has(file)) === chain.length - 1)
    .slice(0, maxChains)
    .map((chain) => {
      const [from, ...further] = chain.map(({ file }) => file) as [string, ...string[]];
      const to = further.at(-1) as string;
      const edit = edits.get(to);
      const actions = [...chain.map(({ action }) => action), ...(edit ? [edit] : [])];
      return {
        signal: "import-chase",
        subject: `${from} → ${to}`,
        orders: actions.map(({ order }) => order),
        data: { from, to, through: further.slice(0, -1) },
        evidence: evidenceOf(actions),
      };
    });
}

/** The ways by imports, as far as each goes: each step to a file not read before, and shortly after the one before it. */
function findChains(touches: readonly Touch[]): Touch[][] {
  // What a file imports may be seen in any of its reads; only the first tells when it was come to.
  const imports = new Map<string, readonly string[]>();
  const chains = new Map<string, Touch[]>();
  const continued = new Set<string>();
  let recent: string[] = [];
  for (const touch of touches) {
    const { file, action } = touch;
    // Whoever edits has arrived; what is read afterwards is for something else.
    if (touch.isEdit) {
      recent = [];
      continue;
    }
    if (action.imports && action.imports.length > (imports.get(file)?.length ?? 0)) imports.set(file, action.imports);
    if (chains.has(file)) continue;
    const key = keyOf(file);
    const before = recent
      .filter((other) => isImported(key, other, imports.get(other) ?? []))
      .map((other) => chains.get(other) ?? [])
      .reduce<Touch[]>((longest, chain) => (chain.length >= longest.length ? chain : longest), []);
    const last = before.at(-1);
    if (last) continued.add(last.file);
    chains.set(file, [...before, touch].slice(-longestChain));
    recent.push(file);
    if (recent.length > maxRecent) recent.shift();
  }
  return [...chains]
    .filter(([file, { length }]) => length >= leastChain && !continued.has(file))
    .map(([, chain]) => chain);
}

// Who mostly gets to the last file directly does not need to be told.
const leastShare = 0.5;

function compose(_subject: string, sightings: readonly PastSighting[], history: History): Draft | undefined {
  const last = sightings.at(-1);
  const from = last && textOf(last, "from");
  const to = last && textOf(last, "to");
  if (!last || from === undefined || to === undefined) return undefined;
  if (sightings.length / Math.max(1, history.sessionsOfFile(to)) < leastShare) return undefined;
  const through = textsOf(last, "through").slice(0, longestChain);
  return {
    type: "causal_dependency",
    content: `What looks like the business of ${code(from)} is decided in ${code(to)}, which it reaches through ${codes(through)}. Start at ${code(to)}.`,
    data: { changed: from, affected: to, through, sessionCount: sightings.length },
    relatedFiles: [from, ...through, to],
    relatedModules: [...new Set([from, to].map(moduleOf))],
  };
}
