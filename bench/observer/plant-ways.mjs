// Planted: what sessions show by how they go about their work, and what it costs them.
import { oneOff, workIn } from "./noise.mjs";
import { testOf } from "./made-up-project.mjs";

export function plantWays(kit) {
  plantTestOrder(kit);
  plantRecipes(kit);
  plantOverruns(kit);
  plantSpikes(kit);
  plantPages(kit);
  plantSlow(kit);
}

function plantTestOrder({ random, project, plant, decoy, times }) {
  const modules = random.shuffle(project.ordinary);
  const at = (file) => `${file}(${random.int(1, 80)},${random.int(1, 40)})`;
  const wrongType = (file) =>
    `${at(file)}: error ${random.pick([
      "TS2345: Argument of type 'Row' is not assignable to parameter of type 'Entry'.",
      "TS2554: Expected 2 arguments, but got 1.",
      `TS2339: Property '${oneOff(random)}' does not exist on type 'Batch'.`,
      "TS2741: Property 'rate' is missing in type '{}' but required in type 'Quote'.",
      "TS18048: 'entry' is possibly 'undefined'.",
      "TS2769: No overload matches this call.",
    ])}`;
  const checks = [
    { command: "npx tsc --noEmit", says: "tsc", fails: wrongType },
    { command: "npm run typecheck", says: "typecheck", fails: wrongType },
    {
      command: "npm run lint:types",
      says: "lint:types",
      fails: (file) =>
        `${file}\n  ${random.int(1, 80)}:4  error  ${random.pick(["Promises must be awaited", "Unsafe return of an any typed value", "Unexpected any value in conditional"])}\n\n✖ 1 problem (1 error, 0 warnings)`,
    },
  ];
  const late = (t, module, { command, fails }, isTelling = true) => {
    const file = random.pick(project.modules[module].open);
    const tookMs = random.int(4000, 7000);
    t.read(file);
    t.edit(file);
    t.idle()
      .test({
        fails: `TypeError: ${oneOff(random)}.${random.pick(["next", "at", "get"])} is not a function\n    at run (${file}:${random.int(1, 80)}:3)`,
      })
      .idle();
    if (isTelling) t.run(command, fails(file), { failed: true, tookMs });
    else t.run(command, "Found 0 errors.", { tookMs });
    t.idle().edit(file);
    if (isTelling) t.run(command, "", { tookMs });
    t.test();
  };
  for (let n = times(3); n > 0; n--) {
    const [module, check] = [modules.pop(), checks[n % checks.length]];
    plant({
      signal: "test-order",
      types: ["task_calibration"],
      files: [],
      says: [module, check.says],
      home: module,
      needed: 3,
      shown: random.int(3, 4),
      tell: (t) => late(t, module, check),
    });
  }
  for (const [about, shown, tell] of [
    ["two sessions only", 2, late],
    ["the check passes", 3, (t, module, check) => late(t, module, check, false)],
    ["the check comes first", 3, checkFirst],
  ]) {
    const module = modules.pop();
    decoy({ signal: "test-order", about, home: module, shown, tell: (t) => tell(t, module, checks[0]) });
  }
  function checkFirst(t, module, { command, fails }) {
    const file = random.pick(project.modules[module].open);
    t.read(file);
    t.edit(file);
    t.run(command, fails(file), { failed: true, tookMs: 5000 });
    t.edit(file);
    t.run(command, "", { tookMs: 5000 }).test();
  }
}

const recipes = [
  ["npm run db:generate", (x) => `Add a ${x} column to the stock table`],
  ["npm run client:generate", (x) => `Add the field ${x} to the public API`],
  ["npm run i18n:extract", (x) => `Translate the ${x} dialog`],
  ["npx prisma migrate dev --name next", (x) => `Make ${x} of the customer unique`],
  ["npm run icons:pack", (x) => `Add an icon for ${x}`],
  ["npm run schema:dump", (x) => `Drop the old ${x} of the parcel model`],
];

