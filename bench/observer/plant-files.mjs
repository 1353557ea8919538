// Planted: what sessions show by which files they have to do with.
import { oneOffSearch } from "./noise.mjs";
import { anyOpen, moduleOf, symbolOf, testOf } from "./made-up-project.mjs";

export function plantFiles(kit) {
  plantCoAccess(kit);
  plantFileAccess(kit);
  plantConfigTouch(kit);
  plantImportChase(kit);
  plantReadAbandon(kit);
}

function plantCoAccess({ random, project, plant, decoy, times }) {
  const pair = () => {
    const a = project.takeFile();
    return [a, random.chance(0.3) ? project.takeFile([moduleOf(a)]) : project.takeFile()];
  };
  const changeBoth = (t, [a, b]) => {
    t.read(a).idle();
    t.edit(a);
    t.idle();
    if (random.chance(0.7)) t.read(b).idle();
    t.edit(b);
    t.idle().test(random.chance(0.5) ? { files: [testOf(a)] } : {});
  };
  const readBoth = (t, [a, b]) => {
    t.read(a).idle().read(b).idle();
    const other = anyOpen({ random, project });
    t.edit(other);
    t.test({ files: [testOf(other)] });
  };
  const turned = (nth, [a, b]) => (nth === 1 && random.chance(0.3) ? [b, a] : [a, b]);

  for (let n = times(3); n > 0; n--) {
    const files = pair();
    plant({
      signal: "co-access",
      types: ["causal_dependency"],
      files,
      needed: 3,
      shown: random.int(3, 5),
      prompt: () => `Change how ${symbolOf(files[0])} is filled.`,
      tell: (t, nth) => changeBoth(t, turned(nth, files)),
    });
  }
  for (let n = times(2); n > 0; n--) {
    const files = pair();
    plant({
      signal: "co-access",
      types: ["prefetch_pattern", "causal_dependency"],
      files,
      needed: 3,
      shown: random.int(3, 5),
      tell: (t, nth) => readBoth(t, turned(nth, files)),
    });
  }
  for (let n = times(2); n > 0; n--) {
    const files = pair();
    decoy({ signal: "co-access", about: "two sessions only", files, shown: 2, tell: (t) => changeBoth(t, files) });
    const loose = pair();
    decoy({
      signal: "co-access",
      about: "together thrice, apart more often",
      files: loose,
      shown: 10,
      tell(t, nth) {
        if (nth % 4 === 0) return changeBoth(t, loose);
        t.read(loose[nth % 2]).idle();
        t.edit(loose[nth % 2]);
      },
    });
  }
}

function plantFileAccess({ random, project, plant, decoy, times }) {
  for (let n = times(4); n > 0; n--) {
    const module = project.modules[project.takeModule()];
    const [first, second, ...others] = random.shuffle(module.sources);
    plant({
      signal: "file-access",
      types: ["prefetch_pattern"],
      files: [first, second],
      needed: 3,
      shown: random.int(3, 5),
      prompt: () => `Extend ${module.name} a little.`,
      tell(t) {
        for (const file of random.shuffle([first, second, random.pick(others)])) t.read(file).idle();
        const goal = random.pick(others);
        t.edit(goal);
        t.idle().test({ files: [testOf(goal)] });
      },
    });
  }
  for (let n = times(2); n > 0; n--) {
    const module = project.modules[project.takeModule()];
    const parts = [0, 1, 2].map((part) => module.sources.filter((_, index) => index % 3 === part));
    decoy({
      signal: "file-access",
      about: "other files each time",
      shown: 3,
      tell(t, nth) {
        for (const file of random.shuffle(parts[nth])) t.read(file).idle();
        t.edit(parts[nth][0]);
        t.test({ files: [testOf(parts[nth][0])] });
      },
    });
  }
  const module = project.modules[project.takeModule()];
  decoy({
    signal: "file-access",
    about: "two sessions only",
    shown: 2,
    tell(t) {
      for (const file of module.sources.slice(0, 3)) t.read(file).idle();
      t.edit(module.sources[0]);
      t.test({ files: [testOf(module.sources[0])] });
    },
  });
}

