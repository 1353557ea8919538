// The work of every day, from which nothing is to be learned.
import { assertion } from "./teller.mjs";
import { moduleOf, symbolOf, testOf } from "./made-up-project.mjs";

/** One piece of ordinary work, mostly in the modules that the session is about. */
export function makeNoise(t, home) {
  const deeds = t.random.pick(weighted);
  deeds(t, () => anyFile(t, home));
}

/** Work in one module alone, of about so many calls. */
export function workIn(t, module, calls) {
  const until = t.calls() + calls;
  while (t.calls() < until) t.random.pick([change, redGreen, change, look])(t, () => t.random.pick(module.sources));
}

/** What the user asks for when it is nothing special. */
export function everydayPrompt(random, module) {
  const what = random.pick([
    "rounding",
    "sorting",
    "paging",
    "the empty case",
    "the error text",
    "naming",
    "a slow loop",
    "the return type",
    "the null check",
    "the date format",
  ]);
  return random.pick([
    `Please fix ${what} in ${module}.`,
    `${module}: improve ${what}`,
    `Can you look at ${what} in the ${module} module?`,
    `Clean up ${what} of ${module} and make sure that the tests pass.`,
    `We have a bug report about ${what} in ${module}, see to it.`,
  ]);
}

function anyFile({ random, project }, home) {
  const luck = random.next();
  if (luck < 0.86) return random.pick(project.modules[random.pick(home)].open);
  const module = project.modules[random.pick(project.ordinary)];
  return luck < 0.985 ? random.pick(module.open) : random.pick(module.sources);
}

function change(t, file) {
  const { random } = t;
  const one = file();
  if (random.chance(0.5)) t.grep(oneOffSearch(random), [one, testOf(one)]);
  t.read(one).idle();
  if (random.chance(0.3)) t.read(file());
  t.edit(one);
  if (random.chance(0.3)) t.read(testOf(one));
  if (random.chance(0.3)) t.edit(testOf(one));
  t.idle();
  if (random.chance(0.6)) t.test(random.chance(0.6) ? { files: [testOf(one)] } : {});
}

/** A name that comes up once and hardly ever again. */
export function oneOff(random) {
  return nameParts.map((parts) => random.pick(parts)).join("");
}

const nameParts = [
  "apply build check count drop find fold load make open read send skip sum take trim".split(" "),
  "Big Dry Early Empty Final First Fresh Inner Last Late Local Next Old Open Outer Plain Short Small Spare Wide".split(
    " ",
  ),
  "Address Basket Carrier Deposit Entry Freight Group Holder Item Line Parcel Rate Shelf Stamp Voucher Zone".split(" "),
  "s ById ByDate Twice Safely Total Map Later Now Rows Text Keys".split(" "),
];

/** The same as one would search for it. */
export function oneOffSearch(random) {
  return `${oneOff(random)}${random.pick(["", "", "\\("])}`;
}

/** A test that is red before it is green. */
function redGreen(t, file) {
  const { random } = t;
  const one = file();
  const files = random.chance(0.7) ? [testOf(one)] : [];
  t.read(one);
  const first = t.edit(one);
  t.test({ fails: random.chance(0.75) ? assertion(random, one) : mistake(random, one), files }).idle();
  if (random.chance(0.4)) t.read(random.chance(0.5) ? one : testOf(one));
  if (random.chance(0.4)) t.say(random.pick(["The test fails, let me fix that.", "Off by one. Fixing.", "Almost."]));
  t.edit(one, random.chance(0.5) ? { before: first.after } : {});
  t.test({ files });
}

function mistake(random, file) {
  const name = oneOff(random);
  const where = `\n    at ${symbolOf(file)} (${file}:${random.int(3, 80)}:${random.int(2, 40)})`;
  return random.pick([
    `TypeError: Cannot read properties of undefined (reading '${name}')${where}`,
    `TypeError: ${name}.${random.pick(["flat", "trim", "at", "toFixed"])} is not a function${where}`,
    `ReferenceError: ${name} is not defined${where}`,
    `RangeError: Invalid array length${where}`,
  ]);
}