function plantRecipes({ random, project, plant, decoy, times }) {
  const known = random.shuffle(recipes);
  const thing = () => random.pick(["colour", "weight", "owner", "origin", "label", "batch", "size", "rank", "grade"]);
  const follow = (t, steps) => {
    for (const step of steps) {
      if (step.startsWith("np")) t.run(step, "Generated 3 files.", { tookMs: random.int(2000, 6000) });
      else {
        if (random.chance(0.6)) t.read(step);
        t.edit(step);
      }
      t.idle();
    }
    t.test();
  };
  for (let n = times(4); n > 0; n--) {
    const [command, prompt] = known.pop();
    const [first, second] = [project.takeFile(), project.takeFile()];
    plant({
      signal: "tool-sequence",
      types: ["workflow_recipe"],
      files: [first, second],
      together: [first, second],
      says: [command.replace(/^npx | dev --.*$/g, "")],
      needed: 3,
      shown: random.int(3, 4),
      prompt: () => prompt(thing()),
      tell: (t) => follow(t, [first, command, second]),
    });
  }
  for (let n = times(1); n > 0; n--) {
    const [[command], [other]] = [known.pop(), known.pop()];
    const files = [project.takeFile(), project.takeFile()];
    const orders = [
      [files[0], command, files[1]],
      [files[1], files[0], command],
      [command, files[1], files[0]],
    ];
    decoy({
      signal: "tool-sequence",
      about: "another order each time",
      together: files,
      shown: 3,
      tell: (t, nth) => follow(t, orders[nth]),
    });
    const two = [project.takeFile(), project.takeFile()];
    decoy({
      signal: "tool-sequence",
      about: "two sessions only",
      shown: 2,
      tell: (t) => follow(t, [two[0], other, two[1]]),
    });
  }
  const loop = project.takeFile();
  decoy({
    signal: "tool-sequence",
    about: "edit, test, edit, test",
    shown: 4,
    tell(t) {
      t.edit(loop);
      t.test({ files: [testOf(loop)] });
      t.edit(loop);
      t.test({ files: [testOf(loop)] }).test();
    },
  });
}

function plantOverruns({ random, project, plant, decoy, times }) {
  const modules = random.shuffle(project.ordinary);
  const work = (module, steps) => ({
    isWhole: true,
    prompt: () => `Carry out the plan for ${module}`,
    plan: () => ({ plannedSteps: steps(), by: random.pick(["start", "unit"]) }),
    tell: (t) => workIn(t, { sources: project.modules[module].open }, random.int(24, 45)),
  });
  for (let n = times(3); n > 0; n--) {
    const module = modules.pop();
    plant({
      signal: "step-overrun",
      types: ["task_calibration"],
      files: [],
      says: [module],
      needed: 3,
      shown: 3,
      ...work(module, () => random.int(4, 10)),
    });
  }
  const [kept, twice] = [modules.pop(), modules.pop()];
  decoy({ signal: "step-overrun", about: "keeps to its plan", shown: 3, ...work(kept, () => random.int(45, 60)) });
  decoy({ signal: "step-overrun", about: "two sessions only", shown: 2, ...work(twice, () => random.int(4, 10)) });
}

function plantSpikes({ random, project, plant, decoy, times }) {
  const heavy = () => {
    const module = project.modules[project.takeModule()];
    const large = module.sources.slice(0, 6);
    for (const file of large) project.fatten(file, random.int(40_000, 80_000));
    return { module, large, small: module.sources.slice(6) };
  };
  // Other ones each time: it is the module that is large, and no file of it is always read.
  const turns = [
    [0, 1, 2],
    [3, 4, 5],
    [0, 2, 4],
    [1, 3, 5],
  ];
  const readAll = (t, { large, small }, nth) => {
    for (const index of random.shuffle(turns[nth])) t.read(large[index]).idle();
    const goal = random.pick(small);
    t.read(goal);
    t.edit(goal);
    t.idle().test({ files: [testOf(goal)] });
  };
  for (let n = times(3); n > 0; n--) {
    const costly = heavy();
    plant({
      signal: "token-spike",
      types: ["context_cost"],
      files: [],
      says: [costly.module.name],
      needed: 3,
      shown: random.int(3, 4),
      prompt: () => `Find out how ${costly.module.name} decides.`,
      tell: (t, nth) => readAll(t, costly, nth),
    });
  }
  const short = heavy();
  decoy({ signal: "token-spike", about: "two sessions only", shown: 2, tell: (t, nth) => readAll(t, short, nth) });
  const logged = project.modules[project.takeModule()];
  decoy({
    signal: "token-spike",
    about: "a large log that is no file",
    shown: 3,
    tell(t) {
      const file = random.pick(logged.sources);
      t.read(file).run("npm run trace", "a line of the trace\n".repeat(8000));
      t.edit(file);
      t.test({ files: [testOf(file)] });
    },
  });
}

