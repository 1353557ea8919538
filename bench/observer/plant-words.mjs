// Planted: what sessions show by what the agent says of its work, and what it does then.
import { anyOpen, symbolOf, testOf } from "./made-up-project.mjs";
import { assertion } from "./teller.mjs";

export function plantWords(kit) {
  plantSelfCorrections(kit);
  plantDeadEnds(kit);
}

/** What is so, what was believed, each as a whole and the part in which they differ. The third is how it is known again. */
const facts = [
  (s) => [`\`${s}\` returns cents`, "euros", "cents"],
  (s) => [`\`${s}\` counts its limit per tenant`, "per user", "per tenant"],
  (s) => [`\`${s}\` takes its second argument in milliseconds`, "in seconds", "in milliseconds"],
  (s) => [`\`${s}\` keeps dates in local time`, "in UTC", "in local time"],
  (s) => [`\`${s}\` is called once for each worker`, "once for each request", "once for each worker"],
  (s) => [`\`${s}\` reads its rules from the database`, "from the configuration", "from the database"],
  (s) => [`\`${s}\` sorts by the date of the invoice`, "by its number", "by the date of the invoice"],
  (s) => [`\`${s}\` gives back a frozen object`, "a plain object", "a frozen object"],
  (s) => [`\`${s}\` matches bare file names`, "whole paths", "bare file names"],
  (s) => [`\`${s}\` counts from one`, "from zero", "from one"],
];

const corrections = [
  ({ s, actual }) => `I was wrong about \`${s}\`. ${capital(actual)}.`,
  ({ actual, assumed }) => `I initially thought ${assumed}, but ${actual}.`,
  ({ actual, believed }) => `Correction: ${actual}, not ${believed}.`,
  ({ actual, believed }) => `Actually, ${actual}, not ${believed}.`,
  ({ actual, believed }) => `Wait, ${actual}, not ${believed}.`,
  ({ actual, believed }) => `It turns out that ${actual}, not ${believed} as I assumed.`,
  ({ s, actual }) => `I misread \`${s}\`: ${actual}.`,
  ({ actual, believed }) => `My assumption was wrong: ${actual}, not ${believed}.`,
  ({ actual, assumed }) => `I had assumed that ${assumed}; in fact ${actual}.`,
  ({ actual, believed }) => `Hmm, no. ${capital(actual)}, not ${believed}.`,
];

const capital = (text) => text[0].toUpperCase() + text.slice(1);

/** Sounds like one, and takes nothing back that anybody should know. */
const noCorrections = [
  (s) => `Actually, \`${s}\` looks good as it is.`,
  (s) => `Let me reconsider: first I will edit \`${s}\`, then run the tests.`,
  () => "Wait for `npm run dev` to come up before the next request.",
  () => "I was wrong about how long this takes.",
  (s) => `I thought about renaming \`${s}\`, but it is fine.`,
  (s) => `Correction of the typos in \`${s}\` is done.`,
  (s) => `Actually, let me read \`${s}\` again before I go on.`,
  (s) => `Wait, is \`${s}\` used anywhere else?`,
];

function plantSelfCorrections(kit) {
  const { random, plant, decoy, times } = kit;
  const [said, wordings] = [random.shuffle(facts), random.shuffle(corrections)];
  for (let n = times(5); n > 0; n--) {
    const file = anyOpen(kit);
    const s = symbolOf(file);
    const [actual, believed, word] = said.pop()(s);
    const text = wordings.pop()({ s, actual, believed, assumed: actual.replace(word, believed) });
    plant({
      signal: "self-correction",
      types: ["gotcha", "module_insight"],
      files: [],
      says: [s, word],
      what: text,
      needed: 1,
      shown: 1,
      tell(t) {
        t.read(file);
        t.edit(file);
        t.idle();
        if (random.chance(0.5)) t.read(testOf(file));
        t.say(text);
        t.edit(file);
        t.test({ files: [testOf(file)] });
      },
    });
  }
  for (const text of random.sample(noCorrections, times(5))) {
    const file = anyOpen(kit);
    decoy({
      signal: "self-correction",
      about: text(symbolOf(file)),
      shown: 1,
      tell(t) {
        t.read(file).say(text(symbolOf(file)));
        t.edit(file);
        t.test({ files: [testOf(file)] });
      },
    });
  }
}