function plantConfigTouch({ random, project, plant, decoy, times }) {
  const configs = random.shuffle(project.configs.filter((file) => file !== "package.json"));
  const changeBoth = (t, source, config) => {
    const both = [source, config];
    for (const file of random.chance(0.7) ? both : both.toReversed()) {
      if (random.chance(0.6)) t.read(file);
      t.edit(file);
      t.idle();
    }
    t.test();
  };
  for (let n = times(4); n > 0; n--) {
    const [source, config] = [project.takeFile(), configs.pop()];
    plant({
      signal: "config-touch",
      types: ["causal_dependency"],
      files: [config],
      about: [source, moduleOf(source)],
      needed: 2,
      shown: random.int(2, 4),
      prompt: () => `Add one more case to ${symbolOf(source)}.`,
      tell: (t) => changeBoth(t, source, config),
    });
  }
  for (let n = times(2); n > 0; n--) {
    const [source, config] = [project.takeFile(), configs.pop()];
    decoy({
      signal: "config-touch",
      about: "only read",
      shown: 3,
      tell(t) {
        t.read(config).idle().read(source);
        t.edit(source);
        t.test();
      },
    });
    const [other, once] = [project.takeFile(), configs.pop()];
    decoy({ signal: "config-touch", about: "one session only", shown: 1, tell: (t) => changeBoth(t, other, once) });
  }
  decoy({
    signal: "config-touch",
    about: "a manifest that changes with everything",
    shown: 6,
    tell: (t) => changeBoth(t, anyOpen({ random, project }), "package.json"),
  });
}

function plantImportChase({ random, project, plant, decoy, times }) {
  const chain = () => {
    const files = [project.takeFile(), project.takeFile(), project.takeFile()];
    project.link(files[0], files[1]);
    project.link(files[1], files[2]);
    return files;
  };
  const chase = (t, files, goal) => {
    for (const file of files) t.read(file).idle();
    if (goal !== files.at(-1)) t.read(goal);
    t.edit(goal);
    t.test({ files: [testOf(goal)] });
  };
  for (let n = times(3); n > 0; n--) {
    const files = chain();
    plant({
      signal: "import-chase",
      types: ["causal_dependency"],
      files: [files[0], files[2]],
      together: files,
      needed: 4,
      shown: random.int(4, 5),
      prompt: () => `${symbolOf(files[0])} gives the wrong result, find out why.`,
      tell: (t) => chase(t, files, files[2]),
    });
  }
  for (let n = times(2); n > 0; n--) {
    const [short, back] = [chain(), chain()];
    decoy({
      signal: "import-chase",
      about: "three sessions only",
      together: short,
      shown: 3,
      tell: (t) => chase(t, short, short[2]),
    });
    decoy({
      signal: "import-chase",
      about: "goes back to where it began",
      together: back,
      shown: 4,
      tell: (t) => chase(t, back, back[0]),
    });
  }
}

function plantReadAbandon({ random, project, plant, decoy, times }) {
  const turn = (t, left, goal) => {
    if (random.chance(0.6)) t.grep(symbolOf(left), [left, random.pick(project.modules.orders.open)]);
    t.read(left).idle();
    if (random.chance(0.5)) t.say(random.pick(["Not here.", "This is not the place.", "It must be somewhere else."]));
    t.grep(oneOffSearch(random), [goal]).idle();
    t.read(goal);
    t.edit(goal);
    t.idle().test({ files: [testOf(goal)] });
  };
  for (let n = times(4); n > 0; n--) {
    const [left, goal] = [project.takeFile(), project.takeFile()];
    plant({
      signal: "read-abandon",
      types: ["gotcha"],
      files: [left, goal],
      needed: 3,
      shown: random.int(3, 4),
      prompt: () => `Something is wrong with ${symbolOf(left)}.`,
      tell: (t) => turn(t, left, goal),
    });
  }
  for (let n = times(2); n > 0; n--) {
    const [left, goal] = [project.takeFile(), project.takeFile()];
    decoy({ signal: "read-abandon", about: "two sessions only", shown: 2, tell: (t) => turn(t, left, goal) });
    const [used, changed] = [project.takeFile(), project.takeFile()];
    project.link(changed, used);
    decoy({
      signal: "read-abandon",
      about: "read on purpose: the other imports it",
      together: [used, changed],
      shown: 3,
      tell(t) {
        t.read(used).idle();
        t.grep(oneOffSearch(random), [used, changed]).read(changed);
        t.edit(changed);
        t.test({ files: [testOf(changed)] });
      },
    });
  }
}