const addresses = [
  "https://developer.mozilla.org/en-US/docs/Web/API/Streams_API",
  "https://docs.stripe.com/webhooks/signatures",
  "https://www.postgresql.org/docs/16/explicit-locking.html",
  "https://datatracker.ietf.org/doc/html/rfc7231",
  "https://docs.aws.amazon.com/AmazonS3/latest/userguide/presigned-urls.html",
  "https://orm.drizzle.team/docs/migrations",
];

function plantPages({ random, project, plant, decoy, times }) {
  const modules = random.shuffle(project.ordinary);
  const pages = random.shuffle(addresses);
  const written = (url) =>
    random.pick([url, `${url}#details`, `${url}?utm_source=x`, url.replace("https://www.", "https://")]);
  const lookUp = (t, module, url, answer = "It explains how requests are signed and when they expire.") => {
    const [file, other] = random.sample(project.modules[module].open, 2);
    t.read(file).idle();
    if (random.chance(0.4)) t.edit(file);
    if (random.chance(0.75)) t.fetch(written(url), answer);
    else {
      t.outside = true;
      t.run(`curl -sL ${url}`, `<html><p>${answer}</p></html>`);
    }
    t.idle().edit(file);
    if (random.chance(0.5)) t.edit(other);
    t.test({ files: [testOf(file)] });
  };
  for (let n = times(3); n > 0; n--) {
    const [module, url] = [modules.pop(), pages.pop()];
    plant({
      signal: "external-reference",
      types: ["module_insight"],
      files: [],
      says: [module, url.replace(/^https:\/\/(www\.)?/, "").slice(0, 60)],
      home: module,
      needed: 3,
      shown: random.int(3, 4),
      prompt: () => `Bring ${module} in line with the documentation.`,
      tell: (t) => lookUp(t, module, url),
    });
  }
  const [twice, missing] = [pages.pop(), pages.pop()];
  const [module, other] = [modules.pop(), modules.pop()];
  decoy({
    signal: "external-reference",
    about: "two sessions only",
    home: module,
    shown: 2,
    tell: (t) => lookUp(t, module, twice),
  });
  decoy({
    signal: "external-reference",
    about: "a page that is not there",
    shown: 3,
    tell(t) {
      t.outside = true;
      const file = random.pick(project.modules[other].open);
      t.uses(
        "WebFetch",
        { url: missing, prompt: "How?" },
        { text: "Request failed with status code 404", failed: true },
      );
      t.edit(file);
    },
  });
}

function plantSlow({ random, plant, decoy, times }) {
  const commands = random.shuffle([
    "npm run e2e:smoke",
    "docker compose build",
    "make native",
    "npm run load:replay",
    "npm run docs:site",
    "cargo build --release",
  ]);
  const about = (ms) => Math.round(ms * (0.85 + random.next() * 0.3));
  const wait = (t, command, tookMs) => t.run(command, "Done.", { tookMs });
  for (let n = times(3); n > 0; n--) {
    const [command, usualMs] = [commands.pop(), random.int(60_000, 240_000)];
    plant({
      signal: "time-anomaly",
      types: ["gotcha"],
      files: [],
      says: [command.replace(" --release", "")],
      needed: 3,
      shown: random.int(3, 4),
      tell: (t) => wait(t, command, about(usualMs)),
    });
  }
  const [once, twice, wild] = commands;
  decoy({
    signal: "time-anomaly",
    about: "slow once",
    shown: 4,
    tell: (t, nth) => wait(t, once, nth === 1 ? 120_000 : about(3000)),
  });
  decoy({ signal: "time-anomaly", about: "two sessions only", shown: 2, tell: (t) => wait(t, twice, about(100_000)) });
  decoy({ signal: "time-anomaly", about: "meant to wait", shown: 3, tell: (t) => wait(t, "sleep 90", 90_000) });
  decoy({
    signal: "time-anomaly",
    about: "any time from half a minute to an hour",
    shown: 3,
    tell: (t, nth) => wait(t, wild, [32_000, 3_000_000, 400_000][nth]),
  });
}