function typo(t, file) {
  const one = file();
  const first = t.read(one).edit(one);
  const at = `${one}(${t.random.int(3, 80)},${t.random.int(2, 40)})`;
  t.typecheck({
    fails: t.random.pick([
      `${at}: error TS2304: Cannot find name '${symbolOf(one)}Olf'.`,
      `${at}: error TS2322: Type 'string' is not assignable to type 'number'.`,
      `${at}: error TS6133: 'next' is declared but its value is never read.`,
    ]),
  });
  t.edit(one, { before: first.after });
  t.typecheck();
}

function look(t, file) {
  const { random, project } = t;
  for (let n = random.int(1, 4); n > 0; n--) {
    random.pick([
      () => t.run("git diff", `diff --git a/README.md b/README.md\n+${random.hex(12)}`),
      () => t.run("git log --oneline -5", `${random.hex(7)} Tidy up`),
      () =>
        t.glob(
          "src/**/*.test.ts",
          Object.values(project.modules)
            .slice(0, 5)
            .map((module) => testOf(module.sources[0])),
        ),
      () => t.run(`ls ${moduleOf(file())}`, "index.ts"),
      () => t.read(file()),
      () => t.grep(random.pick(["TODO", "export function", "import", "console.log"]), [file(), file()]),
    ])();
  }
}

function checks(t) {
  if (t.random.chance(0.6)) t.lint();
  t.idle();
  if (t.random.chance(0.6)) t.typecheck();
}

function writing(t) {
  const page = t.random.pick(t.project.pages);
  t.read(page).edit(page);
}

function remark(t) {
  t.say(t.random.pick(remarks));
}

const remarks = [
  "Actually, that works.",
  "Actually, let me look at the tests first.",
  "Wait for the server to start, then go on.",
  "Let me reconsider the order of these steps.",
  "I thought so.",
  "Correction of the comment comes last.",
  "Wait, let me check the other callers.",
  "Actually this is fine as it is.",
  "Plan: first the types, then the callers, then the tests.",
  "The tests pass now. 0 errors.",
  "I expected this to take longer.",
  "Hmm, interesting.",
  "Let me try another approach to reading this: start with the tests.",
  "I should have a look at the docs, too.",
];

function debugging(t, file) {
  const one = file();
  const print = t
    .read(one)
    .edit(one, { before: "  return value;", after: '  console.log("value", value);\n  return value;' });
  t.test({ files: [testOf(one)] });
  t.undo(print);
}

function helpers(t, file) {
  const agent = `agent-${t.random.hex(6)}`;
  t.as(agent, () => {
    for (let n = t.random.int(2, 5); n > 0; n--) t.read(file());
    t.grep(oneOffSearch(t.random), [file()]);
    t.say("These are the callers.");
  });
}

function commits(t) {
  const message = t.random.pick([
    "Fix rounding",
    "Tidy up names",
    "feat: paging",
    "test: more cases",
    "docs: wording",
    "refactor: split",
  ]);
  t.run(
    `git add -A && git commit -m "${message}"`,
    `[main ${t.random.hex(7)}] ${message}\n 2 files changed, 9 insertions(+), 4 deletions(-)`,
  );
}

function newFile(t, file) {
  const path = file().replace(/\.ts$/, `-${t.random.hex(4)}.ts`);
  t.write(path, `export const made = ${t.random.int(1, 1e6)};\n`);
  if (t.random.chance(0.5)) t.read(path, { text: "export const made = 1;\n" });
  t.test({ files: [testOf(path)] });
}

const weighted = [
  change,
  change,
  change,
  change,
  redGreen,
  redGreen,
  typo,
  look,
  look,
  checks,
  writing,
  remark,
  remark,
  debugging,
  helpers,
  commits,
  newFile,
];