const vainAttempts = [
  {
    plan: (s) => `Let me move the hashing in \`${s}\` to a worker thread.`,
    fails: "DataCloneError: (chunk) => {} could not be cloned.",
    why: "This approach won't work: functions cannot be sent to a worker.",
    instead: "I'll hash in batches instead.",
    says: /worker|cloned/,
  },
  {
    plan: (s) => `I'll replace the polling in \`${s}\` with fs.watch.`,
    fails: "Error: EMFILE: too many open files, watch",
    why: "fs.watch cannot handle that many folders, so I need to abandon this.",
    instead: "Let me poll with a growing pause.",
    says: /fs\.watch|EMFILE/,
  },
  {
    plan: (s) => `Let me wrap the whole import of \`${s}\` in one transaction.`,
    fails: "Error: Transaction already closed: a query was executed after 5000 ms",
    why: "One transaction for all of it is too slow, this will not work.",
    instead: "Let me commit every hundred rows.",
    says: /transaction/i,
  },
  {
    plan: (s) => `I'll use structuredClone for the drafts in \`${s}\`.`,
    fails: "DataCloneError: Symbol(draft) could not be cloned.",
    why: "That cannot work with symbols in the drafts.",
    instead: "I'll copy the three fields by hand instead.",
    says: /structuredClone|cloned/,
  },
  {
    plan: (s) => `Let me keep the rates of \`${s}\` in a map of the module.`,
    fails: "Error: rates of tenant 7 are used for tenant 9",
    why: "A shared map mixes the tenants up, so this approach is out.",
    instead: "Let me hand the rates over as an argument.",
    says: /map|tenant/,
  },
];

function plantDeadEnds(kit) {
  const { random, plant, decoy, times } = kit;
  const kinds = random.shuffle(vainAttempts);
  for (let n = times(4); n > 0; n--) {
    const file = anyOpen(kit);
    const { plan, fails, why, instead, says } = kinds.pop();
    plant({
      signal: "dead-end",
      types: ["dead_end"],
      files: [file],
      says: [says],
      what: plan(symbolOf(file)),
      needed: 1,
      shown: 1,
      prompt: () => `Make ${symbolOf(file)} faster.`,
      tell(t) {
        t.read(file).say(plan(symbolOf(file)));
        const done = t.edit(file, { lines: random.int(5, 12) });
        t.idle().test({ fails, files: [testOf(file)] });
        const isSaid = random.chance(0.8);
        if (isSaid) t.say(why);
        if (random.chance(0.5)) t.undo(done);
        else t.run(random.pick([`git checkout -- ${file}`, `git restore ${file}`, `git checkout HEAD -- ${file}`]));
        t.idle().say(instead);
        t.edit(file);
        t.test({ files: [testOf(file)] });
      },
    });
  }
  for (let n = times(2); n > 0; n--) {
    const [same, mind] = [anyOpen(kit), anyOpen(kit)];
    decoy({
      signal: "dead-end",
      about: "edited until it works",
      shown: 1,
      tell(t) {
        const files = [testOf(same)];
        t.read(same).say(`Let me add the missing case to \`${symbolOf(same)}\`.`);
        let done = t.edit(same);
        for (let run = 0; run < 2; run++) {
          t.test({ fails: assertion(random, same), files });
          done = t.edit(same, { before: done.after });
        }
        t.test({ files });
      },
    });
    decoy({
      signal: "dead-end",
      about: "a change of mind, nothing failed",
      shown: 1,
      tell(t) {
        t.read(mind).say(`I'll rename the fields of \`${symbolOf(mind)}\`.`);
        const done = t.edit(mind);
        t.say("Let me try a different approach, that is shorter.");
        t.undo(done);
        t.edit(mind);
        t.test({ files: [testOf(mind)] });
      },
    });
  }
}
