// Planted: what sessions show by what they look for.
import { anyOpen, moduleOf, symbolOf, testOf } from "./made-up-project.mjs";
import { oneOff, oneOffSearch } from "./noise.mjs";

export function plantSearches(kit) {
  plantRepeated(kit);
  plantHidden(kit);
}

const names =
  "resolveTenant parseMoney openLedgerBook hashInvoice splitParcel mergeBaskets quoteFreight signReceipt".split(" ");

function plantRepeated({ random, project, plant, decoy, times }) {
  const wanted = random.shuffle(names);
  const open = () => anyOpen({ random, project });
  const pattern = (name) => random.pick([name, name, `${name}\\(`, `function ${name}`]);
  const find = (t, name, file) => {
    t.grep(pattern(name), random.shuffle([file, open()])).idle();
    t.read(file).idle();
    t.edit(file);
    t.test({ files: [testOf(file)] });
  };
  for (let n = times(4); n > 0; n--) {
    const [name, file] = [wanted.pop(), project.takeFile()];
    const isNothing = n === 1;
    plant({
      signal: "repeated-search",
      types: ["module_insight", "gotcha"],
      files: [file],
      says: [name],
      needed: 2,
      shown: random.int(2, 3),
      prompt: () => `There is something odd with ${name}.`,
      tell(t) {
        if (!isNothing) return find(t, name, file);
        t.grep(name, []).idle().grep(oneOffSearch(random), [file]).read(file);
        t.edit(file);
        t.test({ files: [testOf(file)] });
      },
    });
  }
  const [once, onceFile, wandering] = [wanted.pop(), project.takeFile(), wanted.pop()];
  decoy({ signal: "repeated-search", about: "one session only", shown: 1, tell: (t) => find(t, once, onceFile) });
  const ends = [project.takeFile(), project.takeFile(), project.takeFile()];
  decoy({
    signal: "repeated-search",
    about: "ends elsewhere each time",
    shown: 3,
    tell: (t, nth) => find(t, wandering, ends[nth]),
  });
  const common = project.takeFile();
  decoy({
    signal: "repeated-search",
    about: "a word that is everywhere",
    shown: 3,
    tell(t) {
      t.grep("TODO", [open(), open(), common, open()]).read(common);
    },
  });
}

function plantHidden({ random, project, plant, decoy, times }) {
  const folders = [...project.hidden];
  const inFolder = (folder) => [...project.files.keys()].filter((file) => file.startsWith(`${folder}/`));
  const flooded = (folder, count) =>
    Array.from({ length: count }, (_, n) => `${folder}/out-${n}.ts:${n + 1}:  match`).join("\n");
  for (let n = times(4); n > 0; n--) {
    const folder = folders.pop();
    const files = inFolder(folder);
    const fixed = random.pick(files);
    const isFlood = n === 1;
    const isSame = random.chance(0.5);
    plant({
      signal: "glob-ignore",
      types: ["gotcha"],
      files: [],
      // `.github/workflows` or `.github`: either tells where to look.
      says: [new RegExp(folder.replace("src/", "").split("/").join("|").replaceAll(".", "\\."))],
      needed: 2,
      shown: random.int(2, 3),
      tell(t) {
        const file = isSame ? fixed : random.pick(files);
        const name = symbolOf(file);
        if (isFlood) {
          t.run(`rg -n "${name}"`, flooded(folder, random.int(300, 700))).idle();
          t.run(`rg -n "${name}" -g '!${folder}/**'`, `src/orders/x.ts:3: ${name}\nsrc/orders/y.ts:8: ${name}`);
          return;
        }
        t.grep(name, [], { where: "." }).idle();
        const again = random.pick([
          () => t.run(`rg -n --hidden --no-ignore "${name}"`, `${file}:3:  ${name}`),
          () => t.run(`rg -n -uu "${name}" .`, `${file}:3:  ${name}`),
          () => t.grep(name, [file], { where: folder }),
        ]);
        again();
        t.read(file);
      },
    });
  }
  const [wrong, right] = [project.takeFile(), project.takeFile()];
  decoy({
    signal: "glob-ignore",
    about: "the wrong folder at first",
    shown: 3,
    tell: (t) =>
      t
        .grep(symbolOf(right), [], { where: moduleOf(wrong) })
        .idle()
        .grep(symbolOf(right), [right], { where: moduleOf(right) })
        .read(right),
  });
  decoy({
    signal: "glob-ignore",
    about: "still nothing",
    shown: 2,
    tell(t) {
      const name = oneOff(random);
      t.grep(name, [], { where: "." }).run(`rg -n --hidden "${name}"`, "", { failed: true });
    },
  });
  const folder = folders.pop();
  const [file] = inFolder(folder);
  decoy({
    signal: "glob-ignore",
    about: "one session only",
    shown: 1,
    tell: (t) =>
      t
        .grep(symbolOf(file), [], { where: "." })
        .run(`rg -n --hidden "${symbolOf(file)}"`, `${file}:1: x`)
        .read(file),
  });
}
